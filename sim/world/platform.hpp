// The SimGrid objects of a World. Only for the files of this folder.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <simgrid/s4u.hpp>
#include <vector>

#include "sim/scenario/forward.hpp"
#include "sim/world/world.hpp"

namespace spillway::world {

inline constexpr double nominal_speed = 1e9;  // flops per second: one nanosecond of work is one flop

inline double seconds(Nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-9;
}
inline Nanoseconds nanoseconds(double time) {
  return Nanoseconds{std::llround(time * 1e9)};
}

// Returns SimGrid with our models, without messages of its own on standard error.
[[nodiscard]] std::unique_ptr<simgrid::s4u::Engine> make_engine();

// A link of the scenario: one SimGrid link per direction, so that traffic in one does not slow down the other. Null if
// SimGrid is used only for its clock.
struct TwoWays {
  config::ZoneIndex first;
  config::ZoneIndex second;
  simgrid::s4u::Link* there = nullptr;
  simgrid::s4u::Link* back = nullptr;
  bool limited = false;  // has a bandwidth
};

// Cores shared by executions: those of a node, or an endpoint's own.
struct Workshop {
  simgrid::s4u::Host* host = nullptr;
  config::NodeIndex node;
  std::vector<double> slownesses = {1.0};  // by SimGrid's pstate
};

struct World::Platform {
  Platform(const scenario::Scenario& scenario, Use use);

  std::unique_ptr<simgrid::s4u::Engine> engine;
  double clock_at_start = 0.0;
  std::vector<simgrid::s4u::Host*> hosts;  // by node
  std::vector<TwoWays> links;              // by link

  // Only with Use::activities.
  simgrid::s4u::Host* outside = nullptr;              // outside all zones: the host of the actors
  std::vector<simgrid::s4u::Host*> ports;             // by zone: ends of communications; never off
  std::vector<Workshop> workshops;                    // of nodes, by node; then endpoints' own
  std::vector<std::uint32_t> workshop_of;             // by endpoint
  std::vector<std::vector<const TwoWays*>> by_zones;  // by zone and zone: the link in between, or null

 private:
  void add_workshops(const scenario::Scenario& scenario, const std::vector<simgrid::s4u::NetZone*>& zones);
  void add_links(const scenario::Scenario& scenario, simgrid::s4u::NetZone* root,
                 const std::vector<simgrid::s4u::NetZone*>& zones,
                 const std::vector<simgrid::kernel::routing::NetPoint*>& gateways);
};

}  // namespace spillway::world
