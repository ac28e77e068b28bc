#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "reports/expectations/judge.hpp"
#include "reports/expectations/what_is_wanted.hpp"
#include "reports/shares/measure.hpp"
#include "reports/shares/without_host.hpp"
#include "reports/text/figures.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/times.hpp"
#include "sim/run/share_interval.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {

using scenario::Comparison;
using scenario::OutcomeAssertion;
using scenario::Quantity;
using scenario::Selector;
using scenario::ShareAssertion;

std::string_view words_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::equals:
      return "";
    case Comparison::at_most:
      return "at most ";
    case Comparison::at_least:
      return "at least ";
  }
  return "";
}

bool compares(double number, Comparison comparison, double limit) {
  constexpr double slack = 1e-9;  // rounding error of a summed percentage
  switch (comparison) {
    case Comparison::equals:
      return std::abs(number - limit) <= slack;
    case Comparison::at_most:
      return number <= limit + slack;
    case Comparison::at_least:
      return number >= limit - slack;
  }
  return false;
}

std::string selector_text(const Selector& selector) {
  std::string text;
  if (selector.priority) {
    text += fmt::format(" P{}", selector.priority->value);
  }
  for (const std::string* name :
       {&selector.cluster, &selector.zone, &selector.sub_zone, &selector.node, &selector.endpoint}) {
    if (!name->empty()) {
      text += " " + printable(*name);
    }
  }
  return text;
}

std::uint64_t counted(const run::Results& results, const run::Epoch& epoch, const Selector& selector) {
  std::uint64_t count = 0;
  for_each_share(results, epoch, [&](const run::SharePlace& place, const run::ShareCell& share) {
    count += selects(selector, place) ? share.requests.value_or(0) : 0;
  });
  return count;
}

namespace {

bool overlaps(const run::Epoch& epoch, const OutcomeAssertion& assertion) {
  return epoch.start < assertion.to && assertion.from < epoch.end;
}

// Judges an assertion on outcomes without requests. The shares show only one outcome: that there is no host.
void judge_without_requests(const OutcomeAssertion& assertion, Court& court, Verdict verdict) {
  const bool none_expected = assertion.outcome == scenario::Outcome::no_healthy_upstream && assertion.count == 0.0 &&
                             assertion.comparison != Comparison::at_least;
  if (!none_expected) {
    leave_open(verdict, "mode exact sends no requests");
  } else {
    for (const run::Epoch& epoch : court.results.epochs) {
      if (!overlaps(epoch, assertion)) {
        continue;
      }
      const Measured all = measure(court.scenario, court.results, epoch, {"", Quantity::share, {}});
      const double dropped = court.scenario.services[epoch.view.value].load_assignment.drop_overload.ratio() +
                             fault_part(court.scenario, epoch);
      if (!all.exact || *all.exact > 100.0 * (1.0 - dropped) - 1e-9) {
        continue;
      }
      Failure failure;
      failure.expected = "0";
      failure.exact = exact_percent(1.0 - dropped - *all.exact / 100.0);
      failure.where = assertion.where;
      failure.message =
          fmt::format("{}: expected 0, exact {} of the requests of {} to {} in {} find no host", verdict.title,
                      failure.exact, printable(court.scenario.clients[epoch.client.value].name),
                      printable(court.scenario.services[epoch.service.value].name), time_range(epoch.start, epoch.end));
      fail(verdict, std::move(failure));
    }
  }
  court.verdicts.push_back(std::move(verdict));
}

// Returns the shares by replication; empty for a single run.
std::vector<double> shares_by_replication(const run::Results& results, const run::Epoch& epoch,
                                          const Selector& selector) {
  std::vector<double> shares;
  results.shares.for_each_of(epoch.client, epoch.service, epoch.index, [&](const run::ShareBlock& block) {
    shares.resize(block.sent_by_replication.size());
    block.for_each([&](const run::ShareCell& cell) {
      for (std::size_t replication = 0; replication < cell.by_replication.size(); ++replication) {
        const std::uint64_t sent = block.sent_by_replication[replication];
        const bool counts = sent > 0 && selects(selector, block.place(cell));
        shares[replication] += counts ? cell.by_replication[replication] / static_cast<double>(sent) : 0.0;
      }
    });
  });
  return shares;
}

// True if something changes within the epoch that begins no other one, because EDS does not report it: counts are then
// of the times before and after together.
bool changes_within(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(),
                     [&](const scenario::Change& change) { return change.at > epoch.start && change.at < epoch.end; });
}

