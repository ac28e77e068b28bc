#include "sim/run/run.hpp"

#include "sim/run/simulation.hpp"

namespace spillway::run {

Results run(const scenario::Scenario& scenario, const Options& options) {
  return Simulation(scenario, options).play();
}

}  // namespace spillway::run
