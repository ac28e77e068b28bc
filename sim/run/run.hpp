// Simulates a scenario.
//
//   run::Results results = run::run(scenario, {});
//
// Deterministic: the same scenario, options and version give the same Results on every machine and compiler. One run at
// a time per process, because SimGrid allows one engine per process; several runs need child processes
// (run/fork_pool.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/run/records/event_log.hpp"
#include "sim/run/records/proxy_moment.hpp"
#include "sim/run/results.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Options {
  std::optional<scenario::Mode> mode;  // nullopt means the scenario's
  std::optional<std::uint64_t> seed;   // nullopt means the scenario's
  // Called from time to time with the simulated time reached, for a progress bar. May be empty.
  std::function<void(Nanoseconds reached, Nanoseconds duration)> progress = {};
  // Measures loads of endpoints, by epoch. `sample` adds even intervals. Precondition: `sample` is above 0.
  bool endpoint_loads = false;
  std::optional<Nanoseconds> sample = {};
  std::vector<Nanoseconds> latency_limits = {};  // successful responses within each limit are counted
  // Keeps the cells of whole-run latencies, so that those of several runs can be combined.
  bool latency_cells = false;
  // Saves memory for counts that are read only in groups: the requests of a group are counted at its first position.
  CountedPositions counted_positions = {};
  // Time before this is simulated but not in the tables: a warm-up.
  Nanoseconds measured_from{0};
  // Additional times at which every client's row ends and a new one begins: above 0, below the duration. Requests, and
  // everything that is not by row, stay the same.
  std::vector<Nanoseconds> cuts = {};
  // Selects the events of proxies and of the timeline that are kept, and how many individually. In mode exact there are
  // only those of the timeline.
  std::optional<EventLog::Options> logged_events = {};
  // A proxy to inspect, at a time within the run; not in mode exact.
  std::optional<ProxyLook> look = {};
  // Called with every request when it ends. Results are the same, but take longer.
  RequestTrace trace = {};
};

[[nodiscard]] Results run(const scenario::Scenario& scenario, const Options& options);

}  // namespace spillway::run
