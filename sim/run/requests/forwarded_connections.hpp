// The connections from clients' proxies to zone proxies, and the endpoints that they lead to. Zone proxies forward
// connections: they pick an endpoint when one opens, and every request on it goes there until it ends.
//
//   if (auto target = connections.find(worker, host, targets)) { ... } else { connections.open(worker, host, targets,
//   picked); }
//   connections.close(worker, host, target);               // it broke while a request was on it
//
// There is one connection per worker of a client's proxy and host, through all zone proxies in between. It is HTTP/2,
// as between Kuma's proxies. A connection ends if a node on its path or its endpoint goes down; it never times out when
// idle. An endpoint that EDS reports unhealthy or removes keeps its connections, as in Envoy's TCP proxy. Source:
// docs/behaviour/kuma.md 10.
//
// `host`: the first target of the host that the client's proxy picked. Memory: 32 bytes per connection. O(1) per
// connection without zone proxies in between, else O(zone proxies in between).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class Targets;  // targets.hpp
class Truth;    // truth.hpp
struct Target;  // targets.hpp

class ForwardedConnections {
 public:
  // Lifetime: all arguments must outlive this object.
  ForwardedConnections(const scenario::Scenario& scenario, const world::World& world, const Truth& truth)
      : scenario_(&scenario), world_(&world), truth_(&truth) {}

  // Returns the target of the existing connection; nullopt if one has to be opened.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t worker, std::uint32_t host, const Targets& targets);

  // Opens a connection to a zone proxy that leads to `target`. Does nothing for hosts that are no zone proxies, or zone
  // proxies without an endpoint to forward to.
  void open(std::uint32_t worker, std::uint32_t host, const Targets& targets, std::uint32_t target);

  // Closes the connection if it leads to this target. A newer connection to another target stays open.
  void close(std::uint32_t worker, std::uint32_t host, std::uint32_t target);

 private:
  struct Connection {
    std::uint32_t target = 0;
    std::uint32_t outages = 0;  // of all nodes on its path, when it was opened
  };

  [[nodiscard]] static std::uint64_t key(std::uint32_t worker, std::uint32_t host) noexcept {
    return std::uint64_t{worker} << 32U | host;
  }
  [[nodiscard]] std::uint32_t outages_on_the_way(const Target& target) const;

  const scenario::Scenario* scenario_;
  const world::World* world_;
  const Truth* truth_;
  std::unordered_map<std::uint64_t, Connection> connections_;  // never iterated: its order is not deterministic
};

}  // namespace spillway::run
