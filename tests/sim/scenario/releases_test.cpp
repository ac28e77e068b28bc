// Releases of Envoy as profiles. Rules and their evidence: docs/behaviour/releases.md.
#include "sim/scenario/releases.hpp"

#include <catch2/catch.hpp>

#include "sim/compare/prediction.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

std::string dump_of(const std::string& version, const std::string& settings, const std::string& policy = "") {
  return "node: { id: web, user_agent_build_version: { version: { major_number: 1, minor_number: " + version +
         " } } }\nstatic_resources:\n  clusters:\n  - name: c\n" + settings +
         "    load_assignment:\n      cluster_name: c\n" + policy +
         "      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, "
         "port_value: 80 } } } }, { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }, "
         "health_status: DRAINING }] }]\n";
}

Scenario read_dump(const std::string& text, proxy::EnvoyOptions options = {}) {
  Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, options);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return std::move(*reading.scenario);
}

bool says(const Scenario& scenario, const std::string& text) {
  return std::any_of(scenario.assumptions.begin(), scenario.assumptions.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

// What priority 1 gets, with a third endpoint in it.
double share_with_next_priority(std::string dump) {
  dump.insert(dump.rfind("]"),
              ", { priority: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.3, "
              "port_value: 80 } } } }] }");
  double share = 0.0;
  for (const auto& host : compare::predict(read_dump(dump), {}).hosts) {
    share += host.priority.value == 1 ? host.share : 0.0;
  }
  return share;
}

}  // namespace

TEST_CASE("Versions name releases", "[releases]") {
  CHECK(envoy_release_in("1.36.2") == 36);
  CHECK(envoy_release_in("release-1.20") == 20);
  CHECK(envoy_release_in("1.41.0-dev") == 41);
  CHECK_FALSE(envoy_release_in("2.0").has_value());
  CHECK(profile_of_version("1.27.0") == config::EnvoyProfile::release_1_27);
  CHECK(profile_of_version("1.12.0") == config::EnvoyProfile::release_1_20);
  CHECK(profile_of_version("1.40.1") == config::EnvoyProfile::current);
  CHECK(profile_of_version("1.50.0") == config::EnvoyProfile::current);
  CHECK_FALSE(profile_of_version("").has_value());
  for (std::uint32_t release = config::oldest_envoy_release; release <= config::newest_envoy_release; ++release) {
    const config::EnvoyProfile profile = config::profile_of_release(release);
    CHECK(config::release_of(profile) == release);
    CHECK(config::envoy_profile_names.at(static_cast<std::size_t>(profile)) == "release-1." + std::to_string(release));
  }
}

TEST_CASE("Documents are played by the release that they tell, or by another that is asked for", "[releases]") {
  CHECK(read_dump(dump_of("27", "")).profile.envoy == config::EnvoyProfile::release_1_27);
  CHECK(says(read_dump(dump_of("27", "")), "by the rules of Envoy 1.27"));
  CHECK(read_dump(dump_of("40", "")).profile.envoy == config::EnvoyProfile::current);
  proxy::EnvoyOptions options;
  options.profile = config::EnvoyProfile::release_1_33;
  CHECK(read_dump(dump_of("27", ""), options).profile.envoy == config::EnvoyProfile::release_1_33);
}

// Release notes of Envoy 1.30. Before, a DRAINING host is an unhealthy one: availability 140 * 1 / 2 = 70 % of priority
// 0. Since then it does not count: 140 * 1 / 1, at most 100 %.
TEST_CASE("A release decides whether draining hosts count in the health of their priority", "[releases]") {
  const auto share_of_next = [](const std::string& version) { return share_with_next_priority(dump_of(version, "")); };
  CHECK(share_of_next("29") == Approx(0.3).margin(1e-12));
  CHECK(share_of_next("30") == Approx(0.0).margin(1e-12));
}

// Release notes of Envoy 1.28. Availability of priority 0 under factor 100: 100 * 1 / 2; a subset had 140 before.
TEST_CASE("Subsets have the overprovisioning factor of the cluster since Envoy 1.28", "[releases]") {
  const auto share_of_next = [](const std::string& version) {
    std::string text =
        dump_of(version, "    lb_subset_config: { fallback_policy: ANY_ENDPOINT, subset_selectors: [{ keys: [v] }] }\n",
                "      policy: { overprovisioning_factor: 100 }\n");
    text.replace(text.find("DRAINING"), 8, "UNHEALTHY");
    return share_with_next_priority(std::move(text));
  };
  CHECK(share_of_next("27") == Approx(0.3).margin(1e-12));
  CHECK(share_of_next("28") == Approx(0.5).margin(1e-12));
}

TEST_CASE("Fields that are younger than the release are left out, and said", "[releases]") {
  const std::string settings = "    outlier_detection: { always_eject_one_host: true, max_ejection_time_jitter: 3s }\n";
  const Scenario old = read_dump(dump_of("21", settings, "      policy: { weighted_priority_health: true }\n"));
  CHECK_FALSE(old.services.front().cluster.outlier_detection->always_eject_one_host);
  CHECK(old.services.front().cluster.outlier_detection->max_ejection_time_jitter.count() == 0);
  CHECK_FALSE(old.services.front().load_assignment.weighted_priority_health);
  for (const char* const field : {"always_eject_one_host", "max_ejection_time_jitter", "weighted_priority_health"}) {
    CHECK(says(old, "Envoy 1.21 does not know `" + std::string(field) + "`, which is ignored"));
  }
  const Scenario young = read_dump(dump_of("31", settings));
  CHECK(young.services.front().cluster.outlier_detection->always_eject_one_host);
  CHECK_FALSE(says(young, "does not know"));
}

TEST_CASE("A scenario names the release as its profile", "[releases]") {
  const std::string text =
      "profile: { envoy: release-1.24 }\nduration: 1s\nmode: exact\nzones: [{ name: a }]\nservices: [{ name: s, "
      "endpoints: [{ zone: a }] }]\nclients: [{ name: c, zone: a, workload: { service: s, rate: 1rps } }]\n";
  const Reading reading = read_scenario_text("s.yaml", text);
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.scenario->profile.envoy == config::EnvoyProfile::release_1_24);
  CHECK(says(*reading.scenario, "by the rules of Envoy 1.24"));
}

}  // namespace spillway::scenario
