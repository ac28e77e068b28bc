#include "sim/run/simulation.hpp"

#include <utility>

#include "sim/run/simulation_loop.hpp"

namespace spillway::run {

Simulation::Simulation(const scenario::Scenario& scenario, const Options& options, std::optional<plain::Way> plain)
    : loop_(std::make_unique<SimulationLoop>(scenario, options, plain)) {}

Simulation::~Simulation() = default;

void Simulation::cut_loads_at(std::vector<Nanoseconds> ends) {
  loop_->cut_loads_at(std::move(ends));
}

std::optional<Results> Simulation::try_to_simulate() {
  return loop_->try_to_simulate();
}

bool Simulation::simulates_plainly() const noexcept {
  return loop_->simulates_plainly();
}

bool Simulation::met_failure() const noexcept {
  return loop_->met_failure();
}

}  // namespace spillway::run
