// In which order happenings stand, however many parts of the scenario were simulated by themselves (run/parts).
//
//   order_groups(scenario, happenings.groups);
//   order_records(scenario, happenings.each);
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct EventGroup;   // event_log.hpp
struct EventRecord;  // event_log.hpp

// By the time of their first, those of one moment by what they are about.
void order_groups(const scenario::Scenario& scenario, std::vector<EventGroup>& groups);

// By time; of one moment what the author lets happen first, then by component (run/parts/components.hpp), and within
// one as it happened. `records`: those of one component, and the author's, in the order in which they happened.
void order_records(const scenario::Scenario& scenario, std::vector<EventRecord>& records);

}  // namespace spillway::run
