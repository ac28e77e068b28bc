#include "reports/html/worst_moments.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <variant>
#include <vector>

#include "reports/requests/overload_at_end.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/moment.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::html {
namespace {

using std::chrono::nanoseconds;

constexpr double rounding = 1e-9;

struct Stretch {
  nanoseconds at{0};  // the time to evaluate
  nanoseconds start{0};
  nanoseconds end{0};
};

bool has_ramps(const scenario::Scenario& scenario) {
  const auto is_ramp = [](const scenario::Change& change) {
    const auto* const rate = std::get_if<scenario::RateChange>(&change.effect);
    return rate != nullptr && rate->slope != 0.0;
  };
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), is_ramp) ||
         std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [](const scenario::ClientEntry& client) { return client.workload.slope != 0.0; });
}

bool any_endpoint_fails(const scenario::Scenario& still) {
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    const config::EndpointIndex endpoint{index};
    if (!state.answers(endpoint) || state.of(endpoint).failing.fraction > 0.0) {
      return true;
    }
  }
  return false;
}

// Splits the run into periods. Rates are linear between changes, so the highest is at the end of a period.
std::vector<Stretch> stretches_of(const scenario::Scenario& scenario) {
  std::set<nanoseconds> starts = {nanoseconds{0}};
  for (const scenario::Change& change : scenario.changes) {
    if (change.at < scenario.duration) {
      starts.insert(change.at);
    }
  }
  const bool ramps = has_ramps(scenario);
  std::vector<Stretch> stretches;
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    const auto next = std::next(start);
    const nanoseconds end = next == starts.end() ? scenario.duration : *next;
    stretches.push_back({*start, *start, end});
    if (ramps && plan::rate_at(scenario, end - nanoseconds{1}) > plan::rate_at(scenario, *start) * (1.0 + rounding)) {
      stretches.push_back({end - nanoseconds{1}, *start, end});
    }
  }
  return stretches;
}

// Returns the number of times to evaluate; each takes as long as a run in mode exact.
std::size_t most_of(const scenario::Scenario& scenario) {
  constexpr double most_cells = 5e6;
  constexpr double fewest = 10.0;
  constexpr double most = 200.0;
  const double cells = std::max(1.0, static_cast<double>(scenario.clients.size() * scenario.endpoints.size()));
  return static_cast<std::size_t>(std::clamp(most_cells / cells, fewest, most));
}

void look_at(const scenario::Scenario& scenario, const Stretch& stretch, WorstMoments& worst) {
  const scenario::Scenario still = plan::at_moment(scenario, stretch.at, 1.0);
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results exact = run::run(still, options);
  if (!run::all_exact_over_connections(exact)) {
    worst.may_fail = worst.may_fail || any_endpoint_fails(still);
    return;
  }
  const plan::Loads loads = plan::loads_of(still, exact);
  for (const plan::FailedRequests& failing : loads.failing) {
    if (failing.share > rounding && (!worst.failing || failing.share > worst.failing->share)) {
      worst.failing = {failing.share, failing.client, failing.service, stretch.start, stretch.end};
    }
  }
  for (std::uint32_t index = 0; index < loads.utilisation.size(); ++index) {
    const double utilisation = loads.utilisation[index].value_or(0.0);
    if (utilisation <= 1.0 + rounding || has_users(scenario)) {
      continue;
    }
    const WorstMoments::Overload overload{utilisation, config::EndpointIndex{index}, stretch.start, stretch.end};
    const auto raise = [&](std::optional<WorstMoments::Overload>& highest) {
      if (!highest || utilisation > highest->utilisation) {
        highest = overload;
      }
    };
    raise(worst.overload);
    if (stretch.end == scenario.duration && queue_may_grow(scenario, {index})) {
      raise(worst.overload_at_end);
    }
  }
}

}  // namespace

WorstMoments worst_moments(const scenario::Scenario& scenario) {
  const std::vector<Stretch> stretches = stretches_of(scenario);
  WorstMoments worst;
  worst.moments = stretches.size();
  worst.looked_at = std::min(stretches.size(), most_of(scenario));
  for (std::size_t number = 0; number < worst.looked_at; ++number) {
    // The last period is always included: a run may end in overload.
    look_at(scenario, stretches[(number + 1) * worst.moments / worst.looked_at - 1], worst);
  }
  return worst;
}

}  // namespace spillway::reports::html
