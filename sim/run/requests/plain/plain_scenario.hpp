// Decides which scenarios PlainSimulator can simulate.
//
//   if (is_plain(parts, Plain::throughout)) { ... }
//
// These are left to RequestSimulator: zone proxies, one client with several services (weighted clusters, splits),
// sessions, delays of faults, override hosts, original destinations, aggregate clusters, drop_overloads,
// max_stream_duration, connection limits, load reports, jitter and link changes, nodes that go off, endpoints that fail
// or change their speed, EDS changes of weights or priorities, runtime values, processor sharing. Checks are left to it
// too, unless they pass and only rates change: such checks find nothing.
#pragma once

#include <chrono>
#include <cstdint>

namespace spillway::run {

struct Demand;        // traffic.hpp
struct RequestParts;  // request_parts.hpp

// `throughout`: plain whatever the outcomes of requests are. `as_long_as_none_fails`: plain up to the first request, if
// any, that concerns outlier detection or retries.
enum class Plain : std::uint8_t { as_long_as_none_fails, throughout };

// Returns true if PlainSimulator can simulate the scenario, at the beginning of the run. O(client entries + kinds of
// requests + changes), plus the hosts of clusters with checks.
[[nodiscard]] bool is_plain(const RequestParts& of, Plain how);

// True if a failed request may be retried.
[[nodiscard]] bool retries(const Demand& demand);

// Returns the timeout that ends a request before its response; without a route Envoy's 15 s; max() if there is none.
[[nodiscard]] std::chrono::nanoseconds timeout_of(const Demand& demand);

// True if a timeout does more than end the request: it has its own log name, or leads to a retry.
[[nodiscard]] bool timeouts_matter(const Demand& demand);

}  // namespace spillway::run
