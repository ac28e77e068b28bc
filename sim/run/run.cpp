#include "sim/run/run.hpp"

#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  // Whoever is told of happenings is told once: not of a run that is given up.
  if (!options.happenings || !options.happenings->sink) {
    // A scope of its own, since there is one world at a time.
    Simulation simulation(scenario, options, PlainPlayer::Way::bounded);
    if (auto results = simulation.try_to_play()) {
      return *std::move(results);
    }
  }
  return Simulation(scenario, options, PlainPlayer::Way::calendar).play();
}

}  // namespace spillway::run
