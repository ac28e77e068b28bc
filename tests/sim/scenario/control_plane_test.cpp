// What a scenario file says of a control plane, and every mistake in it at its place.
#include "sim/scenario/control_plane.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "models/documents/diagnostic_pages.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;

namespace {

std::string plane_with(const std::string& keys, const std::string& top = "",
                       const std::string& join = "{ from: 1s, to: 9s }") {
  return "duration: 60s\n" + top +
         "control_plane:\n"
         "  cores: 8\n"
         "  services: 10\n"
         "  instances: 2\n"
         "  reachable_services: 3\n"
         "  join: " +
         join +
         "\n"
         "  cost: { generation: 5ms }\n" +
         (keys.empty() ? "" : "  " + keys + "\n");
}

const ControlPlane& plane_of_text(const std::string& text) {
  static Reading reading;
  reading = read_scenario_text("test.yaml", text);
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    UNSCOPED_INFO(diagnostic.code << " " << diagnostic.message);
  }
  REQUIRE(reading.scenario.has_value());
  REQUIRE(reading.scenario->control_plane != nullptr);
  return *reading.scenario->control_plane;
}

}  // namespace

TEST_CASE("A control plane has Kuma's defaults where nothing is written", "[control_plane]") {
  const ControlPlane& plane = plane_of_text(plane_with(""));
  REQUIRE(plane.settings.size() == 1);
  const ControlPlaneSetting& setting = plane.settings[0];
  CHECK(setting.name == "as written");
  CHECK(setting.cores == 8);
  CHECK(setting.speed == 1.0);
  CHECK(setting.sharing == AssignmentSharing::reusable);
  CHECK(setting.refresh_interval == 1s);
  CHECK(setting.cache_expiration == 1s);
  CHECK(setting.zones == 1);
  CHECK(setting.acyclic);
  CHECK(setting.cost.generation == 5ms);
  CHECK(setting.cost.assignment == 0ns);
  CHECK(setting.join.to == 9s);
}

TEST_CASE("Variations inherit what they do not write, but for readings and ratios", "[control_plane]") {
  const ControlPlane& plane = plane_of_text(plane_with(
      "xdsServer: { dataplaneConfigurationRefreshInterval: 2s }\n"
      "  store: { cache: { expirationTime: 500ms } }\n"
      "  readings: { precision: 50ms, rows: [{ at: 5s, p50: 1s }, { at: 10s, p99: 2.5s }] }\n"
      "  policies: [{ services: 25%, default: { localityAwareness: { localZone: {} } } }]\n"
      "  changes: [{ at: 20s, what: dataplane }, { at: 10s, what: mesh_policy }]\n"
      "  variations:\n"
      "    - { name: larger, services: 50, leave: { from: 10s, to: 20s }, cla_cache: none, cost: { lookup: 1us } }\n"
      "    - { name: slower, speed: 0.5, policies: [], ratios: [{ to: larger, at: 5s, to_at: 6s, p90: 1.5 }] }"));
  REQUIRE(plane.settings.size() == 3);
  CHECK(plane.settings[0].readings.size() == 2);
  CHECK(plane.settings[0].readings[1].latency.p99 == 2.5);
  CHECK(plane.settings[0].precision == 0.05);
  CHECK(plane.settings[0].changes[0].what == MeshChange::What::mesh_policy);
  const ControlPlaneSetting& larger = plane.settings[1];
  CHECK(larger.services == 50);
  CHECK(larger.instances == 2);
  CHECK(larger.sharing == AssignmentSharing::none);
  CHECK(larger.refresh_interval == 2s);
  CHECK(larger.cache_expiration == 500ms);
  CHECK(larger.leave->from == 10s);
  CHECK(larger.cost.lookup == 1us);
  CHECK(larger.cost.generation == 5ms);
  CHECK(larger.readings.empty());
  REQUIRE(larger.policies.size() == 1);
  CHECK(larger.policies[0].services == 0.25);
  const ControlPlaneSetting& slower = plane.settings[2];
  CHECK(slower.speed == 0.5);
  CHECK(!slower.leave);
  CHECK(slower.policies.empty());
  REQUIRE(slower.ratios.size() == 1);
  CHECK(slower.ratios[0].other == 1);
  CHECK(slower.ratios[0].times.p90 == 1.5);
}

