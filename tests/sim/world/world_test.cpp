#include "sim/world/world.hpp"

#include <catch2/catch.hpp>
#include <simgrid/s4u.hpp>

#include "sim/scenario/scenario.hpp"

using namespace std::chrono_literals;
using spillway::config::LinkIndex;
using spillway::config::NodeIndex;
using spillway::config::ZoneIndex;
using spillway::scenario::Scenario;
using spillway::world::host_name;
using spillway::world::World;

namespace {

Scenario two_linked_zones() {
  Scenario scenario;
  scenario.zones = {{"zone-1", ""}, {"zone-2", ""}, {"zone-3", ""}};
  scenario.nodes = {{"z1", ZoneIndex{0}, ""}, {"z2", ZoneIndex{1}, ""}, {"z3", ZoneIndex{2}, ""}};
  scenario.links = {{ZoneIndex{0}, ZoneIndex{1}, 1200us}};
  return scenario;
}

}  // namespace

TEST_CASE("SimGrid's clock reaches every nanosecond it is sent to") {
  World world(two_linked_zones());
  for (const std::chrono::nanoseconds time : {1ns, 2ns, 1000001ns, 10000000001ns, 3600000000007ns}) {
    world.advance_to(time);
    CHECK(world.now() == time);
  }
}

TEST_CASE("a second world in the same process starts at zero again") {
  {
    World first(two_linked_zones());
    first.advance_to(5s);
  }
  World second(two_linked_zones());
  CHECK(second.now() == 0ns);
  second.advance_to(1s);
  CHECK(second.now() == 1s);
}

TEST_CASE("a host that is turned off in SimGrid alone is off for the simulation") {
  const Scenario scenario = two_linked_zones();
  World world(scenario);
  auto* host = simgrid::s4u::Host::by_name(host_name(NodeIndex{1}));
  CHECK(world.is_on(NodeIndex{1}));
  host->turn_off();
  CHECK_FALSE(world.is_on(NodeIndex{1}));
  CHECK(world.is_on(NodeIndex{0}));
  CHECK(world.outages(NodeIndex{1}) == 1);
  host->turn_on();
  CHECK(world.is_on(NodeIndex{1}));
}

TEST_CASE("a link costs its latency both ways, and zones without a link cost nothing") {
  World world(two_linked_zones());
  CHECK(world.latency(NodeIndex{0}, NodeIndex{1}) == 1200us);
  CHECK(world.latency(NodeIndex{1}, NodeIndex{0}) == 1200us);
  CHECK(world.latency(NodeIndex{0}, NodeIndex{2}) == 0ns);
  CHECK(world.latency(NodeIndex{0}, NodeIndex{0}) == 0ns);
  world.set_latency(LinkIndex{0}, 8ms);
  CHECK(world.latency(NodeIndex{1}, NodeIndex{0}) == 8ms);
}

TEST_CASE("a link that is off parts its two zones and no others") {
  World world(two_linked_zones());
  world.set_on(LinkIndex{0}, false);
  CHECK_FALSE(world.is_linked(NodeIndex{0}, NodeIndex{1}));
  CHECK(world.is_linked(NodeIndex{0}, NodeIndex{2}));
  world.set_on(LinkIndex{0}, true);
  CHECK(world.is_linked(NodeIndex{1}, NodeIndex{0}));
}
