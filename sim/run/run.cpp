#include "sim/run/run.hpp"

#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  // Whoever is told of happenings is told once: not of a run that is given up.
  const bool told_once = options.happenings && options.happenings->sink;
  for (const PlainPlayer::Way way : {PlainPlayer::Way::bounded, PlainPlayer::Way::calendar}) {
    if (told_once && way == PlainPlayer::Way::bounded) {
      continue;
    }
    // A scope of its own, since there is one world at a time.
    Simulation simulation(scenario, options, way);
    if (auto results = simulation.try_to_play()) {
      return *std::move(results);
    }
    if (simulation.met_failure()) {
      break;
    }
  }
  return Simulation(scenario, options).play();
}

}  // namespace spillway::run
