// What a proxy's /config_dump prints, field by field as Envoy's admin interface writes it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/problem.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/binding/envoy/dumps.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario {
namespace {

using test::active;
using test::as_entry;
using test::config_dump;
using test::dumped_cluster;
using test::dumped_endpoint;
using test::proxy_of;
using Names = std::vector<std::string>;

const std::string eds_of_web =
    R"("type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}, "service_name": "web-eds"})";

std::string assignment_of(const std::string& name, const std::string& hosts) {
  return R"({"endpoint_config": {"@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",)"
         R"( "cluster_name": ")" +
         name + R"(", "endpoints": [{"locality": {"region": "eu", "zone": "eu-1"}, "lb_endpoints": [)" + hosts +
         R"(]}], "policy": {"overprovisioning_factor": 140}}})";
}

std::vector<std::string> addresses(const Scenario& scenario) {
  std::vector<std::string> all;
  for (const Endpoint& endpoint : scenario.endpoints) {
    all.push_back(endpoint.id);
  }
  return all;
}

}  // namespace

TEST_CASE("A dump with include_eds has clusters with their endpoints, and the proxy", "[envoy][dump]") {
  const auto proxy = proxy_of(
      config_dump(active(as_entry(dumped_cluster("web", eds_of_web))),
                  "\"dynamic_endpoint_configs\": [" +
                      assignment_of("web-eds", dumped_endpoint("10.0.0.1", R"("health_status": "HEALTHY")") + "," +
                                                   dumped_endpoint("10.0.0.2", R"("health_status": "UNHEALTHY")")) +
                      "]"));
  CHECK(proxy.cluster_names() == Names{"web"});
  const auto reading = proxy.cluster("web");
  INFO(test::rendered(proxy, reading));
  REQUIRE(reading.scenario.has_value());
  CHECK(addresses(*reading.scenario) == Names{"10.0.0.1:80", "10.0.0.2:80"});
  CHECK(reading.scenario->services[0].load_assignment.endpoints[0].lb_endpoints[1].health_status ==
        config::HealthStatus::unhealthy);
  REQUIRE(reading.scenario->assumptions.size() == 1);
  CHECK(reading.scenario->assumptions[0].starts_with("the unhealthy hosts of `web` may be draining"));
  CHECK(reading.scenario->clients[0].name == "sidecar~10.0.0.9");
  CHECK(proxy.node().version == "1.36.2");
  CHECK(proxy.node().cluster == "web.shop");
  CHECK(proxy.node().locality.zone == "eu-1");
  CHECK(proxy.tally().endpoints == 2);
}

TEST_CASE("A dump without endpoints names what to ask for", "[envoy][dump]") {
  const auto proxy = proxy_of(config_dump(active(as_entry(dumped_cluster("web", eds_of_web)))));
  const auto reading = proxy.cluster("web");
  CHECK_FALSE(reading.scenario.has_value());
  REQUIRE(test::codes_of(reading.diagnostics) == Names{"SP136"});
  CHECK(reading.diagnostics[0].helps[0].find("include_eds") != std::string::npos);
}

TEST_CASE("Endpoints that were told apart count where the dump has none", "[envoy][dump]") {
  config::ClusterLoadAssignment reported;
  reported.cluster_name = "web";
  config::LocalityLbEndpoints group;
  group.locality = {"eu", "eu-1", ""};
  group.lb_endpoints.push_back({.address = "10.0.0.7:80"});
  reported.endpoints.push_back(std::move(group));
  const auto proxy = proxy_of(config_dump(active(as_entry(dumped_cluster("web", eds_of_web)))), "dump.json",
                              {.cluster = "", .memberships = {reported}});
  const auto reading = proxy.cluster("web");
  REQUIRE(reading.scenario.has_value());
  CHECK(addresses(*reading.scenario) == Names{"10.0.0.7:80"});
}

