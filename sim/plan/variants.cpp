#include "sim/plan/variants.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "models/config/seconds.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/plan/cause_of_failure.hpp"
#include "sim/plan/connections.hpp"
#include "sim/plan/cut_off.hpp"
#include "sim/plan/equal_picks.hpp"
#include "sim/plan/load_limits.hpp"
#include "sim/plan/moment.hpp"
#include "sim/plan/state_before.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/fork_results.hpp"
#include "sim/run/records/results_bytes.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/run/stopping.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::plan {
void apply(const Settings& settings, scenario::Scenario& scenario) {
  if (!settings.overprovisioning_factor && !settings.healthy_panic_threshold && !settings.max_ejection_percent &&
      !settings.one_priority) {
    return;
  }
  for (std::size_t index = 0; index < scenario.services.size(); ++index) {
    scenario::Service& service = scenario.services[index];
    if (settings.overprovisioning_factor) {
      service.load_assignment.overprovisioning_factor = *settings.overprovisioning_factor;
    }
    if (settings.healthy_panic_threshold) {
      service.cluster.common_lb_config.healthy_panic_threshold = {*settings.healthy_panic_threshold};
    }
    if (settings.max_ejection_percent && service.cluster.outlier_detection) {
      service.cluster.outlier_detection->max_ejection_percent = *settings.max_ejection_percent;
    }
    for (config::LocalityLbEndpoints& locality : service.load_assignment.endpoints) {
      locality.priority = settings.one_priority ? config::Priority{0} : locality.priority;
    }
  }
}

std::optional<Variant> Variants::with(const Counts& counts) const {
  auto scenario = base_->vary({.counts = counts});
  if (!scenario) {
    return std::nullopt;
  }
  Variant variant{counts, *std::move(scenario), {}, std::make_shared<ChangesOfFailures>()};
  variant.failures = failures_of(variant.scenario).all;
  return variant;
}

namespace {

// Marks changes without a line in a file. Derived changes in the views of a mesh inherit this.
constexpr std::uint32_t no_line = 0;

bool same(const Failure& one, const Failure& other) {
  return one.name == other.name && one.endpoints == other.endpoints && one.degraded == other.degraded &&
         one.slowness == other.slowness && one.fails == other.fails && one.reported == other.reported &&
         one.silent == other.silent;
}

bool has_views(const scenario::Scenario& scenario) {
  return std::any_of(scenario.services.begin(), scenario.services.end(),
                     [](const scenario::Service& service) { return service.as_view.has_value(); });
}

// True if some change is reported to the clients of some zones only.
bool reports_to_some(const scenario::Scenario& scenario) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [](const scenario::Change& change) {
    return std::visit(
        [](const auto& effect) {
          if constexpr (requires { effect.audience; }) {
            return !effect.audience.empty();
          } else {
            return false;
          }
        },
        change.effect);
  });
}

}  // namespace

ChangesOfFailures Variants::read_changes(const Variant& variant) const {
  constexpr std::size_t most_failures = 1000;
  ChangesOfFailures all(variant.failures.size());
  if (variant.failures.size() > most_failures || reports_to_some(variant.scenario)) {
    return all;
  }
  const StateBefore before(variant.scenario, at_ + std::chrono::nanoseconds{1});
  std::vector<scenario::Change> in_turn;
  for (std::uint32_t failure = 0; failure < variant.failures.size(); ++failure) {
    std::vector<scenario::Change> changes = changes_of(variant.scenario, variant.failures[failure], at_);
    std::vector<scenario::Change> back;
    for (scenario::Change& change : changes) {
      change.where = {.line = no_line, .column = 2 * failure};
      auto undone = before.undone(change.effect);
      if (!undone) {
        return all;
      }
      back.push_back({change.at, *std::move(undone), {.line = no_line, .column = 2 * failure + 1}});
    }
    std::move(changes.begin(), changes.end(), std::back_inserter(in_turn));
    std::move(back.rbegin(), back.rend(), std::back_inserter(in_turn));
  }
  auto varied = base_->vary({.counts = variant.counts, .changes = std::move(in_turn)});
  if (!varied) {
    return all;
  }
  std::size_t of_file = 0;
  for (scenario::Change& change : varied->changes) {
    if (change.where.line != no_line) {
      ++of_file;
    } else if (change.where.column % 2 == 0) {
      auto& own = all[change.where.column / 2];
      own = own ? std::move(own) : std::vector<scenario::Change>{};
      own->push_back(std::move(change));
    }
  }
  // Something beside the views follows from failures, such as assignments that become stale.
  if (of_file != variant.scenario.changes.size()) {
    return ChangesOfFailures(variant.failures.size());
  }
  for (auto& own : all) {
    own = own ? std::move(own) : std::vector<scenario::Change>{};
  }
  return all;
}

