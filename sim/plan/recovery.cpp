#include "sim/plan/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

#include "models/config/seconds.hpp"
#include "sim/plan/aftermath.hpp"
#include "sim/plan/breaker_thresholds.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/state_before.hpp"
#include "sim/plan/variants.hpp"
#include "sim/plan/words.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {
namespace {

// Limit of the requests of one simulation, without retries.
constexpr double most_requests_of_one = 2e5;
// Limit of the requests of all simulations of a plan.
constexpr double most_requests_of_all = 8e5;

// A failure that ends: it starts at `begins`, and all endpoints are back at `ends`.
struct Ending {
  scenario::Scenario scenario;
  Nanoseconds begins{0};
  Nanoseconds ends{0};
};

// Returns nullopt if some change of the failure cannot be undone.
std::optional<Ending> ending(const Simulated& simulated) {
  constexpr double part_of_warm_up = 0.5;
  constexpr double times_watched = 6.0;
  constexpr double longest = 20.0;
  const double lasts = config::seconds(simulated.scenario.duration - simulated.measured_from);
  const double affordable =
      most_requests_of_one / (requests_of(simulated) / config::seconds(simulated.scenario.duration));
  const double seconds = std::min({lasts, longest, affordable / (1.0 + times_watched + part_of_warm_up)});
  const auto nanoseconds = [](double of) { return Nanoseconds{static_cast<std::int64_t>(of * 1e9)}; };
  Ending ending{simulated.scenario, nanoseconds(part_of_warm_up * seconds),
                nanoseconds((part_of_warm_up + 1.0) * seconds)};
  ending.scenario.duration = nanoseconds((part_of_warm_up + 1.0 + times_watched) * seconds);
  const StateBefore before(simulated.scenario, simulated.measured_from);
  std::vector<scenario::Change> back;
  for (scenario::Change& change : ending.scenario.changes) {
    if (change.at >= simulated.measured_from) {
      change.at = ending.begins;
      const auto undone = before.undone(change.effect);
      if (!undone) {
        return std::nullopt;
      }
      back.push_back({ending.ends, *undone, change.where});
    }
  }
  // In reverse: of two changes of one host, the first has the state before the failure.
  std::move(back.rbegin(), back.rend(), std::back_inserter(ending.scenario.changes));
  return ending;
}

Aftermath watch(const Ending& ending) {
  Aftermath aftermath({.begins = ending.begins, .ends = ending.ends}, ending.scenario.duration);
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.trace = [&](const run::TracedRequest& request) { aftermath.add(request); };
  (void)run::run(ending.scenario, options);
  return aftermath;
}

// A changed setting that may let the system recover.
struct Remedy {
  std::string text;
  std::function<void(scenario::Scenario&)> apply;
};

Remedy at_most_retries(std::uint32_t retries, Documents documents) {
  return {fmt::format("{} {}", name_of(Knob::num_retries, documents), retries), [retries](scenario::Scenario& changed) {
            for (std::size_t index = 0; index < changed.routes.size(); ++index) {
              if (auto& policy = changed.routes[index].retry_policy) {
                policy->num_retries = std::min(policy->num_retries, retries);
              }
            }
          }};
}

std::uint32_t most_retries_of(const scenario::Scenario& scenario) {
  std::uint32_t most = 0;
  for (const scenario::Route& route : scenario.routes) {
    most = std::max(most, route.retry_policy ? route.retry_policy->num_retries : 0U);
  }
  return most;
}

// Returns the remedies besides fewer retries: Envoy's default limit of concurrent retries, then a limit of concurrent
// requests at 1.5 times their mean number by Little's law.
std::vector<Remedy> limits_of_requests(const scenario::Scenario& scenario, Documents documents) {
  std::vector<Remedy> remedies;
  if (most_retries_of(scenario) > 0) {
    static constexpr std::uint32_t default_max_retries = 3;
    remedies.push_back({fmt::format("{} {}", name_of(Knob::max_retries, documents), default_max_retries),
                        [](scenario::Scenario& changed) {
                          set_thresholds(changed, [](auto& of) { of.max_retries = default_max_retries; });
                        }});
  }
  double busy = 0.0;
  double proxies = 0.0;
  double slowest = 0.0;
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    slowest = std::max(slowest, scenario::core_seconds(endpoint));
  }
  for (const scenario::ClientEntry& client : scenario.clients) {
    busy += client.workload.rate * client.count * slowest;
    proxies += client.zone_proxy ? 0.0 : client.count;
  }
  const auto limit = static_cast<std::uint32_t>(std::max(1.0, std::ceil(1.5 * busy / std::max(1.0, proxies))));
  remedies.push_back(
      {fmt::format("{} {}", name_of(Knob::max_requests, documents), limit), [limit](scenario::Scenario& changed) {
         set_thresholds(changed, [limit](auto& of) { of.max_requests = limit; });
       }});
  return remedies;
}

