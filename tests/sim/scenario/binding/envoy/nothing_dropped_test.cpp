// What an Envoy document or a scenario says without an effect is named, with the field that would give it one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

std::vector<std::string> codes_of(const Reading& reading) {
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    codes.push_back(diagnostic.code);
  }
  return codes;
}

std::vector<std::string> codes_of_scenario(const std::string& text) {
  return codes_of(read_scenario_text("scenario.yaml", text));
}

std::string entry(const std::string& rest, int number) {
  return "{ " + rest + ", lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0." +
         std::to_string(number) + ", port_value: 80 } } } }] }";
}

std::string cluster_over(const std::string& entries, const std::string& rest = "") {
  return "name: c\n" + rest + "load_assignment: { cluster_name: c, endpoints: [" + entries + "] }\n";
}

std::vector<std::string> codes_of_cluster(const std::string& text) {
  return codes_of(read_envoy_texts({{"cluster.yaml", text}}, {}));
}

std::vector<std::optional<std::uint32_t>> locality_weights(const std::string& text) {
  std::vector<std::optional<std::uint32_t>> weights;
  const Reading reading = read_envoy_texts({{"cluster.yaml", text}}, {});
  REQUIRE(reading.scenario.has_value());
  for (const auto& group : reading.scenario->services.at(0).load_assignment.endpoints) {
    weights.push_back(group.load_balancing_weight);
  }
  return weights;
}

using Codes = std::vector<std::string>;

const std::string weighing = "common_lb_config: { locality_weighted_lb_config: {} }\n";
const std::string two_zones = entry("locality: { zone: a }, load_balancing_weight: 1", 1) + ", " +
                              entry("locality: { zone: b }, load_balancing_weight: 2", 2);

std::string scenario_over(const std::string& rest, const std::string& priority = "0") {
  return "duration: 10s\nmode: exact\nzones: [{ name: X }, { name: Y }]\n"
         "services: [{ name: s, endpoints: [{ count: 4, zone: X }, { count: 4, zone: Y, priority: " +
         priority + " }] }]\n" + rest + "clients: [{ name: c, zone: X, workload: { service: s, rate: 1rps } }]\n";
}
const std::string weights =
    "load_assignments: [{ cluster_name: s, endpoints: [{ locality: { zone: X }, load_balancing_weight: 1 }, { "
    "locality: { zone: Y }, load_balancing_weight: 2 }] }]\n";

}  // namespace

TEST_CASE("Weights of localities that nothing looks at are named", "[envoy][lints]") {
  CHECK(codes_of_cluster(cluster_over(two_zones)) == Codes{"SP208"});
  CHECK(codes_of_cluster(cluster_over(two_zones, weighing)).empty());
  CHECK(codes_of_cluster(cluster_over(
            two_zones, weighing + "lb_subset_config: { subset_selectors: [{ keys: [v] }] }\n")) == Codes{"SP208"});
  CHECK(codes_of_cluster(cluster_over(two_zones, weighing + "lb_subset_config: { locality_weight_aware: true, "
                                                            "subset_selectors: [{ keys: [v] }] }\n"))
            .empty());
  // One locality: there is nothing to divide.
  CHECK(codes_of_cluster(cluster_over(entry("locality: { zone: a }, load_balancing_weight: 7", 1))).empty());
  CHECK(codes_of_scenario(scenario_over(weights)) == Codes{"SP208"});
  CHECK(codes_of_scenario(scenario_over(weights + "clusters: [{ name: s, common_lb_config: { "
                                                  "locality_weighted_lb_config: {} } }]\n"))
            .empty());
}

TEST_CASE("Locality weighting without a weight is named", "[envoy][lints]") {
  const std::string unweighted = entry("locality: { zone: a }", 1) + ", " + entry("locality: { zone: b }", 2);
  CHECK(codes_of_cluster(cluster_over(unweighted, weighing)) == Codes{"SP209"});
  CHECK(codes_of_scenario(scenario_over("clusters: [{ name: s, common_lb_config: { locality_weighted_lb_config: {} } "
                                        "}]\n")) == Codes{"SP209"});
}

