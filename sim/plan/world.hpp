// A scenario at one time, with what its timeline has done by then.
//
//   World(scenario, 20s).has_trouble_beyond(World(scenario, 0s));   // something is down, lost, unhealthy or slow
//   ended_failure(scenario)->ends;                                  // from then on nothing is
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/scenario/forward.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {

// The actual state, and what EDS has reported to the proxies of each zone with clients.
class World {
 public:
  // Lifetime: `scenario` must outlive this object.
  World(const scenario::Scenario& scenario, std::chrono::nanoseconds at);

  // True if something is down, lost, unhealthy or slow in this world but not in `other`.
  [[nodiscard]] bool has_trouble_beyond(const World& other) const;

  // By EndpointIndex: true if the endpoint answers and belongs to some proxy's endpoint set.
  [[nodiscard]] std::vector<bool> present() const;

 private:
  [[nodiscard]] bool is_member(std::uint32_t service, std::uint32_t host) const;
  [[nodiscard]] bool is_worse(const World& other, std::uint32_t service, std::uint32_t host) const;

  const scenario::Scenario* scenario_;
  scenario::ActualState actual_;
  std::vector<scenario::EdsState> reported_;
};

struct EndedFailure {
  std::chrono::nanoseconds begins{0};
  std::chrono::nanoseconds ends{0};
};

// Returns the last time span in which the timeline has something down, lost, unhealthy or slow that is not so at the
// start. nullopt if there is none, if it lasts to the end, or if it began more than 64 times of changes before the
// end. O(changed times x scenario).
[[nodiscard]] std::optional<EndedFailure> ended_failure(const scenario::Scenario& scenario);

}  // namespace spillway::plan
