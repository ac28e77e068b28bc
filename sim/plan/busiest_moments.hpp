// The moments at which a scenario's clients send most, and which of them is the hardest to plan for.
//
//   BusiestMoments moments = plan::busiest_moments(scenario);
//   Nanoseconds at = plan::hardest_moment(base, moments, 1.0);
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "sim/plan/variants.hpp"

namespace spillway::scenario {
class ScenarioTemplate;  // scenario_template.hpp
}  // namespace spillway::scenario

namespace spillway::plan {

struct BusiestMoments {
  std::chrono::nanoseconds first{0};  // at which all clients together send most (moment.hpp)
  // That one, and others, in order: later ones at which something has just changed (endpoints, weights, priorities,
  // clients) and all send as much again; and the first ones at which those of a service, or of a zone, send more than
  // at any of these. Nothing is out, lost, ill or slow there that is not so at the first.
  std::vector<std::chrono::nanoseconds> all;
  // Others of that kind which the timeline itself makes worse so: a plan's failures would come on top.
  std::vector<std::chrono::nanoseconds> in_trouble = {};
};

// By EndpointIndex: true if it answers and belongs to some proxy's endpoint set at that moment.
[[nodiscard]] std::vector<bool> present_at(const scenario::Scenario& scenario, std::chrono::nanoseconds at);

// O((moments + services + zones) x (scenario + changes)). With recorded arrivals only their busiest moment.
[[nodiscard]] BusiestMoments busiest_moments(const scenario::Scenario& scenario);

// That of `all` whose requests can grow least under the scenario's failures until an objective fails; the first of
// equals. Of more than 16 moments those with the fewest endpoints are looked at. `base` has been read without an error.
[[nodiscard]] std::chrono::nanoseconds hardest_moment(const scenario::ScenarioTemplate& base,
                                                      const BusiestMoments& moments, double growth);

// The first of them (of more than 16: those with the fewest endpoints) at which an objective that follows from shares
// fails with these numbers of endpoints. None: all of them hold, or the file does not allow the numbers.
[[nodiscard]] std::optional<std::chrono::nanoseconds> moment_that_fails(const scenario::ScenarioTemplate& base,
                                                                        const BusiestMoments& moments, double growth,
                                                                        const Counts& counts);

// Of busiest_moments(base).
[[nodiscard]] std::chrono::nanoseconds hardest_moment(const scenario::ScenarioTemplate& base, double growth = 1.0);

}  // namespace spillway::plan
