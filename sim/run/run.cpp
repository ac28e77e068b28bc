#include "sim/run/run.hpp"

#include "sim/run/outcome_windows.hpp"
#include "sim/run/parts/part.hpp"
#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  return run_part(scenario, options, {});
}

namespace {

Results simulate(const scenario::Scenario& scenario, const Options& options,
                 const std::vector<Nanoseconds>& load_epochs) {
  // A sink must receive each event once, so an abandoned run must not write to it.
  const bool reported_once = options.logged_events && options.logged_events->sink;
  for (const plain::Way way : {plain::Way::bounded, plain::Way::calendar}) {
    if (reported_once && way == plain::Way::bounded) {
      continue;
    }
    // Ends the simulation before the next begins: only one world can exist at a time.
    Simulation simulation(scenario, options, way);
    simulation.cut_loads_at(load_epochs);
    if (auto results = simulation.try_to_simulate()) {
      return *std::move(results);
    }
    if (simulation.met_failure()) {
      break;
    }
  }
  Simulation simulation(scenario, options);
  simulation.cut_loads_at(load_epochs);
  return simulation.simulate();
}

}  // namespace

Results run_part(const scenario::Scenario& scenario, const Options& options,
                 const std::vector<Nanoseconds>& load_epochs) {
  Results results = simulate(scenario, options, load_epochs);
  results.outcomes_in_windows = outcomes_in_windows(scenario, options, results);
  return results;
}

}  // namespace spillway::run
