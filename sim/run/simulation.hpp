// One run (simulation_loop.hpp has the loop).
//
//   Simulation simulation(scenario, options);
//   Results results = simulation.simulate();
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/run/requests/plain/way.hpp"
#include "sim/run/run.hpp"

namespace spillway::run {

class SimulationLoop;  // simulation_loop.hpp

class Simulation {
 public:
  // Prepares a run. Requests are simulated event by event, or by PlainSimulator if `plain` requests it and the scenario
  // allows it. The results are the same. Lifetime: the scenario must outlive this object.
  Simulation(const scenario::Scenario& scenario, const Options& options,
             std::optional<plain::Way> plain = std::nullopt);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Cuts the loads of endpoints at these times, of which the last is the end of the scenario, instead of at the tables'
  // epochs. Empty means the tables' epochs.
  void cut_loads_at(std::vector<Nanoseconds> ends);

  // Returns nullopt if PlainSimulator gave up.
  [[nodiscard]] std::optional<Results> try_to_simulate();
  // True if PlainSimulator simulates the requests.
  [[nodiscard]] bool simulates_plainly() const noexcept;
  // True if it gave up because of a failed request, which it never simulates.
  [[nodiscard]] bool met_failure() const noexcept;
  [[nodiscard]] Results simulate() { return *try_to_simulate(); }

 private:
  std::unique_ptr<SimulationLoop> loop_;
};

}  // namespace spillway::run