std::optional<std::vector<scenario::Change>> Variants::known_changes(const Variant& variant,
                                                                     const Failure& failure) const {
  if (!has_views(variant.scenario)) {
    return changes_of(variant.scenario, failure, at_);
  }
  const auto place = std::find_if(variant.failures.begin(), variant.failures.end(),
                                  [&](const Failure& of) { return same(of, failure); });
  if (place == variant.failures.end()) {
    return std::nullopt;
  }
  if (variant.changes->empty()) {
    *variant.changes = read_changes(variant);
  }
  return (*variant.changes)[static_cast<std::size_t>(place - variant.failures.begin())];
}

Variants::Failing Variants::failing(const Variant& variant, const Failure& failure) const {
  if (auto changes = known_changes(variant, failure)) {
    return {variant.scenario, *std::move(changes)};
  }
  std::vector<scenario::Change> changes = changes_of(variant.scenario, failure, at_);
  for (scenario::Change& change : changes) {
    change.where.line = no_line;
  }
  // The endpoint counts were accepted, and changes reject nothing.
  Failing failing{*base_->vary({.counts = variant.counts, .changes = std::move(changes)}), {}};
  const auto is_failing = [&](const scenario::Change& change) { return change.where.line == no_line; };
  std::copy_if(failing.scenario.changes.begin(), failing.scenario.changes.end(), std::back_inserter(failing.changes),
               is_failing);
  std::erase_if(failing.scenario.changes, is_failing);
  return failing;
}

scenario::Scenario Variants::still(const Variant& variant, const Failure& failure, double growth) const {
  Failing failing = this->failing(variant, failure);
  std::vector<scenario::Change>& changes = failing.scenario.changes;
  const auto later =
      std::find_if(changes.begin(), changes.end(), [&](const scenario::Change& change) { return change.at > at_; });
  changes.insert(later, std::make_move_iterator(failing.changes.begin()),
                 std::make_move_iterator(failing.changes.end()));
  spread_recorded_arrivals(failing.scenario, at_);
  scenario::Scenario still = at_moment(std::move(failing.scenario), at_, growth_ * growth);
  open_loops(still);
  return still;
}

Simulated Variants::simulated(const Variant& variant, const Failure& failure, double growth) const {
  auto [varied, failing] = this->failing(variant, failure);
  spread_recorded_arrivals(varied, at_);
  Simulated simulated{at_moment(std::move(varied), at_, growth_ * growth)};
  scale_users(simulated.scenario);
  if (failing.empty()) {
    return simulated;
  }
  const std::chrono::nanoseconds warm_up = simulated.scenario.duration;
  for (scenario::Change& change : failing) {
    change.at = warm_up;
    simulated.scenario.changes.push_back(std::move(change));
  }
  simulated.scenario.duration += warm_up;
  simulated.measured_from = warm_up;
  return simulated;
}

std::chrono::nanoseconds longest_interval(const scenario::Scenario& scenario) {
  std::chrono::nanoseconds longest{0};
  for (const scenario::Service& service : scenario.services) {
    for (const config::HealthCheck& check : service.cluster.health_checks) {
      longest = std::max(longest, config::CheckIntervals(check).interval);
    }
    if (service.cluster.outlier_detection) {
      longest = std::max(longest, service.cluster.outlier_detection->interval);
    }
  }
  return longest;
}

