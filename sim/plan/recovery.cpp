#include "sim/plan/recovery.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/config/seconds.hpp"
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

// The requests of one interval.
struct Interval {
  double sent = 0.0;
  double failed = 0.0;
  double attempts = 0.0;
  std::map<scenario::Outcome, double> outcomes = {};

  [[nodiscard]] double failing() const { return sent > 0.0 ? failed / sent : 0.0; }
  // True if more requests fail than `usual`, beyond a hundredth and the error of counting.
  [[nodiscard]] bool is_bad(double usual) const {
    constexpr double tolerance = 0.01;
    return failed > sent * (usual + tolerance) + 3.0 * std::sqrt(failed);
  }
};

struct Watched {
  Interval before;
  std::vector<Interval> after;  // of equal lengths
};

constexpr std::size_t intervals = 24;

Watched watch(const Ending& ending) {
  Watched watched{.before = {}, .after = std::vector<Interval>(intervals)};
  run::Options options;
  options.mode = scenario::Mode::requests;
  const Nanoseconds length = (ending.scenario.duration - ending.ends) / static_cast<std::int64_t>(intervals);
  options.trace = [&](const run::TracedRequest& request) {
    Interval* interval = nullptr;
    if (request.sent_at >= ending.ends) {
      interval =
          &watched.after[std::min(intervals - 1, static_cast<std::size_t>((request.sent_at - ending.ends) / length))];
    } else if (request.sent_at < ending.begins && request.ended_at < ending.begins) {
      interval = &watched.before;
    }
    // Requests without a response at the end of the simulation are not counted as failed.
    if (interval == nullptr || request.outcome == scenario::Outcome::unfinished) {
      return;
    }
    interval->sent += 1.0;
    interval->attempts += request.attempts;
    if (request.outcome != scenario::Outcome::ok) {
      interval->failed += 1.0;
      interval->outcomes[request.outcome] += 1.0;
    }
  };
  (void)run::run(ending.scenario, options);
  return watched;
}

// Returns a quarter of the time after the failure, from 0 to 3, as one interval.
Interval quarter(const Watched& watched, std::size_t number) {
  Interval sum;
  for (std::size_t index = number * intervals / 4; index < (number + 1) * intervals / 4; ++index) {
    const Interval& of = watched.after[index];
    sum.sent += of.sent;
    sum.failed += of.failed;
    sum.attempts += of.attempts;
    for (const auto& [outcome, count] : of.outcomes) {
      sum.outcomes[outcome] += count;
    }
  }
  return sum;
}

bool recovers(const Watched& watched) {
  return !quarter(watched, 3).is_bad(watched.before.failing());
}

// Describes what most requests fail of, and the retries.
std::string cause_of(const Interval& interval) {
  const auto most = std::max_element(interval.outcomes.begin(), interval.outcomes.end(),
                                     [](const auto& left, const auto& right) { return left.second < right.second; });
  const auto words = [](scenario::Outcome outcome) -> std::string {
    switch (outcome) {
      case scenario::Outcome::timeout:
        return "time-outs";
      case scenario::Outcome::overflow:
        return "an overflowing circuit breaker";
      case scenario::Outcome::queue_full:
        return "full queues";
      case scenario::Outcome::no_healthy_upstream:
        return "a lack of healthy endpoints";
      default:
        return "failing endpoints";
    }
  };
  constexpr double retried = 1.2;
  const double attempts = interval.sent > 0.0 ? interval.attempts / interval.sent : 1.0;
  const std::string why = most == interval.outcomes.end() ? "failing endpoints" : words(most->first);
  return attempts > retried ? fmt::format("retries after {} ({:.1f} attempts per request)", why, attempts) : why;
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
  const auto set_limit = [](scenario::Scenario& changed, auto set) {
    for (std::size_t index = 0; index < changed.services.size(); ++index) {
      auto& thresholds = changed.services[index].cluster.circuit_breakers.thresholds;
      if (thresholds.empty()) {
        thresholds.emplace_back();
      }
      for (auto& of : thresholds) {
        set(of);
      }
    }
  };
  if (most_retries_of(scenario) > 0) {
    static constexpr std::uint32_t default_max_retries = 3;
    remedies.push_back({fmt::format("{} {}", name_of(Knob::max_retries, documents), default_max_retries),
                        [set_limit](scenario::Scenario& changed) {
                          set_limit(changed, [](auto& of) { of.max_retries = default_max_retries; });
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
  remedies.push_back({fmt::format("{} {}", name_of(Knob::max_requests, documents), limit),
                      [set_limit, limit](scenario::Scenario& changed) {
                        set_limit(changed, [limit](auto& of) { of.max_requests = limit; });
                      }});
  return remedies;
}

// Returns the smallest change with which the system recovers: as many retries as possible, by bisection, or the first
// of the other remedies; empty if none helps.
std::string fix_of(const Ending& ending) {
  const auto helps = [&](const Remedy& remedy) {
    Ending changed = ending;
    remedy.apply(changed.scenario);
    return recovers(watch(changed));
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
  const Watched watched = watch(ending);
  const double length = config::seconds(ending.scenario.duration - ending.ends);
  Recovery recovery;
  if (recovers(watched)) {
    recovery.verdict = Recovery::Verdict::recovers;
    for (std::size_t index = 0; index < intervals; ++index) {
      if (watched.after[index].is_bad(watched.before.failing())) {
        recovery.seconds = length * static_cast<double>(index + 1) / static_cast<double>(intervals);
      }
    }
    return recovery;
  }
  const Interval last = quarter(watched, 3);
  // Fewer requests fail than in the quarter before: a backlog is being worked off.
  constexpr double falling = 0.9;
  if (last.failing() < falling * quarter(watched, 2).failing()) {
    recovery.reason = fmt::format("fewer and fewer requests fail, but {:.3g} % still do {:.0f} s after the failure",
                                  100.0 * last.failing(), length);
    return recovery;
  }
  recovery.verdict = Recovery::Verdict::does_not_recover;
  recovery.watched = length;
  recovery.failing = last.failing();
  recovery.attempts = last.sent > 0.0 ? last.attempts / last.sent : 1.0;
  recovery.held_down_by = cause_of(last);
  recovery.fix = with_fix ? fix_of(ending) : "";
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