TEST_CASE("A gap between priorities is named", "[envoy][lints]") {
  CHECK(codes_of_cluster(cluster_over(entry("priority: 0", 1) + ", " + entry("priority: 2", 2))) == Codes{"SP210"});
  CHECK(codes_of_cluster(cluster_over(entry("priority: 0", 1) + ", " + entry("priority: 1", 2))).empty());
  CHECK(codes_of_scenario(scenario_over("", "2")) == Codes{"SP210"});
  CHECK(codes_of_scenario(scenario_over("", "1")).empty());
}

TEST_CASE("The weight of an entry counts for its locality, the empty one too, and not without one", "[envoy][lints]") {
  const std::string other = ", " + entry("locality: { zone: b }, load_balancing_weight: 1", 2);
  const std::string without = cluster_over(entry("load_balancing_weight: 3", 1) + other, weighing);
  CHECK(codes_of_cluster(without) == Codes{"SP208"});
  CHECK(locality_weights(without) == std::vector<std::optional<std::uint32_t>>{std::nullopt, 1U});
  const std::string empty = cluster_over(entry("locality: {}, load_balancing_weight: 3", 1) + other, weighing);
  CHECK(codes_of_cluster(empty).empty());
  CHECK(locality_weights(empty) == std::vector<std::optional<std::uint32_t>>{3U, 1U});
}

TEST_CASE("An EDS cluster takes its ClusterLoadAssignment document, whatever stands within", "[envoy][lints]") {
  const std::string document =
      "cluster_name: c\nendpoints: [" + entry("priority: 0", 1) + ", " + entry("priority: 1", 2) + "]\n";
  for (const std::string& within :
       {std::string("load_assignment: { cluster_name: c, policy: { overprovisioning_factor: 125 } }\n"),
        "load_assignment: { cluster_name: c, endpoints: [" + entry("priority: 0", 9) + "] }\n"}) {
    const Reading reading = read_envoy_texts({{"c.yaml", "name: c\ntype: EDS\n" + within}, {"eds.yaml", document}}, {});
    CHECK(codes_of(reading) == Codes{"SP211"});
    const config::ClusterLoadAssignment& assignment = reading.scenario->services.at(0).load_assignment;
    CHECK(assignment.endpoints.size() == 2);
    CHECK(assignment.overprovisioning_factor == 140);
  }
  // Where EDS says nothing, a policy alone is no endpoints.
  CHECK_FALSE(
      read_envoy_texts({{"c.yaml", "name: c\ntype: EDS\nload_assignment: { cluster_name: c, policy: {} }\n"}}, {})
          .scenario.has_value());
}

TEST_CASE("Listeners of a bootstrap are named with what their routes and filters do", "[envoy][lints]") {
  const std::string text = R"(static_resources:
  listeners:
  - name: ingress
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          http_filters:
          - name: to-metadata
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config
              request_rules:
              - { header: x-stage, onHeaderPresent: { metadata_namespace: envoy.lb, key: stage } }
              - { header: x-user, on_header_present: { metadata_namespace: other, key: user } }
          - name: last
            typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router }
          routeConfig:
            virtual_hosts:
            - { name: v, domains: ["*"], routes: [{ match: { prefix: / }, route: { cluster: c, hashPolicy: [{ header: { header_name: x } }], retry_policy: {} } }] }
  - address: { socket_address: { address: 0.0.0.0, port_value: 81 } }
  clusters:
  - { name: c, load_assignment: { cluster_name: c, endpoints: [)" +
                           entry("priority: 0", 1) + "] } }\n";
  const Reading reading = read_envoy_texts({{"bootstrap.yaml", text}}, {});
  CHECK(codes_of(reading) == Codes{"SP212", "SP212"});
  const std::string rendered = documents::render_diagnostics(reading.diagnostics, reading.sources);
  INFO(rendered);
  CHECK(rendered.find("listener `ingress` is not read: HTTP filter `to-metadata` (it sets `stage` of subsets), "
                      "`hash_policy`, `retry_policy`") != std::string::npos);
  CHECK(rendered.find("listener `0.0.0.0:81` is not read") != std::string::npos);
}