void judge_measured_share(const ShareAssertion& assertion, const run::Epoch& epoch, Court& court, Verdict& verdict) {
  const Measured measured = measure(court.scenario, court.results, epoch, {"", Quantity::share, assertion.selector});
  Failure failure;
  failure.where = assertion.where;
  failure.documented = failure.expected =
      std::string(words_of(assertion.comparison)) + figure_text(assertion.figure, Quantity::share);
  if (measured.exact) {
    failure.exact = exact_percent(*measured.exact / 100.0);
  }
  if (measured.simulated) {
    failure.simulated = simulated_percent(*measured.simulated / 100.0);
  }
  if (measured.exact) {
    const bool holds = assertion.comparison == Comparison::equals
                           ? prints_as(*measured.exact, assertion.figure)
                           : compares(*measured.exact, assertion.comparison, assertion.figure.number);
    if (!holds) {
      failure.message = fmt::format("{}: expected {}, exact {}", verdict.title, failure.expected, failure.exact);
      fail(verdict, failure);
    }
  } else if (!measured.simulated) {
    leave_open(verdict, "no closed form gives this figure, and no requests were counted");
  }
  if (!measured.simulated) {
    return;
  }
  const std::uint64_t part = counted(court.results, epoch, assertion.selector);
  const std::uint64_t all = sent_in(court.results, epoch);
  failure.message =
      fmt::format("{}: expected {}, simulated {} of {} requests{}", verdict.title,
                  measured.exact ? failure.exact : failure.expected, failure.simulated, with_thousands(all),
                  changes_within(court.scenario, epoch) ? " of " + time_range(epoch.start, epoch.end) : "");
  if (measured.exact) {
    court.fit_tests.add(court.verdicts.size(), part_and_rest(part, all, *measured.exact / 100.0), std::move(failure));
    return;
  }
  const Counted share{*measured.simulated / 100.0,
                      run::share_interval(part, all, shares_by_replication(court.results, epoch, assertion.selector))};
  const Wanted wanted = wanted_by(assertion.comparison, assertion.figure);
  const study::Verdict outcome = decide(share, wanted);
  if (outcome == study::Verdict::missed) {
    failure.message += ", " + interval_text(share);
    fail(verdict, std::move(failure));
  } else if (outcome == study::Verdict::undecided) {
    verdict.outcome = outcome;
    verdict.why_open = fmt::format("undecided: {}, {}; {}", failure.message, interval_text(share),
                                   requests_to_decide(share, wanted, all, court.results.replications));
  }
}

}  // namespace

void judge_outcome(const OutcomeAssertion& assertion, Court& court) {
  Verdict verdict;
  verdict.title = fmt::format("{} {}", name_of(assertion.outcome), time_range(assertion.from, assertion.to));
  verdict.where = assertion.where;
  if (court.results.mode == scenario::Mode::exact) {
    judge_without_requests(assertion, court, std::move(verdict));
    return;
  }
  const std::vector<scenario::Window> windows = scenario::outcome_windows(court.scenario.expectations);
  const auto window = std::find(windows.begin(), windows.end(), scenario::Window{assertion.from, assertion.to});
  const auto number = static_cast<std::size_t>(window - windows.begin());
  const std::uint64_t count = court.results.outcomes_in_windows[number][assertion.outcome];
  if (!compares(static_cast<double>(count), assertion.comparison, assertion.count)) {
    Failure failure;
    failure.where = assertion.where;
    failure.documented = failure.expected = fmt::format("{}{}", words_of(assertion.comparison), assertion.count);
    failure.simulated = with_thousands(count);
    failure.message = fmt::format("{}: expected {}, counted {}", verdict.title, failure.expected, failure.simulated);
    fail(verdict, std::move(failure));
  }
  court.verdicts.push_back(std::move(verdict));
}

void judge_share(const ShareAssertion& assertion, Court& court) {
  Verdict verdict;
  verdict.title = fmt::format("share of {}{} at {} s", printable(court.scenario.clients[assertion.client.value].name),
                              selector_text(assertion.selector), seconds_text(assertion.at));
  verdict.where = assertion.where;
  if (const run::Epoch* epoch = epoch_at(court.results, assertion.client, assertion.service, assertion.at)) {
    judge_measured_share(assertion, *epoch, court, verdict);
  } else {
    Failure failure;
    failure.where = assertion.where;
    failure.message = verdict.title + ": the run has no epoch at this moment";
    fail(verdict, std::move(failure));
  }
  court.verdicts.push_back(std::move(verdict));
}

}  // namespace spillway::reports
