// Turns a scenario's changes and the events of proxies into marks on a time axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/scenario/nanoseconds.hpp"

namespace spillway::reports::plot {

struct Mark {
  scenario::Nanoseconds at{0};
  std::string text;  // as in the log of events: "node z1-4 fails"
};

// Returns one mark for each time with changes, by time: outages, failures, slow endpoints, links, responses to checks,
// phases of workloads, pushes of endpoint sets and weights. Health reported by EDS is excluded: the strip of health
// shows it.
[[nodiscard]] std::vector<Mark> marks_of(const scenario::Scenario& scenario);

// Returns one mark for each kind of event that a summary would name, at its first occurrence. It keeps the `most` most
// frequent kinds, by time.
[[nodiscard]] std::vector<Mark> marks_of(const scenario::Scenario& scenario, const run::Events& logged_events,
                                         std::size_t most = 6);

}  // namespace spillway::reports::plot
