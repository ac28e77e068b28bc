// The scenario's zones and nodes in SimGrid, its links if requests are activities, and its clock.
//
// Zones are NetZones, nodes are Hosts, links are two Links between their zones' gateways, one per direction. SimGrid
// owns the clock and the on/off state; the simulation reads both here. SimGrid's own types stay inside world.cpp.
//
//   World world(scenario);
//   world.advance_to(10s);
//   world.set_on(node, false);
//   if (!world.is_on(node)) { ... }
//
// Times are whole nanoseconds from the start of the run. Only one World per process at a time: SimGrid has one engine
// per process. Its clock continues in a second World, which this class hides.
//
// On/off state is cached in flat arrays that follow SimGrid's own signals, so a query costs one load, whatever turned
// the node or link off. If SimGrid is used only for its clock, links are only in these arrays: making 100,000 of them
// takes seconds. SimGrid's links have no latency; each transfer sleeps before it begins, since SimGrid 3.32 loses
// transfers whose link changes its latency during them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::world {

using Nanoseconds = std::chrono::nanoseconds;

struct TwoWays;

class World {
 public:
  // The use of SimGrid: its clock and on/off state, or requests as activities too (activities.hpp).
  enum class Use : std::uint8_t { clock, activities };

  explicit World(const scenario::Scenario& scenario, Use use = Use::clock);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Nanoseconds now() const;

  // Advances SimGrid's clock to `time`. Precondition: `time` is not before now(). Takes about 0.2 microseconds.
  void advance_to(Nanoseconds time);

  [[nodiscard]] bool is_on(config::NodeIndex node) const noexcept { return node_on_[node.value] != 0; }
  // Returns how often the node has gone off so far: it was off in between if two results differ.
  [[nodiscard]] std::uint32_t outages(config::NodeIndex node) const noexcept { return node_outages_[node.value]; }
  // True if any node has ever gone off.
  [[nodiscard]] bool any_outage() const noexcept { return any_outage_; }
  void set_on(config::NodeIndex node, bool on);

  // Returns the latency between the zones of two nodes: 0 within a zone, and between zones without a link.
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

// Returns the name of a node's host in SimGrid: its number. For callers that act on the host there.
[[nodiscard]] std::string host_name(config::NodeIndex node);

}  // namespace spillway::world
