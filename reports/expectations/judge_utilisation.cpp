// Expectations of how busy endpoints are.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "reports/expectations/judge.hpp"
#include "reports/text/figures.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"

namespace spillway::reports {
namespace {

using scenario::UtilisationAssertion;

bool has_cores(const scenario::Scenario& scenario, const scenario::Endpoint& endpoint) {
  return endpoint.servers || scenario.nodes[endpoint.node.value].servers;
}

// By endpoint, whether it is a host of the service.
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

bool holds(double percentage, const UtilisationAssertion& assertion) {
  return assertion.comparison == scenario::Comparison::equals
             ? prints_as(percentage, assertion.figure)
             : compares(percentage, assertion.comparison, assertion.figure.number);
}

// The rows of the assertion's window, by endpoint.
std::map<config::EndpointIndex, const run::EndpointLoad*> rows_of(const UtilisationAssertion& assertion,
                                                                  const Court& court) {
  std::map<config::EndpointIndex, const run::EndpointLoad*> rows;
  for (const run::EndpointLoad& row : court.results.windows) {
    if (row.start == assertion.from && row.end == assertion.to) {
      rows.emplace(row.endpoint, &row);
    }
  }
  return rows;
}

struct Busiest {
  std::string endpoint;
  double percentage = 0.0;
  std::size_t failing = 0;
};

void tell(const UtilisationAssertion& assertion, const Court& court, const Busiest& worst, Verdict& verdict) {
  const bool exact = court.results.mode == scenario::Mode::exact;
  Failure failure;
  failure.where = assertion.where;
  failure.documented = failure.expected =
      std::string(words_of(assertion.comparison)) + figure_text(assertion.figure, scenario::Quantity::share);
  const std::string found =
      exact ? exact_percent(worst.percentage / 100.0) : simulated_percent(worst.percentage / 100.0);
  (exact ? failure.exact : failure.simulated) = found;
  failure.message = fmt::format("{}: expected {}, {} {} of {}", verdict.title, failure.expected,
                                exact ? "exact" : "measured", found, printable(worst.endpoint));
  if (worst.failing > 1) {
    failure.message += fmt::format(", and {} more are not as expected", worst.failing - 1);
  }
  fail(verdict, std::move(failure));
}

}  // namespace

void judge_utilisation(const UtilisationAssertion& assertion, Court& court) {
  const std::string selected = selector_text(assertion.selector);
  Verdict verdict;
  verdict.title = fmt::format("utilisation of{} {}", selected.empty() ? " every endpoint" : selected,
                              time_range(assertion.from, assertion.to));
  verdict.where = assertion.where;
  const auto rows = rows_of(assertion, court);
  const std::vector<bool> belongs = endpoints_of(court.scenario, assertion.selector.cluster);
  std::size_t judged = 0;
  std::string unknown;
  Busiest worst;
  for (std::uint32_t index = 0; index < court.scenario.endpoints.size(); ++index) {
    const scenario::Endpoint& endpoint = court.scenario.endpoints[index];
    if (!belongs[index] || !has_cores(court.scenario, endpoint) ||
        !stands_there(court.scenario, endpoint, assertion.selector)) {
      continue;
    }
    ++judged;
    // Who has no row had nothing to do.
    const auto row = rows.find(config::EndpointIndex{index});
    const std::optional<double> part = row == rows.end() ? 0.0 : row->second->utilisation;
    if (!part) {
      unknown = endpoint.id;
      continue;
    }
    const double percentage = 100.0 * *part;
    const double limit = assertion.figure.number;
    if (!holds(percentage, assertion) &&
        (worst.failing++ == 0 || std::abs(percentage - limit) > std::abs(worst.percentage - limit))) {
      worst.endpoint = endpoint.id;
      worst.percentage = percentage;
    }
  }
  if (worst.failing > 0) {
    tell(assertion, court, worst, verdict);
  } else if (judged == 0 || !unknown.empty()) {
    Failure failure;
    failure.where = assertion.where;
    failure.message = verdict.title + (judged == 0 ? ": no such endpoint has a limited number of cores"
                                                   : ": no closed form gives that of " + printable(unknown) +
                                                         ", and no requests were counted");
    fail(verdict, std::move(failure));
  }
  court.verdicts.push_back(std::move(verdict));
}

}  // namespace spillway::reports