// Returns the smallest change with which the system recovers: as many retries as possible, by bisection, or the first
// of the other remedies; empty if none helps.
std::string fix_of(const Ending& ending) {
  const auto helps = [&](const Remedy& remedy) {
    Ending changed = ending;
    remedy.apply(changed.scenario);
    return watch(changed).recovers();
  };
  const Documents documents = documents_of(ending.scenario);
  std::uint32_t too_many = most_retries_of(ending.scenario);
  if (too_many > 0 && helps(at_most_retries(0, documents))) {
    std::uint32_t few_enough = 0;
    while (too_many - few_enough > 1) {
      const std::uint32_t middle = few_enough + (too_many - few_enough) / 2;
      (helps(at_most_retries(middle, documents)) ? few_enough : too_many) = middle;
    }
    return at_most_retries(few_enough, documents).text;
  }
  const std::vector<Remedy> others = limits_of_requests(ending.scenario, documents);
  const auto first = std::find_if(others.begin(), others.end(), helps);
  return first == others.end() ? "" : first->text;
}

Recovery simulated_recovery(const Ending& ending, bool with_fix) {
  Recovery recovery = watch(ending).recovery();
  if (with_fix && recovery.verdict == Recovery::Verdict::does_not_recover) {
    recovery.fix = fix_of(ending);
  }
  return recovery;
}

// True if the failure leaves nothing behind: every endpoint has enough cores, and no request fails at an endpoint.
bool leaves_nothing(const Row& row) {
  constexpr double utilisation_without_backlog = 0.95;
  const bool fails_at_endpoint = std::any_of(row.failing.begin(), row.failing.end(), [](const FailedRequests& of) {
    return of.causes.size() > 1 || of.first_cause() != Cause::no_host;
  });
  return row.utilisation.value_or(0.0) <= utilisation_without_backlog && !fails_at_endpoint &&
         std::none_of(row.estimates.begin(), row.estimates.end(),
                      [](const Estimate& estimate) { return estimate.failed > 0.0; });
}

}  // namespace

void add_recoveries(const Variants& variants, const Variant& variant, std::vector<Row>& rows) {
  double left = most_requests_of_all;
  bool fix_sought = false;
  for (Row& row : rows) {
    if (row.failure.endpoints.empty()) {
      continue;
    }
    if (leaves_nothing(row)) {
      row.recovery = Recovery{.verdict = Recovery::Verdict::recovers};
      continue;
    }
    const Simulated simulated = variants.simulated(variant, row.failure);
    left -= std::min(most_requests_of_one, requests_of(simulated));
    const auto ends = left < 0.0 ? std::nullopt : ending(simulated);
    if (!ends) {
      row.recovery = Recovery{.reason = left < 0.0 ? "too many requests to simulate every failure's end"
                                                   : "the end of this failure cannot be simulated"};
      continue;
    }
    row.recovery = simulated_recovery(*ends, !fix_sought);
    fix_sought = fix_sought || row.recovery->verdict == Recovery::Verdict::does_not_recover;
  }
}

}  // namespace spillway::plan