TEST_CASE("Weights of localities that were not told are an assumption where they matter", "[envoy][dump]") {
  config::ClusterLoadAssignment reported;
  reported.cluster_name = "web";
  for (const char* const zone : {"eu-1", "eu-2"}) {
    config::LocalityLbEndpoints group;
    group.locality = {"eu", zone, ""};
    group.lb_endpoints.push_back({.address = std::string("10.0.0.") + zone[3] + ":80"});
    reported.endpoints.push_back(std::move(group));
  }
  const std::string weighted = eds_of_web + R"(, "common_lb_config": {"locality_weighted_lb_config": {}})";
  const auto warned = [](const std::string& fields, const config::ClusterLoadAssignment& membership) {
    const auto proxy = proxy_of(config_dump(active(as_entry(dumped_cluster("web", fields)))), "dump.json",
                                {.cluster = "", .memberships = {membership}});
    const auto reading = proxy.cluster("web");
    REQUIRE(reading.scenario.has_value());
    const auto codes = test::codes_of(reading.diagnostics);
    return std::count(codes.begin(), codes.end(), "SP236");
  };
  CHECK(warned(weighted, reported) == 1);
  CHECK(warned(eds_of_web, reported) == 0);
  // One locality takes all requests of its priority, whatever it weighs.
  reported.endpoints.pop_back();
  CHECK(warned(weighted, reported) == 0);
}

TEST_CASE("Health that was told beside a load assignment is not used, and that is said", "[envoy][dump]") {
  const std::string cluster = R"({"name": "web", "type": "STATIC", "load_assignment": {"cluster_name": "web",
    "endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.7",
    "port_value": 80}}}}]}]}})";
  const auto warned = [&](config::HealthStatus status) {
    config::ClusterLoadAssignment reported;
    reported.cluster_name = "web";
    reported.endpoints.emplace_back().lb_endpoints.push_back({.address = "10.0.0.7:80", .health_status = status});
    const auto reading = proxy_of(cluster, "cluster.json", {.cluster = "", .memberships = {reported}}).cluster("web");
    REQUIRE(reading.scenario.has_value());
    CHECK(reading.scenario->services.front().load_assignment.endpoints[0].lb_endpoints[0].health_status ==
          config::HealthStatus::unknown);
    const auto codes = test::codes_of(reading.diagnostics);
    return std::count(codes.begin(), codes.end(), "SP237");
  };
  CHECK(warned(config::HealthStatus::unhealthy) == 1);
  CHECK(warned(config::HealthStatus::healthy) == 0);
}

TEST_CASE("A cluster that warms up counts only without one that is active", "[envoy][dump]") {
  const std::string at = R"("load_assignment": {"cluster_name": "x", "endpoints": [{"lb_endpoints": [)";
  const auto text = config_dump("\"dynamic_warming_clusters\": [" +
                                as_entry(dumped_cluster("web", at + dumped_endpoint("10.0.0.2") + "]}]}")) + "," +
                                as_entry(dumped_cluster("new", at + dumped_endpoint("10.0.0.3") + "]}]}")) + "], " +
                                active(as_entry(dumped_cluster("web", at + dumped_endpoint("10.0.0.1") + "]}]}"))));
  const auto proxy = proxy_of(text);
  REQUIRE(proxy.cluster("web").scenario.has_value());
  CHECK(addresses(*proxy.cluster("web").scenario) == Names{"10.0.0.1:80"});
  REQUIRE(proxy.cluster("new").scenario.has_value());
  CHECK(addresses(*proxy.cluster("new").scenario) == Names{"10.0.0.3:80"});
}

TEST_CASE("Names that the proxy has looked up are its addresses", "[envoy][dump]") {
  const auto proxy = proxy_of(config_dump(
      "\"static_clusters\": [" +
          as_entry(dumped_cluster("db", R"("type": "STRICT_DNS", "load_assignment": {"cluster_name": "db", "policy": )"
                                        R"({"weighted_priority_health": true}, "endpoints": [{"lb_endpoints": [)" +
                                            dumped_endpoint("db.example") + "]}]}")) +
          "]",
      "\"static_endpoint_configs\": [" +
          assignment_of("db", dumped_endpoint("10.1.0.1") + "," + dumped_endpoint("10.1.0.2")) + "]"));
  const auto reading = proxy.cluster("db");
  INFO(test::rendered(proxy, reading));
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.diagnostics.empty());
  CHECK(addresses(*reading.scenario) == Names{"10.1.0.1:80", "10.1.0.2:80"});
  CHECK(reading.scenario->services[0].load_assignment.weighted_priority_health);
}

