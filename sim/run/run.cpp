#include "sim/run/run.hpp"

#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  {
    // A scope of its own, since there is one world at a time.
    Simulation simulation(scenario, options, PlainPlayer::Way::bounded);
    if (auto results = simulation.try_to_play()) {
      return *std::move(results);
    }
  }
  return Simulation(scenario, options, PlainPlayer::Way::calendar).play();
}

}  // namespace spillway::run
