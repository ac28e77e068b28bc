// Which scenarios PlainSimulator simulates, and what it leaves out.
//
//   if (is_plain({scenario, flows, traffic, stations, truth, world}, Plain::throughout)) { ... }
//
// Left out, for RequestSimulator to simulate: zone proxies, several services by one client
// (weighted clusters, splits), sessions, override hosts, original destinations, aggregate clusters, drop_overloads,
// max_stream_duration, limits of connections, load reports, jitter and changes of links, nodes that go off, endpoints
// that fail or change their speed, hosts that are told other weights or priorities, runtime values, processor sharing.
// Checks are left out unless they pass and only rates change, since then they find nothing.
#pragma once

#include <chrono>
#include <cstdint>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::world {
class World;  // world.hpp
}  // namespace spillway::world

namespace spillway::run {

class Flows;         // flows.hpp
class ServerQueues;  // server_queues.hpp
class Traffic;       // traffic.hpp
class Truth;         // truth.hpp
struct Demand;       // traffic.hpp

// `throughout`: also whatever becomes of requests. `as_long_as_none_fails`: up to the first request that outlier
// detection or retries have to do with, if there is one.
enum class Plain : std::uint8_t { as_long_as_none_fails, throughout };

// As the run begins.
struct PlainQuestion {
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  const ServerQueues& server_queues;
  Truth& truth;
  const world::World& world;
};

// Linear in client entries, kinds of requests and changes; where there are checks, in their hosts too.
[[nodiscard]] bool is_plain(const PlainQuestion& of, Plain how);

// Whether a failure of the request may be followed by another try.
[[nodiscard]] bool retries(const Demand& demand);

// What ends a request before its answer, if that takes too long, without a route Envoy's 15 s; max(): nothing.
[[nodiscard]] std::chrono::nanoseconds timeout_of(const Demand& demand);

// Whether a timeout is more than the end of the request: another name, or another try.
[[nodiscard]] bool timeouts_matter(const Demand& demand);

}  // namespace spillway::run
