// What a whole run came to, in a few lines.
#pragma once

#include <string>
#include <vector>

#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

// "requests: 40,012 sent, 40,012 ok", then outcomes that are not zero, ejections, latency. Nothing in exact mode.
[[nodiscard]] std::vector<std::string> summary_lines(const scenario::Scenario& scenario, const run::Results& results);

}  // namespace spillway::reports
