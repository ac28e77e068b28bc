// What the scenario's author lets happen, for the log of happenings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct EventRecord;  // event_log.hpp

// The record of a change, by its position in Scenario::changes. None where another one of the same moment says so
// already: views are told with the service that they are of, and what proxies are told to be gone is gone. Linear in
// the changes of that moment.
[[nodiscard]] std::optional<EventRecord> authored_event(const scenario::Scenario& scenario, std::uint32_t change);

// Whom an effect is about: its hosts, or what runs on its node; none for links and rates. Hosts that forward are left
// out.
[[nodiscard]] std::vector<config::EndpointIndex> endpoints_of(const scenario::Scenario& scenario,
                                                              const scenario::Effect& effect);

// The moments at which something changes, but the start, ascending: where rows may begin.
[[nodiscard]] std::vector<Nanoseconds> authored_moments(const scenario::Scenario& scenario);
// Those alone of them at which something really changes, and is not only told to proxies, which begins rows anyway.
[[nodiscard]] std::vector<Nanoseconds> moments_of_real_changes(const scenario::Scenario& scenario);

}  // namespace spillway::run
