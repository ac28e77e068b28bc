// The connections that clients' proxies hold to zone proxies, and where these lead. Zone proxies forward connections:
// they pick an endpoint when one opens, and every request on it goes there until it ends.
//
//   if (auto target = connections.find(worker, host, targets)) { ... } else { connections.open(worker, host, targets,
//   picked); }
//   connections.close(worker, host, target);               // it broke while a request was on it
//
// One connection for each worker of a client's proxy and host (HTTP/2, as Kuma's proxies speak to each other), over all
// zone proxies in between. It ends with a node on its way or with its endpoint, and never by being idle; endpoints that
// are told unhealthy or no longer told keep theirs, as Envoy's TCP proxy does. Source: docs/behaviour/kuma.md 10.
//
// `host`: the first target of the host that the client's proxy picked. Memory: 32 bytes a connection. O(1), and O(zone
// proxies in between).
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::world {
class World;  // world.hpp
}  // namespace spillway::world

namespace spillway::run {

class Targets;  // targets.hpp
class Truth;    // truth.hpp
struct Target;  // targets.hpp

class ForwardedConnections {
 public:
  // All must outlive this.
  ForwardedConnections(const scenario::Scenario& scenario, const world::World& world, const Truth& truth)
      : scenario_(&scenario), world_(&world), truth_(&truth) {}

  // Where the connection leads that is there; none: one has to be opened.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t worker, std::uint32_t host, const Targets& targets);

  // To a zone proxy that leads to `target`. Nothing is kept of hosts that are none, and of those that lead nowhere.
  void open(std::uint32_t worker, std::uint32_t host, const Targets& targets, std::uint32_t target);

  // One that leads to this target; if there is another one by now, that stays.
  void close(std::uint32_t worker, std::uint32_t host, std::uint32_t target);

 private:
  struct Connection {
    std::uint32_t target = 0;
    std::uint32_t outages = 0;  // of all nodes on its way, when it was opened
  };

  [[nodiscard]] static std::uint64_t key(std::uint32_t worker, std::uint32_t host) noexcept {
    return std::uint64_t{worker} << 32U | host;
  }
  [[nodiscard]] std::uint32_t outages_on_the_way(const Target& target) const;

  const scenario::Scenario* scenario_;
  const world::World* world_;
  const Truth* truth_;
  std::unordered_map<std::uint64_t, Connection> connections_;  // never walked: its order is no order
};

}  // namespace spillway::run
