// Judges expectations of utilisation.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "reports/expectations/judge.hpp"
#include "reports/expectations/what_is_wanted.hpp"
#include "reports/text/figures.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/records/load_periods.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/statistics/student.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

using scenario::UtilisationAssertion;

bool has_cores(const scenario::Scenario& scenario, const scenario::Endpoint& endpoint) {
  return endpoint.servers || scenario.nodes[endpoint.node.value].servers;
}

// Returns by endpoint if it is a host of the service.
std::vector<bool> endpoints_of(const scenario::Scenario& scenario, const std::string& service) {
  std::vector<bool> belongs(scenario.endpoints.size(), service.empty());
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    const config::ServiceIndex asked = scenario::asked_for(scenario, config::ServiceIndex{index});
    if (scenario.services[asked.value].name != service) {
      continue;
    }
    for (const scenario::Host& host : scenario.services[index].hosts) {
      belongs[host.endpoint.value] = belongs[host.endpoint.value] || !host.forwards_to;
    }
  }
  return belongs;
}

bool stands_there(const scenario::Scenario& scenario, const scenario::Endpoint& endpoint,
                  const scenario::Selector& selector) {
  const scenario::Node& node = scenario.nodes[endpoint.node.value];
  const auto is = [](const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; };
  return is(selector.endpoint, endpoint.id) && is(selector.node, node.name) && is(selector.sub_zone, node.sub_zone) &&
         is(selector.zone, scenario.zones[node.zone.value].name);
}

// The utilisation measured in the assertion's window and in its parts, by endpoint.
class Busyness {
 public:
  Busyness(const UtilisationAssertion& assertion, const run::Results& results)
      : is_exact_(results.mode == scenario::Mode::exact) {
    const run::Stretch window{assertion.from, assertion.to};
    const std::vector<run::Stretch> parts = run::parts_of(window);
    for (const run::EndpointLoad& row : results.windows) {
      if (row.start == window.start && row.end == window.end) {
        whole_.emplace(row.endpoint, row.utilisation);
        continue;
      }
      const auto part = std::find_if(parts.begin(), parts.end(), [&](const run::Stretch& one) {
        return one.start == row.start && one.end == row.end;
      });
      if (part != parts.end()) {
        std::vector<double>& values = parts_[row.endpoint];
        values.resize(parts.size());
        values[static_cast<std::size_t>(part - parts.begin())] = row.utilisation.value_or(0.0);
      }
    }
  }

  // Returns the utilisation; nullopt if it is unknown. An endpoint without a row had no load.
  [[nodiscard]] std::optional<Counted> of(config::EndpointIndex endpoint) const {
    const auto row = whole_.find(endpoint);
    const std::optional<double> part = row == whole_.end() ? 0.0 : row->second;
    if (!part) {
      return std::nullopt;
    }
    const auto values = parts_.find(endpoint);
    const double reach = is_exact_ || values == parts_.end() ? 0.0 : reach_of_chance(values->second);
    return Counted{*part, {std::max(0.0, *part - reach), std::min(1.0, *part + reach)}};
  }

 private:
  // Returns half of the 95 % interval of the mean of consecutive parts. The deviation is that of differences between
  // neighbours (von Neumann), so that the scenario's own changes within the window hardly count.
  static double reach_of_chance(const std::vector<double>& values) {
    double squares = 0.0;
    for (std::size_t i = 1; i < values.size(); ++i) {
      squares += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
    const auto count = static_cast<double>(values.size());
    return statistics::student_quantile_95(static_cast<std::size_t>(run::parts_of_window) - 1) *
           std::sqrt(squares / (2.0 * (count - 1.0)) / count);
  }

  bool is_exact_;
  std::map<config::EndpointIndex, std::optional<double>> whole_;
  std::map<config::EndpointIndex, std::vector<double>> parts_;
};

// The endpoint furthest from the assertion's limit, among those with one outcome.
struct Furthest {
  std::string endpoint;
  Counted busy;
  std::size_t endpoints = 0;

