// What a scenario's author lets happen, and what proxies found out, as marks on a time axis.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/scenario/nanoseconds.hpp"

namespace spillway::run {
struct Events;  // event_log.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

struct Mark {
  scenario::Nanoseconds at{0};
  std::string text;  // "node z1-4 fails, zone-1 - zone-2: latency 6 ms"
};

// One for each moment at which something happens, by time: outages, failures, slow endpoints, links, answers to checks,
// phases of workloads, pushes of endpoint sets and weights. What proxies are told of health is not among them: the
// strip of health shows it.
[[nodiscard]] std::vector<Mark> marks_of(const scenario::Scenario& scenario);

// One for each kind of happening that a summary would name, where it happened first: at most `most`, those that
// happened most often, by time.
[[nodiscard]] std::vector<Mark> marks_of(const scenario::Scenario& scenario, const run::Events& logged_events,
                                         std::size_t most = 6);

}  // namespace spillway::reports::plot