Simulated in_phase(Simulated simulated, std::size_t replication) {
  const std::chrono::nanoseconds interval = longest_interval(simulated.scenario);
  return in_phase(std::move(simulated), replication, interval);
}

Simulated in_phase(Simulated simulated, std::size_t replication, std::chrono::nanoseconds interval) {
  if (simulated.measured_from == std::chrono::nanoseconds{0} || interval == std::chrono::nanoseconds{0}) {
    return simulated;
  }
  // Multiples of the golden ratio: any run of consecutive ones is evenly spread.
  constexpr double golden = 0.6180339887498949;
  const double turns = 0.5 + golden * static_cast<double>(replication);
  const auto phase = std::chrono::nanoseconds{
      static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(interval.count()))};
  const std::chrono::nanoseconds now = simulated.measured_from % interval;
  const std::chrono::nanoseconds later = phase >= now ? phase - now : phase - now + interval;
  for (scenario::Change& change : simulated.scenario.changes) {
    change.at += change.at >= simulated.measured_from ? later : std::chrono::nanoseconds{0};
  }
  simulated.scenario.duration += later;
  simulated.measured_from += later;
  return simulated;
}

run::Options simulated_with(run::Options options, const Simulated& simulated, std::size_t replication) {
  options.mode = scenario::Mode::requests;
  options.seed = run::seed_of_replication(simulated.scenario.seed, static_cast<std::uint32_t>(replication));
  options.measured_from = simulated.measured_from;
  return options;
}

namespace {

bool refuses_connections(Cause cause) {
  return cause == Cause::panic || cause == Cause::lost || cause == Cause::link;
}

// True if requests with this outcome count as this cause. Refused connections are attributed to lost endpoints and
// links, if there are any.
bool is_cause(Cause cause, scenario::Outcome outcome, bool refused_by_lost) {
  if (outcome == scenario::Outcome::connect_failure && refused_by_lost) {
    return refuses_connections(cause);
  }
  return outcome != scenario::Outcome::ok && cause == cause_of_failure(outcome);
}

}  // namespace

double requests_of(const Simulated& simulated) {
  return rate_at(simulated.scenario, std::chrono::nanoseconds{0}) * config::seconds(simulated.scenario.duration);
}

Simulated shortened(Simulated simulated, double most_requests) {
  const double least = 2.0 * config::seconds(longest_interval(simulated.scenario)) /
                       config::seconds(simulated.scenario.duration - simulated.measured_from);
  const double part = std::max(most_requests / requests_of(simulated), least);
  if (part >= 1.0) {
    return simulated;
  }
  const auto scaled = [&](std::chrono::nanoseconds time) {
    return std::chrono::nanoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * part)};
  };
  const std::chrono::nanoseconds before = simulated.measured_from;
  for (scenario::Change& change : simulated.scenario.changes) {
    change.at -= change.at >= before ? before - scaled(before) : std::chrono::nanoseconds{0};
  }
  simulated.measured_from = scaled(before);
  simulated.scenario.duration = scaled(simulated.scenario.duration);
  return simulated;
}

namespace {

// Runs `count` replications from `first` on.
std::vector<run::Results> some_replications(const Simulated& simulated, std::size_t first, std::size_t count,
                                            const Effort& effort,
                                            const std::vector<std::chrono::nanoseconds>& latency_limits) {
  if (const double requests = requests_of(simulated); requests > effort.most_requests) {
    throw TooManyRequests(requests);
  }
  const auto simulate = [&](std::size_t index) {
    const Simulated own = in_phase(simulated, first + index);
    run::Options options = simulated_with({}, own, first + index);
    options.latency_limits = latency_limits;
    return run::results_to_bytes(run::run(own.scenario, options));
  };
  try {
    return run::fork_results(count, effort.jobs, simulate, run::results_from_bytes, "a replication of the plan");
  } catch (const std::runtime_error&) {
    if (run::stop_requested()) {
      throw Stopped{};
    }
    throw;
  }
}

}  // namespace

std::vector<run::Results> replications_of(const Simulated& simulated, const Effort& effort,
                                          const std::vector<std::chrono::nanoseconds>& latency_limits) {
  return some_replications(simulated, effort.first, effort.replications, effort, latency_limits);
}

