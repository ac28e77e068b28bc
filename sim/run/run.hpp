// Playing a scenario.
//
//   run::Results results = run::run(scenario, {});
//
// Deterministic: the same scenario, options and version give the same Results on every machine and compiler. One run at
// a time in a process, because SimGrid has one engine a process; several go in processes of their own
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

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct Options {
  std::optional<scenario::Mode> mode;  // else the scenario's own
  std::optional<std::uint64_t> seed;   // else the scenario's own
  // Called now and then with the simulated time reached; for a progress bar. May be empty.
  std::function<void(Nanoseconds reached, Nanoseconds duration)> progress = {};
  // Whether to measure what endpoints had to do, by epoch; and at even intervals, which must be above 0.
  bool endpoint_loads = false;
  std::optional<Nanoseconds> sample = {};
  std::vector<Nanoseconds> latency_limits = {};  // to count the requests that meet them
  // Whether latencies over the whole run are kept by their cells, so that those of several runs can be put together.
  bool latency_cells = false;
  // Counts that are only looked at in groups take less memory so: shares of a group have their requests at its first
  // position.
  CountedPositions counted_positions = {};
  // What comes before is simulated, and not in the tables: a warm-up.
  Nanoseconds measured_from{0};
  // Further moments at which the row of every client ends and a new one begins: above 0, below the duration. The
  // requests are the same, and so is whatever is no row's.
  std::vector<Nanoseconds> cuts = {};
  // Whether what proxies do and find out is kept, with what the author lets happen; of those that are, how many one by
  // one. In mode exact the author's alone.
  std::optional<EventLog::Options> logged_events = {};
  // A proxy to look at, at a moment within the run; not in mode exact.
  std::optional<ProxyLook> look = {};
  // Is told of every request when it ends. Results are the same, and take longer.
  RequestTrace trace = {};
};

[[nodiscard]] Results run(const scenario::Scenario& scenario, const Options& options);

}  // namespace spillway::run