  void see(const std::string& id, const Counted& counted, const Wanted& wanted) {
    const auto beyond = [&](double value) { return std::max(wanted.low - value, value - wanted.high); };
    if (endpoints++ == 0 || beyond(counted.value) > beyond(busy.value)) {
      endpoint = id;
      busy = counted;
    }
  }
};

void tell(const UtilisationAssertion& assertion, const Court& court, const Furthest& worst, study::Verdict outcome,
          Verdict& verdict) {
  const bool exact = court.results.mode == scenario::Mode::exact;
  Failure failure;
  failure.where = assertion.where;
  failure.documented = failure.expected =
      std::string(words_of(assertion.comparison)) + figure_text(assertion.figure, scenario::Quantity::share);
  const std::string found = exact ? exact_percent(worst.busy.value) : simulated_percent(worst.busy.value);
  (exact ? failure.exact : failure.simulated) = found;
  failure.message = fmt::format("{}: expected {}, {} {} of {}", verdict.title, failure.expected,
                                exact ? "exact" : "measured", found, printable(worst.endpoint));
  if (worst.busy.interval.low < worst.busy.interval.high) {
    failure.message += ", " + interval_text(worst.busy);
  }
  if (worst.endpoints > 1) {
    failure.message += fmt::format(", and {} more are {}", worst.endpoints - 1,
                                   outcome == study::Verdict::missed ? "not as expected" : "undecided");
  }
  if (outcome == study::Verdict::missed) {
    fail(verdict, std::move(failure));
    return;
  }
  verdict.outcome = outcome;
  verdict.why_open = fmt::format("undecided: {}; {}", failure.message,
                                 time_to_decide(worst.busy, wanted_by(assertion.comparison, assertion.figure),
                                                assertion.to - assertion.from, court.results.replications));
}

// Returns the outcome. In mode exact, `equals` compares at the document's precision.
study::Verdict outcome_of(const Counted& busy, const UtilisationAssertion& assertion, scenario::Mode mode) {
  if (mode == scenario::Mode::exact && assertion.comparison == scenario::Comparison::equals) {
    return prints_as(100.0 * busy.value, assertion.figure) ? study::Verdict::met : study::Verdict::missed;
  }
  return decide(busy, wanted_by(assertion.comparison, assertion.figure));
}

}  // namespace

void judge_utilisation(const UtilisationAssertion& assertion, Court& court) {
  const std::string selected = selector_text(assertion.selector);
  Verdict verdict;
  verdict.title = fmt::format("utilisation of{} {}", selected.empty() ? " every endpoint" : selected,
                              time_range(assertion.from, assertion.to));
  verdict.where = assertion.where;
  const Busyness busyness(assertion, court.results);
  const std::vector<bool> belongs = endpoints_of(court.scenario, assertion.selector.cluster);
  std::size_t judged = 0;
  std::string unknown;
  std::map<study::Verdict, Furthest> furthest;
  for (std::uint32_t index = 0; index < court.scenario.endpoints.size(); ++index) {
    const scenario::Endpoint& endpoint = court.scenario.endpoints[index];
    if (!belongs[index] || !has_cores(court.scenario, endpoint) ||
        !stands_there(court.scenario, endpoint, assertion.selector)) {
      continue;
    }
    ++judged;
    if (const std::optional<Counted> busy = busyness.of(config::EndpointIndex{index})) {
      furthest[outcome_of(*busy, assertion, court.results.mode)].see(endpoint.id, *busy,
                                                                     wanted_by(assertion.comparison, assertion.figure));
    } else {
      unknown = endpoint.id;
    }
  }
  if (const auto worst = furthest.find(study::Verdict::missed); worst != furthest.end()) {
    tell(assertion, court, worst->second, study::Verdict::missed, verdict);
  } else if (judged == 0) {
    Failure failure;
    failure.where = assertion.where;
    failure.message = verdict.title + ": no such endpoint has a limited number of cores";
    fail(verdict, std::move(failure));
  } else if (!unknown.empty()) {
    leave_open(verdict,
               fmt::format("no closed form gives that of {}, and no requests were counted", printable(unknown)));
  } else if (const auto open = furthest.find(study::Verdict::undecided); open != furthest.end()) {
    tell(assertion, court, open->second, study::Verdict::undecided, verdict);
  }
  court.verdicts.push_back(std::move(verdict));
}

}  // namespace spillway::reports
