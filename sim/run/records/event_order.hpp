// The order of events, independent of how many parts of the scenario were simulated separately (run/parts).
//
//   order_groups(scenario, happenings.groups);
//   order_records(scenario, happenings.each);
#pragma once

#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct EventGroup;   // event_log.hpp
struct EventRecord;  // event_log.hpp

// Sorts groups by the time of their first event; at equal times by their subject.
void order_groups(const scenario::Scenario& scenario, std::vector<EventGroup>& groups);

// Sorts by time; at equal times timeline changes first, then by component (run/parts/components.hpp), and within one
// component as they happened. Precondition: `records` of one component, and of the timeline, are in the order in which
// they happened.
void order_records(const scenario::Scenario& scenario, std::vector<EventRecord>& records);

}  // namespace spillway::run
