// Event-log records for changes written in the scenario's timeline.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct EventRecord;  // event_log.hpp

// Returns the record of a change, by its position in Scenario::changes. Returns nullopt if another change at the same
// time already yields the record: a push to a service covers its Views, and removing an endpoint implies its health
// update. O(changes at that time).
[[nodiscard]] std::optional<EventRecord> authored_event(const scenario::Scenario& scenario, std::uint32_t change);

// Returns the endpoints that an effect applies to: its hosts, or what runs on its node. Empty for link and rate
// changes. Zone proxies are excluded.
[[nodiscard]] std::vector<config::EndpointIndex> endpoints_of(const scenario::Scenario& scenario,
                                                              const scenario::Effect& effect);

// Returns the times of changes except the start, ascending: the times at which rows may begin.
[[nodiscard]] std::vector<Nanoseconds> authored_moments(const scenario::Scenario& scenario);
// Returns only times at which actual state changes. EDS pushes are excluded because they already start a row.
[[nodiscard]] std::vector<Nanoseconds> moments_of_real_changes(const scenario::Scenario& scenario);

}  // namespace spillway::run