void each_batch(const Simulated& simulated, const Effort& effort,
                const std::vector<std::chrono::nanoseconds>& latency_limits,
                const std::function<bool(const std::vector<run::Results>&)>& enough) {
  constexpr std::uint32_t batch = 2;
  for (std::uint32_t first = 0; first < effort.replications; first += batch) {
    const std::uint32_t count = std::min(batch, effort.replications - first);
    if (enough(some_replications(simulated, effort.first + first, count, effort, latency_limits))) {
      return;
    }
  }
}

void Variants::order_in_time(const Simulated& of_plan, std::vector<FailedRequests>& failing) {
  const Simulated simulated = in_phase(of_plan, 0);
  using Flow = std::pair<config::ClientEntryIndex, config::ServiceIndex>;
  std::map<Flow, std::map<scenario::Outcome, std::chrono::nanoseconds>> first;
  run::Options options = simulated_with({}, simulated, 0);
  options.trace = [&](const run::TracedRequest& request) {
    if (request.outcome != scenario::Outcome::ok && request.sent_at >= simulated.measured_from) {
      auto& at = first[{request.client, request.service}].try_emplace(request.outcome, request.ended_at).first->second;
      at = std::min(at, request.ended_at);
    }
  };
  (void)run::run(simulated.scenario, options);
  for (FailedRequests& of : failing) {
    const bool refused_by_lost = std::any_of(of.causes.begin(), of.causes.end(),
                                             [](const CausePart& part) { return refuses_connections(part.cause); });
    const auto happened = [&](const CausePart& part) {
      auto earliest = std::chrono::nanoseconds::max();
      for (const auto& [outcome, at] : first[{of.client, of.service}]) {
        earliest = is_cause(part.cause, outcome, refused_by_lost) ? std::min(earliest, at) : earliest;
      }
      return earliest;
    };
    numeric::stable_sort(
        of.causes, [&](const CausePart& left, const CausePart& right) { return happened(left) < happened(right); });
  }
}

Loads Variants::counted(const Simulated& simulated, const Decides& decides) const {
  std::vector<run::Results> results;
  std::vector<Loads> replications;
  Loads loads;
  const auto add = [&](std::vector<run::Results> more) {
    for (run::Results& of : more) {
      replications.push_back(loads_of(simulated.scenario, of, simulated.measured_from));
      results.push_back(std::move(of));
    }
    loads = loads_of(simulated.scenario, run::summarise(results), simulated.measured_from);
    loads.replications = replications;
  };
  if (!decides) {
    add(replications_of(simulated, effort_));
    return loads;
  }
  each_batch(simulated, effort_, {}, [&](const std::vector<run::Results>& more) {
    add(more);
    return decides(loads);
  });
  return loads;
}

// True if the failure makes clients reopen connections to zone proxies. The round-robin position is then arbitrary.
bool Variants::reopens(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                       const run::Results& exact, const Settings& settings) const {
  if (failure.endpoints.empty()) {
    return false;
  }
  scenario::Scenario whole = this->still(variant, variant.failures.front());
  apply(settings, whole);
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results before = run::run(whole, options);
  return connections_reopen(Connections(whole, before, rates_of_flows(whole)),
                            Connections(still, exact, rates_of_flows(still)));
}

namespace {

// True if every row has an exact share, or one at rest that is the mean over connections, or no request of its flow is
// answered, so that it does not matter which of the lost endpoints gets which part of them. Proxies that find out
// themselves have causes of failure one after the other, which are counted.
bool are_exact(const scenario::Scenario& still, const run::Results& exact, const Loads& loads) {
  if (run::all_exact_over_connections(exact)) {
    return true;
  }
  const auto lost = unanswered(still, loads.failing);
  const auto finds_out = [&](config::ServiceIndex service) {
    for (std::uint32_t index = 0; index < still.services.size(); ++index) {
      if (scenario::asked_for(still, {index}) == service && run::ClusterWatch::needed(still.services[index].cluster)) {
        return true;
      }
    }
    return false;
  };
  const auto& blocks = exact.shares.blocks();
  return !lost.empty() && std::all_of(blocks.begin(), blocks.end(), [&](const run::ShareBlock& block) {
    bool known = true;
    block.for_each([&](const run::ShareCell& row) { known = known && run::is_exact_over_connections(row); });
    return known || (lost.contains({block.client, block.service}) && !finds_out(block.service));
  });
}

}  // namespace