TEST_CASE("One cluster that cannot be read keeps no other from being read", "[envoy][dump]") {
  const std::string within = R"("load_assignment": {"cluster_name": "x", "endpoints": [{"lb_endpoints": [)" +
                             dumped_endpoint("10.0.0.1") + "]}]}";
  const auto proxy = proxy_of(config_dump(active(
      as_entry(dumped_cluster("good", within)) + "," +
      as_entry(dumped_cluster("redis", R"("lb_policy": "CLUSTER_PROVIDED", "cluster_type": {"name": "redis", )"
                                       R"("typed_config": {"@type": "type.googleapis.com/x.RedisClusterConfig"}})")) +
      "," + as_entry(dumped_cluster("odd", R"("health_checks": "often")")))));
  CHECK(proxy.cluster("good").scenario.has_value());
  CHECK(test::codes_of(proxy.cluster("redis").diagnostics) == Names{"SP302"});
  CHECK(test::codes_of(proxy.cluster("odd").diagnostics) == Names{"SP022"});
  CHECK_FALSE(has_errors(proxy.diagnostics()));
}

TEST_CASE("A field that is not known is a warning in a dump and an error in what a hand wrote", "[envoy][dump]") {
  const std::string own = R"("of_another_envoy": 1, "load_assignment": {"cluster_name": "x", "endpoints": [)"
                          R"({"lb_endpoints": [)" +
                          dumped_endpoint("10.0.0.1") + "]}]}";
  const auto proxy = proxy_of(config_dump(active(as_entry(dumped_cluster("web", own)))));
  const auto reading = proxy.cluster("web");
  CHECK(reading.scenario.has_value());
  CHECK(test::codes_of(reading.diagnostics) == Names{"SP232"});
  const auto by_hand = proxy_of(R"({"name": "web", )" + own + "}").cluster("web");
  CHECK(test::codes_of(by_hand.diagnostics) == Names{"SP020"});
}

TEST_CASE("What cannot move requests is ignored and counted, and no secret is printed", "[envoy][dump]") {
  const std::string secret = "-----BEGIN PRIVATE KEY-----MIIEvQ";
  const auto proxy = proxy_of(config_dump(
      active(as_entry(dumped_cluster(
          "web", R"("load_assignment": {"cluster_name": "web", "endpoints": [{"lb_endpoints": [)" +
                     dumped_endpoint("10.0.0.1") + "]}]}, " +
                     R"("transport_socket": {"name": "envoy.transport_sockets.tls", "typed_config": {"@type": )"
                     R"("type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext", )"
                     R"("common_tls_context": {"tls_certificates": [{"private_key": {"inline_string": ")" +
                     secret + R"("}}]}}})"))),
      "",
      R"({"@type": "type.googleapis.com/envoy.admin.v3.SecretsConfigDump", "dynamic_active_secrets": [{"name": "default",)"
      R"( "secret": {"@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret", "name": "default",)"
      R"( "tls_certificate": {"private_key": {"inline_string": ")" +
          secret +
          R"("}}}}]}, {"@type": "type.googleapis.com/envoy.admin.v3.ListenersConfigDump", "dynamic_listeners": [{"name": "in", )"
          R"("active_state": {"listener": {"@type": "type.googleapis.com/envoy.config.listener.v3.Listener", "name": "in", )"
          R"("filter_chains": [{"filters": [{"name": "mine", "typed_config": {"@type": "type.googleapis.com/my.Filter"}}]}]}}, )"
          R"("error_state": {"failed_configuration": {"@type": "type.googleapis.com/envoy.config.listener.v3.Listener"}}}]})"));
  CHECK(proxy.tally().passed_over.at("secret") == 1);
  CHECK(proxy.tally().passed_over.at("filter") == 1);
  CHECK(proxy.tally().passed_over.at("update that the proxy refused") == 1);
  CHECK(describe(proxy.tally()) ==
        "1 cluster, 1 endpoint, 0 routes, 1 listener; ignored 1 TLS or other transport socket, 1 filter, 1 secret, "
        "1 update that the proxy refused");
  const auto reading = proxy.cluster("web");
  INFO(test::rendered(proxy, reading));
  CHECK(reading.scenario.has_value());
  CHECK(test::rendered(proxy, reading).find("MIIEvQ") == std::string::npos);
}

