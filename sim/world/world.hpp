// The scenario's zones and nodes on SimGrid, its links where requests are activities, and its clock.
//
// Zones are NetZones, nodes are Hosts, links are two Links between their zones' gateways, one for each way. SimGrid
// owns the clock and what is on or off; the simulation asks it here. SimGrid's own types stay inside world.cpp.
//
//   World world(scenario);
//   world.advance_to(10s);
//   world.set_on(node, false);
//   if (!world.is_on(node)) { ... }
//
// Times are whole nanoseconds from the start of the run. One World at a time in a process (SimGrid has one engine a
// process; its clock goes on in a second one, which this class hides).
//
// What is on or off is kept in flat arrays that follow SimGrid's own signals, so a question costs one load whoever
// turned the thing off. Where nothing but the clock is asked of SimGrid links are in these arrays alone: it takes
// seconds to make 100,000 of them. Latencies are never SimGrid's: its links have none, and each transfer sleeps before
// it begins, since SimGrid 3.32 loses transfers whose link changes its latency under them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::world {

using Nanoseconds = std::chrono::nanoseconds;

struct TwoWays;

class World {
 public:
  // What SimGrid is there for: its clock and what is on or off, or requests as activities too (activities.hpp).
  enum class Use : std::uint8_t { clock, activities };

  explicit World(const scenario::Scenario& scenario, Use use = Use::clock);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Nanoseconds now() const;

  // Lets SimGrid's clock reach `time`, which is not before now(). Cost: about 0.2 microseconds.
  void advance_to(Nanoseconds time);

  [[nodiscard]] bool is_on(config::NodeIndex node) const noexcept { return node_on_[node.value] != 0; }
  // How often the node has gone off so far: differs between two moments if the node was off in between.
  [[nodiscard]] std::uint32_t outages(config::NodeIndex node) const noexcept { return node_outages_[node.value]; }
  // Whether any node ever has.
  [[nodiscard]] bool any_outage() const noexcept { return any_outage_; }
  void set_on(config::NodeIndex node, bool on);

  // Between the zones of two nodes: nothing within a zone, and nothing between zones without a link.
  [[nodiscard]] Nanoseconds latency(config::NodeIndex from, config::NodeIndex to) const noexcept {
    return zone_latency_[pair_of(from, to)];
  }
  // False if the link between the two nodes' zones is off.
  [[nodiscard]] bool is_linked(config::NodeIndex from, config::NodeIndex to) const noexcept {
    return zone_linked_[pair_of(from, to)] != 0;
  }
  void set_latency(config::LinkIndex link, Nanoseconds latency);
  void set_on(config::LinkIndex link, bool on);

 private:
  friend class Activities;
  struct Platform;

  [[nodiscard]] std::size_t pair_of(config::NodeIndex from, config::NodeIndex to) const noexcept {
    return std::size_t{node_zone_[from.value]} * zones_ + node_zone_[to.value];
  }
  void read_link(std::size_t link);
  void keep_linked(const TwoWays& ways, bool linked);

  Use use_;
  std::size_t zones_ = 0;
  std::vector<std::uint32_t> node_zone_;     // by node
  std::vector<std::uint8_t> node_on_;        // by node
  std::vector<std::uint32_t> node_outages_;  // by node
  bool any_outage_ = false;
  std::vector<Nanoseconds> zone_latency_;  // by pair of zones
  std::vector<std::uint8_t> zone_linked_;  // by pair of zones
  std::unique_ptr<Platform> platform_;
};

// The name of a node's host in SimGrid, for those who want to act on it there: its number.
[[nodiscard]] std::string host_name(config::NodeIndex node);

}  // namespace spillway::world