Variants Variants::with_own_picks() const {
  Variants variants = *this;
  variants.own_picks_ = true;
  return variants;
}

void Variants::bill_whole_scenario(const Failure& failure, const scenario::Scenario& still, Loads& loads) const {
  if (!failure.endpoints.empty() || !failure.silent.empty() || loads.cost().value_or(1.0) == 0.0) {
    return;
  }
  const scenario::Scenario& whole = *base_->reading().scenario;
  const std::map<std::pair<std::uint32_t, std::uint32_t>, double> flows = rates_of_flows(still);
  std::map<std::uint32_t, double> peak_of_client;
  for (const auto& [flow, rate] : flows) {
    peak_of_client[flow.first] += rate;
  }
  std::vector<double> peak(loads.services.size(), 0.0);
  std::vector<double> mean(loads.services.size(), 0.0);
  for (const auto& [client, peak_rate] : peak_of_client) {
    Entries only(whole.clients.size(), false);
    only[client] = true;
    const double part = peak_rate > 0.0 ? mean_rate(whole, only) * growth_ / peak_rate : 0.0;
    for (auto flow = flows.lower_bound({client, 0}); flow != flows.end() && flow->first.first == client; ++flow) {
      peak[flow->first.second] += flow->second;
      mean[flow->first.second] += flow->second * part;
    }
  }
  const auto bill = [&](Loads& of) {
    for (std::size_t service = 0; service < of.services.size(); ++service) {
      if (of.services[service].cost && peak[service] > 0.0) {
        *of.services[service].cost *= mean[service] / peak[service];
      }
    }
  };
  bill(loads);
  for (Loads& replication : loads.replications) {
    bill(replication);
  }
}

namespace {

// True if endpoints are so slow that proxies with outlier detection may eject them for requests that time out.
bool may_be_ejected(const Failure& failure, const scenario::Scenario& still, const Loads& loads) {
  const bool ejects = std::any_of(still.services.begin(), still.services.end(), [](const scenario::Service& service) {
    return service.cluster.outlier_detection.has_value();
  });
  if (!ejects || failure.slowness <= 1.0) {
    return false;
  }
  const LoadLimits limits(still, loads);
  for (std::uint32_t service = 0; service < loads.rates_by_service.size(); ++service) {
    if (loads.rates_by_service[service].are_requested() && limits.growth_to({service}) <= 1.0) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<Loads> Variants::loads_by_shares(const Variant& variant, const Failure& failure,
                                               const scenario::Scenario& still, const Settings& settings) const {
  if (run::stop_requested()) {
    throw Stopped{};
  }
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results exact = run::run(still, options);
  Loads loads = loads_of(still, exact);
  if (may_be_ejected(failure, still, loads)) {
    return std::nullopt;
  }
  if (are_exact(still, exact, loads) && loads.connections_even && first_attempts_suffice(still, loads) &&
      (run::all_exact(exact) || !reopens(variant, failure, still, exact, settings))) {
    bill_whole_scenario(failure, still, loads);
    return loads;
  }
  if (auto equal = own_picks_ ? std::nullopt : loads_of_equal_picks(still)) {
    bill_whole_scenario(failure, still, *equal);
    return equal;
  }
  return std::nullopt;
}

Loads Variants::loads(const Variant& variant, const Failure& failure, const scenario::Scenario& still,
                      const Settings& settings, const Decides& decides) const {
  if (auto by_shares = loads_by_shares(variant, failure, still, settings)) {
    return *std::move(by_shares);
  }
  Simulated to_simulate = shortened(simulated(variant, failure), effort_.enough_requests);
  apply(settings, to_simulate.scenario);
  Loads loads = counted(to_simulate, decides);
  bill_whole_scenario(failure, still, loads);
  return loads;
}

}  // namespace spillway::plan
