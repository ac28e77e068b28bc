// When requests came, one by one, as an access log tells it: what a workload's `trace` is.
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
  std::map<std::string, std::vector<std::chrono::nanoseconds>> of = {};  // by cluster: from the log's first request on
  std::chrono::nanoseconds length{0};                                    // past the last of all, in whole milliseconds
};

// Of requests whose start the log tells, by the cluster that it names or else by addresses that belong to one cluster
// alone (`clusters_of`: by address). In the order of time. n log n.
[[nodiscard]] Traces traces_of(const AccessLog& log,
                               const std::map<std::string, std::vector<std::string>>& clusters_of);

// A trace file: a line for each request, its time in seconds.
[[nodiscard]] std::string trace_text(const std::vector<std::chrono::nanoseconds>& times);

}  // namespace spillway::observed
