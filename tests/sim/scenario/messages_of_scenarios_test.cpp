// Envoy's messages in scenarios may be written in every form of protobuf's JSON, as in documents of Envoy's own.
#include <catch2/catch.hpp>
#include <string>

#include "models/envoy/cluster.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario_template.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace std::chrono_literals;
using test::accepted;
using test::scenario_with;
using test::the_only_diagnostic;

namespace {

std::string with_cluster(const std::string& fields) {
  return scenario_with("clusters: [{ name: backend, " + fields + " }]\n");
}

envoy::Cluster cluster_of(const std::string& fields) {
  return accepted(with_cluster(fields)).services.at(0).cluster;
}

}  // namespace

TEST_CASE("Messages in a scenario take every form of protobuf's JSON", "[messages]") {
  // Numbers and booleans as texts, enums by number and in any case, wrappers and durations as objects, nulls.
  CHECK(std::holds_alternative<envoy::policies::random::Config>(cluster_of("lb_policy: 3").lb_policy));
  CHECK(std::holds_alternative<envoy::policies::random::Config>(cluster_of("lb_policy: random").lb_policy));
  CHECK(std::holds_alternative<envoy::policies::round_robin::Config>(cluster_of("lb_policy: null").lb_policy));
  CHECK(cluster_of("common_lb_config: { healthy_panic_threshold: { value: '30' } }")
            .common_lb_config.healthy_panic_threshold.value == 30.0);
  CHECK(cluster_of("common_lb_config: { update_merge_window: { seconds: 2, nanos: '500000000' } }")
            .common_lb_config.update_merge_window == 2500ms);
  const auto detection = cluster_of(
                             "outlier_detection: { consecutive_5xx: { value: 3 }, "
                             "split_external_local_origin_errors: 'true' }")
                             .outlier_detection;
  REQUIRE(detection.has_value());
  CHECK(detection->consecutive_5xx == 3);
  CHECK(detection->split_external_local_origin_errors);
  // A field under both of its names: of values the last one stays.
  CHECK(std::holds_alternative<envoy::policies::random::Config>(
      cluster_of("lb_policy: MAGLEV, lbPolicy: RANDOM").lb_policy));
  const Scenario routed = accepted(
      scenario_with("load_assignments: [{ cluster_name: backend, policy: { overprovisioning_factor: '200' } }]\n"
                    "routes: [{ match: { prefix: / }, route: { cluster: backend, timeout: { seconds: 3 } } }]\n"));
  CHECK(routed.services.at(0).load_assignment.overprovisioning_factor == 200);
  CHECK(routed.routes.at(0).timeout == 3s);
  const Scenario checked = accepted(scenario_with(
      "", "      - { count: 1, zone: zone-1, health_check_config: { disable_active_health_check: 'yes' } }\n"));
  CHECK(checked.services.at(0).load_assignment.endpoints.at(0).lb_endpoints.at(0).disable_active_health_check);
}

TEST_CASE("What is the scenario's own is written in one way", "[messages]") {
  the_only_diagnostic(scenario_with("seed: «'1'»\n"), "SP022");
  the_only_diagnostic(scenario_with("timeline: [{ at: 1s, endpoints: [backend-1], outage: «'true'» }]\n"), "SP022");
  the_only_diagnostic(with_cluster("lb_policy: «wheel»"), "SP025");
}

TEST_CASE("A scenario that is varied keeps the forms of its messages", "[messages]") {
  const ScenarioTemplate varied("test.yaml", with_cluster("lb_policy: 3"));
  REQUIRE(varied.reading().scenario.has_value());
  const auto again = varied.vary({});
  REQUIRE(again.has_value());
  CHECK(std::holds_alternative<envoy::policies::random::Config>(again->services.at(0).cluster.lb_policy));
}
