#include "sim/control_plane/mesh.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "tests/sim/control_plane/planes.hpp"

using spillway::control_plane::Mesh;
using spillway::scenario::ControlPlaneSetting;

TEST_CASE("Who is asked for joins later, and near ones are asked for more than far ones", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2000, 1, 3);
  setting.acyclic = true;
  const Mesh mesh(setting, 1);
  std::size_t next = 0;
  std::size_t at_ten = 0;
  for (std::uint32_t service = 0; service < 1000; ++service) {
    const auto reachable = mesh.reachable(service);
    CHECK(reachable.size() == 3);
    CHECK(std::set<std::uint32_t>(reachable.begin(), reachable.end()).size() == 3);
    for (const std::uint32_t other : reachable) {
      CHECK(other > service);
      next += other == service + 1 ? 1 : 0;
      at_ten += other == service + 10 ? 1 : 0;
    }
  }
  // By 1/d over some 1,500 places a draw is the next one with a chance of 0.127, the tenth with a tenth of that;
  // drawing without repetition brings the first a little closer to certainty.
  CHECK(next > 300);
  CHECK(next < 430);
  CHECK(at_ten > 15);
  CHECK(at_ten < 75);
  CHECK(mesh.reachable(1999).empty());
  CHECK(mesh.reachable(1998).size() == 1);
}

TEST_CASE("The mesh's hash changes with every resource, and what was there is told by version", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 4, 1);
  setting.zones = 2;
  Mesh mesh(setting, 1);
  std::set<std::string> hashes;
  for (std::uint32_t instance = 0; instance < 8; ++instance) {
    mesh.join(instance);
    CHECK(hashes.insert(mesh.hash(mesh.version())).second);
  }
  mesh.leave(2);
  CHECK(hashes.insert(mesh.hash(9)).second);
  CHECK(hashes.begin()->size() == 44);  // base64 of 32 bytes
  CHECK(mesh.resources() == 7);
  CHECK(mesh.services() == 2);
  CHECK(mesh.endpoints_version(0, 3) == 3);
  CHECK(mesh.endpoints_version(0, 8) == 4);
  CHECK(mesh.endpoints_version(0, 9) == 9);
  CHECK(mesh.endpoints_version(1, 4) == 0);
  // Two here, and an ingress for the two of the other zone.
  CHECK(mesh.endpoints(0, 2).size() == 2);
  const auto all = mesh.endpoints(0, 8);
  REQUIRE(all.size() == 3);
  CHECK(all[2].weight == 2);
  CHECK(mesh.endpoints(0, 9).size() == 2);
}
