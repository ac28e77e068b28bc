#include "sim/plan/worlds.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "sim/plan/moment.hpp"
#include "sim/run/exact_sum.hpp"
#include "sim/run/fork_pool.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/results_bytes.hpp"
#include "sim/run/run.hpp"

namespace spillway::plan {
void apply(const Settings& settings, scenario::Scenario& scenario) {
  for (scenario::Service& service : scenario.services) {
    if (settings.overprovisioning_factor) {
      service.load_assignment.overprovisioning_factor = *settings.overprovisioning_factor;
    }
    if (settings.healthy_panic_threshold) {
      service.cluster.common_lb_config.healthy_panic_threshold = {*settings.healthy_panic_threshold};
    }
  }
}

std::optional<World> Worlds::with(const Counts& counts) const {
  auto scenario = base_->vary({.counts = counts});
  if (!scenario) {
    return std::nullopt;
  }
  World world{counts, *std::move(scenario), {}};
  world.failures = failures_of(world.scenario).all;
  return world;
}

scenario::Scenario Worlds::still(const World& world, const Failure& failure, double growth) const {
  auto scenario = base_->vary({.counts = world.counts, .changes = changes_of(world.scenario, failure, at_)});
  // The numbers of endpoints were accepted, and changes refuse nothing.
  return at_moment(*std::move(scenario), at_, growth_ * growth);
}

Played Worlds::played(const World& world, const Failure& failure, double growth) const {
  // No line of a file, which what follows from these changes in the views of a mesh takes over.
  constexpr std::uint32_t no_line = 0;
  std::vector<scenario::Change> changes = changes_of(world.scenario, failure, at_);
  for (scenario::Change& change : changes) {
    change.where.line = no_line;
  }
  auto varied = base_->vary({.counts = world.counts, .changes = std::move(changes)});
  const auto is_failing = [&](const scenario::Change& change) { return change.where.line == no_line; };
  std::vector<scenario::Change> failing;
  std::copy_if(varied->changes.begin(), varied->changes.end(), std::back_inserter(failing), is_failing);
  std::erase_if(varied->changes, is_failing);
  Played played{at_moment(*std::move(varied), at_, growth_ * growth)};
  if (failing.empty()) {
    return played;
  }
  const std::chrono::nanoseconds warm_up = played.scenario.duration;
  for (scenario::Change& change : failing) {
    change.at = warm_up;
    played.scenario.changes.push_back(std::move(change));
  }
  played.scenario.duration += warm_up;
  played.measured_from = warm_up;
  return played;
}

Loads Worlds::counted(const Played& played) const {
  const auto play = [&](std::size_t replication) {
    run::Options options;
    options.mode = scenario::Mode::requests;
    options.seed = run::seed_of_replication(played.scenario.seed, static_cast<std::uint32_t>(replication));
    options.measured_from = played.measured_from;
    return run::results_to_bytes(run::run(played.scenario, options));
  };
  std::vector<run::Results> results;
  std::vector<Loads> replications;
  for (const run::ForkedAnswer& answer : run::fork_map(effort_.replications, effort_.jobs, play)) {
    if (!answer.succeeded) {
      throw std::runtime_error("a replication of the plan: " + answer.failure);
    }
    results.push_back(run::results_from_bytes(answer.bytes));
    replications.push_back(loads_of(played.scenario, results.back(), played.measured_from));
  }
  Loads loads = loads_of(played.scenario, run::summarise(results), played.measured_from);
  loads.replications = std::move(replications);
  return loads;
}

Loads Worlds::loads(const World& world, const Failure& failure, const scenario::Scenario& still,
                    const Settings& settings) const {
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results exact = run::run(still, options);
  Loads loads = loads_of(still, exact);
  if (run::all_exact(exact) && first_attempts_suffice(still, loads)) {
    return loads;
  }
  Played to_play = played(world, failure);
  apply(settings, to_play.scenario);
  return counted(to_play);
}

}  // namespace spillway::plan
