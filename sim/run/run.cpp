#include "sim/run/run.hpp"

#include "sim/run/outcome_windows.hpp"
#include "sim/run/parts/part.hpp"
#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  return run_part(scenario, options, {});
}

namespace {

Results play(const scenario::Scenario& scenario, const Options& options, const std::vector<Nanoseconds>& load_epochs) {
  // Whoever is told of happenings is told once: not of a run that is given up.
  const bool told_once = options.happenings && options.happenings->sink;
  for (const PlainPlayer::Way way : {PlainPlayer::Way::bounded, PlainPlayer::Way::calendar}) {
    if (told_once && way == PlainPlayer::Way::bounded) {
      continue;
    }
    // A scope of its own, since there is one world at a time.
    Simulation simulation(scenario, options, way);
    simulation.cut_loads_at(load_epochs);
    if (auto results = simulation.try_to_play()) {
      return *std::move(results);
    }
    if (simulation.met_failure()) {
      break;
    }
  }
  Simulation simulation(scenario, options);
  simulation.cut_loads_at(load_epochs);
  return simulation.play();
}

}  // namespace

Results run_part(const scenario::Scenario& scenario, const Options& options,
                 const std::vector<Nanoseconds>& load_epochs) {
  Results results = play(scenario, options, load_epochs);
  results.outcomes_in_windows = outcomes_in_windows(scenario, options, results);
  return results;
}

}  // namespace spillway::run