TEST_CASE("A resource of Envoy's second API in a dump is passed over by name", "[envoy][dump]") {
  const auto proxy = proxy_of(
      config_dump(active(as_entry(R"({"@type": "type.googleapis.com/envoy.api.v2.Cluster", "name": "old",
                                      "load_assignment": {"cluster_name": "old"}})") +
                         "," + as_entry(dumped_cluster("new", R"("load_assignment": {"cluster_name": "new"})")))));
  CHECK(proxy.cluster_names() == Names{"new"});
  REQUIRE(test::codes_of(proxy.diagnostics()) == Names{"SP235"});
  CHECK(proxy.diagnostics()[0].severity == Severity::warning);
}

// As Envoy 1.40 prints them.
TEST_CASE("A weight of 0 in a dump's endpoints is that of a locality without one", "[envoy][dump]") {
  const std::string without_weight =
      R"({"endpoint_config": {"cluster_name": "web-eds", "endpoints": [{"locality": {"zone": "eu-1"}, "lb_endpoints": [)" +
      dumped_endpoint("10.0.0.1") +
      R"(], "load_balancing_weight": 0}, {"locality": {"zone": "eu-2"}, "lb_endpoints": [)" +
      dumped_endpoint("10.0.0.2") + R"(], "load_balancing_weight": 3}], "policy": {"overprovisioning_factor": 140}}})";
  const auto proxy = proxy_of(config_dump(active(as_entry(dumped_cluster("web", eds_of_web))),
                                          "\"dynamic_endpoint_configs\": [" + without_weight + "]"));
  const auto reading = proxy.cluster("web");
  INFO(test::rendered(proxy, reading));
  REQUIRE(reading.scenario.has_value());
  const auto& localities = reading.scenario->services[0].load_assignment.endpoints;
  CHECK_FALSE(localities[0].load_balancing_weight);
  CHECK(localities[1].load_balancing_weight == 3);
}

TEST_CASE("A host that its cluster says is draining is so, though a dump's endpoints call it unhealthy",
          "[envoy][dump]") {
  const auto hosts = [](const std::string& status) {
    return dumped_endpoint("10.0.0.1", R"("health_status": "HEALTHY")") + "," +
           dumped_endpoint("10.0.0.2", "\"health_status\": \"" + status + "\"") + "," +
           dumped_endpoint("10.0.0.3", R"("health_status": "UNHEALTHY")");
  };
  const std::string cluster = dumped_cluster(
      "web", R"("type": "STATIC", "load_assignment": {"cluster_name": "web", "endpoints": [{"lb_endpoints": [)" +
                 hosts("DRAINING") + "]}]}");
  const auto proxy = proxy_of(config_dump(
      "\"static_clusters\": [{\"cluster\": " + cluster + "}]",
      R"("static_endpoint_configs": [{"endpoint_config": {"cluster_name": "web", "endpoints": [{"locality": {}, "lb_endpoints": [)" +
          hosts("UNHEALTHY") + R"(], "load_balancing_weight": 0}]}}])"));
  const auto reading = proxy.cluster("web");
  INFO(test::rendered(proxy, reading));
  REQUIRE(reading.scenario.has_value());
  const auto& endpoints = reading.scenario->services[0].load_assignment.endpoints[0].lb_endpoints;
  CHECK(endpoints[1].health_status == config::HealthStatus::draining);
  CHECK(endpoints[2].health_status == config::HealthStatus::unhealthy);
}

}  // namespace spillway::scenario
