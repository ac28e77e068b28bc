// A scenario's worlds: with other numbers of endpoints, other settings, and what fails.
//
//   Worlds worlds(base, at, growth);
//   auto world = worlds.with({});                      // the file's own numbers of endpoints
//   scenario::Scenario still = worlds.still(*world, world->failures[1]);
//   Loads loads = Worlds::loads(still);
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/plan/failures.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/scenario/scenario_template.hpp"

namespace spillway::plan {

using Counts = std::map<scenario::GroupPlace, std::uint32_t>;

// What somebody may set otherwise, in all services at once.
struct Settings {
  std::optional<std::uint32_t> overprovisioning_factor = {};
  std::optional<double> healthy_panic_threshold = {};  // percent
};
void apply(const Settings& settings, scenario::Scenario& scenario);

// The scenario with some numbers of endpoints, and what may fail in it.
struct World {
  Counts counts;
  scenario::Scenario scenario;  // nothing fails
  std::vector<Failure> failures;
};

class Worlds {
 public:
  // `base` must outlive this and have been read without an error.
  Worlds(const scenario::ScenarioTemplate& base, std::chrono::nanoseconds at, double growth)
      : base_(&base), at_(at), growth_(growth) {}

  // Nothing if the file does not allow these numbers.
  [[nodiscard]] std::optional<World> with(const Counts& counts) const;

  // The moment with this failure, held still (moment.hpp). `growth`: times that of all requests.
  [[nodiscard]] scenario::Scenario still(const World& world, const Failure& failure, double growth = 1.0) const;

  // Exact where there are closed forms, else counted in one run.
  [[nodiscard]] static Loads loads(const scenario::Scenario& still);

 private:
  const scenario::ScenarioTemplate* base_;
  std::chrono::nanoseconds at_;
  double growth_;
};

}  // namespace spillway::plan
