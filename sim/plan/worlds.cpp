#include "sim/plan/worlds.hpp"

#include <algorithm>
#include <utility>

#include "sim/plan/moment.hpp"
#include "sim/run/exact_sum.hpp"
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

Loads Worlds::loads(const scenario::Scenario& still) {
  run::Options options;
  options.mode = scenario::Mode::exact;
  const run::Results exact = run::run(still, options);
  Loads loads = loads_of(still, exact);
  if (!run::all_exact(exact)) {
    options.mode = scenario::Mode::requests;
    loads = loads_of(still, run::run(still, options));
    loads.exact = false;
  }
  return loads;
}

}  // namespace spillway::plan
