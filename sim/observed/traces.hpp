// Times of single requests from an access log, in the form of a workload's `trace`.
//
//   const Traces traces = traces_of(log, clusters_of);
//   trace_text(traces.of.at("backend"));   // "time\n0\n0.25\n"
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "sim/observed/access_log.hpp"

namespace spillway::observed {

struct Traces {
  std::map<std::string, std::vector<std::chrono::nanoseconds>> of = {};  // by cluster: since the log's first request
  std::chrono::nanoseconds length{0};  // covers the last request of all; in whole milliseconds
};

// Returns the times of requests with a start time, sorted, by cluster: the one named in the log, else the only cluster
// with the address. `clusters_of` maps addresses to their clusters. O(n log n).
[[nodiscard]] Traces traces_of(const AccessLog& log,
                               const std::map<std::string, std::vector<std::string>>& clusters_of);

// Returns a trace file: one line per request with its time [s].
[[nodiscard]] std::string trace_text(const std::vector<std::chrono::nanoseconds>& times);

}  // namespace spillway::observed
