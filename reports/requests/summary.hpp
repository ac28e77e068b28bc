// Summarizes a whole run in a few lines.
#pragma once

#include <string>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Returns "172 of 41,705 requests failed (0.41 %)", or "all 41,705 requests succeeded"; empty if none was sent.
[[nodiscard]] std::string failed_requests_text(const run::Results& results);

// Returns "requests: 40,012 sent, 40,012 ok", then outcomes that are not zero, ejections, latency. In exact mode it
// returns only requests without a host: "no host: 9.09 % of web -> backend, 5 - 10 s".
[[nodiscard]] std::vector<std::string> summary_lines(const scenario::Scenario& scenario, const run::Results& results);

}  // namespace spillway::reports