TEST_CASE("Every mistake in a control plane is told once, with its code, at its place", "[control_plane]") {
  const std::vector<std::pair<const char*, std::string>> mistakes = {
      {"SP020", plane_with("«speeed»: 2")},
      {"SP021",
       "duration: 60s\ncontrol_plane: «{» cores: 1, services: 1, instances: 1, reachable_services: 0, "
       "join: { from: 0s, to: 0s } }\n"},
      {"SP022", plane_with("speed: «fast»")},
      {"SP023", plane_with("xdsServer: { dataplaneConfigurationRefreshInterval: «0s» }")},
      {"SP023", plane_with("store: { cache: { expirationTime: «0s» } }")},
      {"SP023", plane_with("variations: [{ name: a, cost: { lookup: «101s» } }]")},
      {"SP025", plane_with("cla_cache: «shared»")},
      {"SP101", plane_with("variations: [{ name: a }, { name: «a» }]")},
      {"SP601", plane_with("policies: [{ services: 10%, default: «{» localityAwareness: { localZone: { affinityTags: "
                           "[{ key: \"\" }] } } } }]")},
      {"SP730", plane_with("", "«mode»: exact\n")},
      {"SP730", plane_with("", "«zones»: [{ name: zone-1 }]\n")},
      {"SP730", plane_with("", "«expect»: []\n")},
      {"SP731", plane_with("", "", "{ from: 1s, to: «60s» }")},
      {"SP731", plane_with("changes: [{ at: «61s», what: mesh_policy }]")},
      {"SP731", plane_with("readings: { precision: 0s, rows: [{ at: «61s», p50: 1s }] }")},
      {"SP731", plane_with("variations: [{ name: a, ratios: [{ to: as written, at: «70s», to_at: 1s, p50: 1 }] }]")},
      {"SP732", plane_with("", "", "{ from: 10s, to: «9s» }")},
      {"SP732", plane_with("«leave»: { from: 5s, to: 8s }")},
      {"SP733", plane_with("policies: [{ services: 60%, default: {} }, { services: «41%», default: {} }]")},
      {"SP734", plane_with("readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }, { at: «5s», p50: 1s }] }")},
      {"SP739", plane_with("readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: r, "
                           "rows: [{ at: «6s», p50: { documented: 1s, ours: 2s } }] }] }")},
      {"SP739", plane_with("readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: r, "
                           "rows: [{ at: 5s, «p90»: { documented: 1s, ours: 2s } }] }] }")},
      {"SP740", plane_with("readings: { precision: 0s, rows: [{ at: 5s, p50: 1s }], known_differences: [{ reason: r, "
                           "rows: [{ at: 5s, p50: { documented: 1s, ours: 2s } }, { at: 5s, «p50»: { documented: 1s, "
                           "ours: 2s } }] }] }")},
      {"SP023", plane_with("time_slice: «0s»")},
      {"SP741", plane_with("variations: [{ name: a, other_work: «64» }]")},
      {"SP735", plane_with("variations: [{ name: a, services: 200000, instances: «6» }]")},
      {"SP736", plane_with("variations: [{ name: a, reachable_services: «10» }]")},
      {"SP736", plane_with("variations: [{ name: a }, { name: b, services: «3» }, { name: c }]")},
      {"SP737", plane_with("ratios: [{ to: «b», at: 1s, to_at: 1s, p50: 1 }]")},
  };
  for (const auto& [code, marked] : mistakes) {
    test::the_only_diagnostic(marked, code);
    CHECK(spillway::documents::find_diagnostic_code(code) != nullptr);
  }
}
