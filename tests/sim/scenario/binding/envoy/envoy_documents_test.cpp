// Envoy's own documents as scenarios.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using nlohmann::json;

namespace {

// The bootstrap that a case of the live recordings was played with.
json bootstrap_of(const json& input) {
  json bootstrap = {{"static_resources", {{"clusters", input["clusters"]}}}};
  if (!input["node"].is_null()) {
    bootstrap["node"] = input["node"];
  }
  if (!input["local_cluster"].is_null()) {
    bootstrap["cluster_manager"] = {{"local_cluster_name", input["local_cluster"]}};
  }
  if (!input["runtime"].is_null()) {
    bootstrap["layered_runtime"] = {{"layers", {{{"name", "static"}, {"static_layer", input["runtime"]}}}}};
  }
  return bootstrap;
}

json live_cases() {
  std::ifstream in(SPILLWAY_SOURCE_DIR "/tests/conformance/cases/envoy-live.json");
  return json::parse(in)["cases"];
}

Scenario read(Sources sources, const proxy::EnvoyOptions& options = {}) {
  const Reading reading = read_envoy_texts(std::move(sources), options);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return *reading.scenario;
}

Diagnostic the_refusal(const std::string& marked, const proxy::EnvoyOptions& options = {}) {
  const test::Marked input = test::unmark(marked);
  const Reading reading = read_envoy_texts({{"envoy.yaml", input.text}}, options);
  INFO(input.text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.diagnostics.size() == 1);
  const Diagnostic& diagnostic = reading.diagnostics.front();
  CHECK(diagnostic.where.line == input.place.line);
  CHECK(diagnostic.where.column == input.place.column);
  CHECK(diagnostic.where.length == input.place.length);
  return diagnostic;
}

const std::string host = "{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }";

std::string cluster_with(const std::string& rest) {
  return "name: c\nconnect_timeout: 1s\n" + rest;
}
std::string cluster_of(const std::string& endpoints) {
  return cluster_with("load_assignment: { cluster_name: c, endpoints: [" + endpoints + "] }\n");
}
std::string aggregate_of(const std::string& children) {
  return "cluster_type: { name: envoy.clusters.aggregate, typed_config: { '@type': "
         "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: " +
         children + " } }";
}

}  // namespace

TEST_CASE("Every live configuration is read as a bootstrap", "[envoy]") {
  int read_well = 0;
  for (const json& live : live_cases()) {
    const json& input = live["input"];
    const std::string text = bootstrap_of(input).dump(1);
    const Reading reading =
        read_envoy_texts({{"bootstrap.json", text}}, {.cluster = input["route_cluster"].get<std::string>()});
    INFO(live["name"]);
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario.has_value());
    ++read_well;
    const Scenario& scenario = *reading.scenario;
    const Service& service = scenario.services.at(scenario.clients.at(0).workload.service.value);
    CHECK(service.name == input["route_cluster"].get<std::string>());
    CHECK(scenario.local_cluster.has_value() == !input["local_cluster"].is_null());
    for (const Service& each : scenario.services) {
      std::size_t hosts = 0;
      for (const auto& locality : each.load_assignment.endpoints) {
        hosts += locality.lb_endpoints.size();
      }
      CHECK(hosts == each.hosts.size());
    }
    const config::NodeIndex node = scenario.clients[0].node;
    CHECK(scenario.zones[scenario.nodes[node.value].zone.value].name ==
          (input["node"].is_null() ? std::string() : input["node"]["locality"].value("zone", std::string())));
  }
  CHECK(read_well == 60);
}

TEST_CASE("A bootstrap says the proxy's place, the local cluster and runtime values", "[envoy]") {
  const Scenario scenario =
      read({{"b.yaml",
             "node: { id: proxy-7, cluster: callers, locality: { region: r, zone: a, subZone: s } }\n"
             "admin: {}\n"
             "clusterManager: { localClusterName: local }\n"
             "layeredRuntime:\n"
             "  layers:\n"
             "    - { name: one, static_layer: { upstream.healthy_panic_threshold: 30, other: { x: y } } }\n"
             "    - { name: two, static_layer: { upstream: { healthy_panic_threshold: 0,"
             " zone_routing: { min_cluster_size: 2, force_local_zone: { min_size: 3 }, enabled: \"50\" } } } }\n"
             "    - { name: three, admin_layer: {} }\n"
             "static_resources:\n"
             "  listeners: [{ anything: goes }]\n"
             "  clusters:\n"
             "    - { name: local, load_assignment: { cluster_name: local, endpoints: [{ locality:"
             " { zone: a }, lb_endpoints: [" +
                 host +
                 "] }] } }\n"
                 "    - { name: c, type: STATIC, load_assignment: { cluster_name: x, endpoints: [{ lb_endpoints: [" +
                 host + "] }] } }\n"}});
  CHECK(scenario.mode == Mode::exact);
  CHECK(scenario.clients[0].name == "proxy-7");
  const Node& node = scenario.nodes[scenario.clients[0].node.value];
  CHECK(node.sub_zone == "s");
  CHECK(scenario.zones[node.zone.value].region == "r");
  CHECK(scenario.services[scenario.clients[0].workload.service.value].name == "c");
  REQUIRE(scenario.local_cluster.has_value());
  CHECK(scenario.services[scenario.local_cluster->value].name == "local");
  CHECK(scenario.runtime.healthy_panic_threshold == 0);
  CHECK(scenario.runtime.zone_routing_min_cluster_size == 2);
  CHECK(scenario.runtime.force_local_zone_min_size == 3);
  CHECK(scenario.runtime.zone_routing_enabled == 50);
}

TEST_CASE("Endpoints are called by address and port, and keep health, weight, priority and locality", "[envoy]") {
  const Scenario scenario = read(
      {{"c.yaml",
        "name: c\n"
        "lbPolicy: RANDOM\n"
        "loadAssignment:\n"
        "  clusterName: c\n"
        "  policy: { overprovisioningFactor: 200, weightedPriorityHealth: true }\n"
        "  endpoints:\n"
        "    - locality: { region: r, zone: z }\n"
        "      priority: 1\n"
        "      loadBalancingWeight: 7\n"
        "      lbEndpoints:\n"
        "        - { endpoint: { address: { socketAddress: { address: 10.0.0.1, portValue: 80 } }, hostname: one }, "
        "healthStatus: DRAINING, loadBalancingWeight: 5 }\n"
        "        - { endpoint: { address: { socketAddress: { address: \"::1\", portValue: 81 } } }, metadata: null }\n"
        "        - { endpoint: { address: { pipe: { path: /run/x } } }, healthStatus: DEGRADED }\n"
        "    - { priority: 3 }\n"}});
  const Service& service = scenario.services.at(0);
  REQUIRE(service.hosts.size() == 3);
  CHECK(scenario.endpoints[0].id == "10.0.0.1:80");
  CHECK(scenario.endpoints[1].id == "[::1]:81");
  CHECK(scenario.endpoints[2].id == "/run/x");
  CHECK(scenario.clients[0].name == "envoy");
  CHECK(service.load_assignment.overprovisioning_factor == 200);
  CHECK(service.load_assignment.weighted_priority_health);
  REQUIRE(service.load_assignment.endpoints.size() == 2);
  const auto& first = service.load_assignment.endpoints[0];
  CHECK(first.load_balancing_weight == 7);
  CHECK(first.priority.value == 1);
  CHECK(first.locality == config::Locality{"r", "z", ""});
  CHECK(first.lb_endpoints[0].health_status == config::HealthStatus::draining);
  CHECK(first.lb_endpoints[0].load_balancing_weight == 5);
  CHECK(first.lb_endpoints[2].health_status == config::HealthStatus::degraded);
  CHECK(service.load_assignment.endpoints[1].lb_endpoints.empty());
  CHECK(std::holds_alternative<envoy::policies::random::Config>(service.cluster.lb_policy));
}

TEST_CASE("A Cluster and its ClusterLoadAssignment may stand in two files", "[envoy]") {
  const std::string cluster =
      "{\"name\": \"c\", \"type\": \"EDS\", \"edsClusterConfig\": {\"edsConfig\": {}, \"serviceName\": \"s\"}}";
  const std::string assignment =
      "cluster_name: s\n"
      "endpoints:\n"
      "  - { priority: 1, lb_endpoints: [" +
      host +
      "] }\n"
      "  - { priority: 0, lb_endpoints: [" +
      host + ", " + host + "] }\n";
  const Scenario scenario = read({{"c.json", cluster}, {"eds.yaml", assignment}});
  // EDS keeps an address once, where it is listed first (a real Envoy: whatever the priorities).
  CHECK(scenario.services[0].hosts.size() == 1);
  CHECK(scenario.services[0].load_assignment.endpoints[1].lb_endpoints.empty());
  const std::string response =
      "version_info: '1'\nresources:\n- '@type': type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment\n"
      "  cluster_name: s\n  endpoints: [{ lb_endpoints: [" +
      host + "] }]\n";
  CHECK(read({{"c.json", cluster}, {"eds.yaml", response}}).services[0].hosts.size() == 1);
  const Reading missing = read_envoy_texts({{"c.json", cluster}});
  CHECK(test::codes_of(missing.diagnostics) == std::vector<std::string>{"SP136"});
  const Reading alone = read_envoy_texts({{"eds.yaml", assignment}});
  CHECK(test::codes_of(alone.diagnostics) == std::vector<std::string>{"SP136"});
}

TEST_CASE("An aggregate brings its children, and passes over those that are not there", "[envoy]") {
  const std::string text =
      "clusters:\n"
      "  - { name: all, lb_policy: CLUSTER_PROVIDED, " +
      aggregate_of("[p, gone, s]") +
      " }\n"
      "  - { name: s, load_assignment: { cluster_name: s, endpoints: [{ lb_endpoints: [" +
      host +
      "] }] } }\n"
      "  - { name: p, load_assignment: { cluster_name: p } }\n"
      "  - { name: unrelated, lb_policy: MAGLEV }\n";
  const Reading reading = read_envoy_texts({{"x.yaml", text}}, {.cluster = "all"});
  CHECK(test::codes_of(reading.diagnostics) == std::vector<std::string>{"SP205"});
  REQUIRE(reading.scenario.has_value());
  CHECK(members_of(*reading.scenario, config::ServiceIndex{0}) ==
        std::vector{config::ServiceIndex{1}, config::ServiceIndex{2}});
  CHECK(reading.scenario->services[1].name == "p");
}

TEST_CASE("What Envoy or this version refuses is told with its place", "[envoy]") {
  const auto code = [](const std::string& marked, const proxy::EnvoyOptions& options = {}) {
    return the_refusal(marked, options).code;
  };
  CHECK(code(cluster_of("{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: "
                        "«65536» } } } }] }")) == "SP023");
  CHECK(code(cluster_of("{ priority: «129» }")) == "SP023");
  CHECK(code(cluster_of("{ load_balancing_weight: «0» }")) == "SP023");
  CHECK(code(cluster_of(
            "{ lb_endpoints: [{ endpoint: { address: { pipe: { path: a } } }, load_balancing_weight: «0» }] }")) ==
        "SP023");
  CHECK(code(cluster_of(
            "{ lb_endpoints: [{ endpoint: { address: { pipe: { path: a } } }, health_status: «SICK» }] }")) == "SP025");
  CHECK(code(cluster_of("{ lb_endpoints: [«{» health_status: HEALTHY }] }")) == "SP021");
  CHECK(code(cluster_of("{ lb_endpoints: [], «leds_cluster_locality_config»: {} }")) == "SP301");
  CHECK(code(cluster_with("load_assignment: { cluster_name: c, policy: { overprovisioning_factor: «0» } }\n")) ==
        "SP023");
  CHECK(code(cluster_with("common_lb_config: { healthy_panic_threshold: { value: «-1» } }\n")) == "SP023");
  CHECK(code(cluster_with("common_lb_config: { zone_aware_lb_config: {}, «locality_weighted_lb_config»: {} }\n")) ==
        "SP027");
  CHECK(code(cluster_with("cluster_type: { name: «unknown» }\n")) == "SP302");
  CHECK(code(cluster_with("lb_policy: «CLUSTER_PROVIDED»\n")) == "SP131");
  CHECK(code(cluster_with(aggregate_of("«[»]") + "\nlb_policy: CLUSTER_PROVIDED\n")) == "SP026");
  CHECK(code("clusters: [{ name: a }, { name: all, " + aggregate_of("[a]") + ", lb_policy: «RANDOM» }]\n",
             {.cluster = "all"}) == "SP131");
  CHECK(code("clusters: [{ name: a }, «{» name: b }]\n") == "SP135");
  CHECK(code("clusters: [«{» name: backend }, { name: b }]\n", {.cluster = "bakend"}) == "SP103");
  CHECK(code("clusters: [{ name: a }, «{» name: a }]\n", {.cluster = "a"}) == "SP101");
  CHECK(code("static_resources: { clusters: [{ name: a }] }\ncluster_manager: { local_cluster_name: «b» }\n") ==
        "SP137");
  CHECK(code("static_resources: { clusters: [{ name: a }, «{» name: b, load_assignment: { cluster_name: b, endpoints: "
             "[{ priority: 1 }] } }] }\ncluster_manager: { local_cluster_name: b }\n") == "SP129");
  CHECK(code("static_resources: { clusters: [{ name: a }] }\ndynamic_resources: { «cds_config»: {} }\n") == "SP233");
  CHECK(code("static_resources: { clusters: [{ name: a }] }\nlayered_runtime: { layers: [{ name: x, «rtds_layer»: { "
             "name: r } "
             "}] }\n") == "SP233");
  CHECK(code("static_resources: { clusters: [{ name: a }] }\nlayered_runtime: { layers: [{ name: x, static_layer: "
             "{ upstream.healthy_panic_threshold: «half» } }] }\n") == "SP213");
  CHECK(code("«apples»: 1\n") == "SP134");
  CHECK(code("«-» 1\n") == "SP134");
  CHECK(code("resources: [«{» '@type': type.googleapis.com/x.Y }]\n") == "SP134");
}

TEST_CASE("A field that Envoy does not have is refused with a suggestion", "[envoy]") {
  const Diagnostic diagnostic = the_refusal(cluster_with("«lb_polcy»: RANDOM\n"));
  CHECK(diagnostic.code == "SP020");
  CHECK(diagnostic.helps == std::vector<std::string>{"did you mean `lb_policy`?"});
}

TEST_CASE("A wrong cluster that no request reaches is not looked at", "[envoy]") {
  const Reading reading =
      read_envoy_texts({{"x.yaml", "clusters: [{ name: a }, { name: b, nonsense: 1 }]\n"}}, {.cluster = "a"});
  CHECK(reading.scenario.has_value());
  CHECK(reading.diagnostics.empty());
}

TEST_CASE("Names of a DNS cluster are counted as one host each, with a warning", "[envoy]") {
  const Reading reading =
      read_envoy_texts({{"x.yaml", cluster_of("{ lb_endpoints: [{ endpoint: { address: { socket_address: { "
                                              "address: backend.example, port_value: 80 } } } }] }") +
                                       "type: STRICT_DNS\n"}});
  CHECK(reading.scenario.has_value());
  CHECK(test::codes_of(reading.diagnostics) == std::vector<std::string>{"SP204"});
}

TEST_CASE("A share can be asked of a scenario as well as of Envoy's documents", "[envoy]") {
  const std::string path = SPILLWAY_SOURCE_DIR "/scenarios/documented/priority-two-levels.yaml";
  const Reading scenario = read_share_input({path});
  REQUIRE(scenario.scenario.has_value());
  CHECK(scenario.scenario->name == "priority, two levels");
  CHECK(test::codes_of(read_envoy_texts({{"x.yaml", test::scenario_with("")}}).diagnostics) ==
        std::vector<std::string>{"SP134"});
  CHECK(test::codes_of(read_share_input({path, path}).diagnostics) == std::vector<std::string>{"SP134", "SP134"});
  CHECK(test::codes_of(read_share_input({"/nonexistent"}).diagnostics) == std::vector<std::string>{"SP001"});
}

TEST_CASE("Every field of Envoy's API is played, without influence, or refused by name", "[envoy]") {
  // Field names of envoy/config/cluster/v3/cluster.proto, bootstrap.proto and endpoint_components.proto.
  const auto check_known = [](const char* before, const char* after, const std::vector<const char*>& names) {
    for (const char* name : names) {
      const Reading reading = read_envoy_texts({{"x.yaml", std::string(before) + name + ": {}" + after}});
      INFO(name);
      for (const Diagnostic& diagnostic : reading.diagnostics) {
        CHECK(diagnostic.code != "SP020");
      }
    }
  };
  check_known("{ name: c, ", " }",
              {"transport_socket_matches",
               "transport_socket_matcher",
               "alt_stat_name",
               "type",
               "cluster_type",
               "eds_cluster_config",
               "connect_timeout",
               "per_connection_buffer_limit_bytes",
               "lb_policy",
               "load_assignment",
               "health_checks",
               "max_requests_per_connection",
               "circuit_breakers",
               "upstream_http_protocol_options",
               "common_http_protocol_options",
               "http_protocol_options",
               "http2_protocol_options",
               "typed_extension_protocol_options",
               "dns_refresh_rate",
               "dns_jitter",
               "dns_failure_refresh_rate",
               "respect_dns_ttl",
               "dns_lookup_family",
               "dns_resolvers",
               "use_tcp_for_dns_lookups",
               "dns_resolution_config",
               "typed_dns_resolver_config",
               "wait_for_warm_on_init",
               "outlier_detection",
               "cleanup_interval",
               "upstream_bind_config",
               "lb_subset_config",
               "ring_hash_lb_config",
               "maglev_lb_config",
               "original_dst_lb_config",
               "least_request_lb_config",
               "round_robin_lb_config",
               "common_lb_config",
               "transport_socket",
               "metadata",
               "protocol_selection",
               "upstream_connection_options",
               "close_connections_on_host_health_failure",
               "ignore_health_on_host_removal",
               "filters",
               "load_balancing_policy",
               "lrs_server",
               "lrs_report_endpoint_metrics",
               "track_timeout_budgets",
               "upstream_config",
               "track_cluster_stats",
               "preconnect_policy",
               "connection_pool_per_downstream_connection"});
  check_known("{ name: c, common_lb_config: { ", " } }",
              {"healthy_panic_threshold", "zone_aware_lb_config", "locality_weighted_lb_config", "update_merge_window",
               "ignore_new_hosts_until_first_hc", "close_connections_on_host_set_change",
               "consistent_hashing_lb_config", "override_host_status"});
  check_known("{ name: c, load_assignment: { cluster_name: c, ", " } }", {"endpoints", "named_endpoints", "policy"});
  check_known("{ name: c, load_assignment: { cluster_name: c, policy: { ", " } } }",
              {"drop_overloads", "overprovisioning_factor", "endpoint_stale_after", "weighted_priority_health"});
  check_known("{ name: c, load_assignment: { cluster_name: c, endpoints: [{ ", " }] } }",
              {"locality", "metadata", "lb_endpoints", "load_balancer_endpoints", "leds_cluster_locality_config",
               "load_balancing_weight", "priority", "proximity"});
  check_known("{ name: c, load_assignment: { cluster_name: c, endpoints: [{ lb_endpoints: [{ ", " }] }] } }",
              {"endpoint", "endpoint_name", "health_status", "metadata", "load_balancing_weight"});
  check_known("{ admin: {}, static_resources: { clusters: [{ name: c }] }, ", " }",
              {"node",
               "node_context_params",
               "dynamic_resources",
               "cluster_manager",
               "hds_config",
               "flags_path",
               "stats_sinks",
               "deferred_stat_options",
               "stats_config",
               "stats_flush_interval",
               "stats_flush_on_admin",
               "stats_eviction_interval",
               "watchdog",
               "watchdogs",
               "tracing",
               "layered_runtime",
               "overload_manager",
               "enable_dispatcher_stats",
               "header_prefix",
               "stats_server_version_override",
               "use_tcp_for_dns_lookups",
               "dns_resolution_config",
               "typed_dns_resolver_config",
               "bootstrap_extensions",
               "fatal_actions",
               "config_sources",
               "default_config_source",
               "default_socket_interface",
               "certificate_provider_instances",
               "inline_headers",
               "perf_tracing_file_path",
               "default_regex_engine",
               "xds_delegate_extension",
               "xds_config_tracker_extension",
               "listener_manager",
               "application_log_config",
               "grpc_async_client_manager_config",
               "memory_allocator_manager"});
}

// Tried on Envoy 1.40: with these values and `consecutive_5xx: 3` the host that answers 503 is ejected after three
// errors of 600 requests, and 200 of the 600 to `b` fail without a retry (upstream_rq_retry_overflow 200).
TEST_CASE("Runtime keys of outlier detection and circuit breakers take the place of what clusters say", "[envoy]") {
  const std::string text =
      "static_resources:\n"
      "  clusters:\n"
      "    - { name: a, type: STATIC, outlier_detection: { consecutive_5xx: 3, max_ejection_percent: 10 } }\n"
      "    - { name: b, type: STATIC, circuit_breakers: { thresholds: [{ priority: HIGH, max_requests: 7 }] } }\n"
      "layered_runtime:\n"
      "  layers:\n"
      "    - name: s\n"
      "      static_layer:\n"
      "        outlier_detection: { max_ejection_percent: 150, interval_ms: 1500, enforcing_success_rate: '0', "
      "consecutive_gateway_failure: -1 }\n"
      "        circuit_breakers.b.default: { max_retries: 0, retry_budget: { budget_percent: 12.5 } }\n"
      "        circuit_breakers.b.high.max_requests: 9\n";
  const auto cluster = [&](const std::string& name) {
    proxy::EnvoyOptions options;
    options.cluster = name;
    const Reading reading = read_envoy_texts({{"b.yaml", text}}, options);
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario.has_value());
    return reading.scenario->services[0].cluster;
  };
  const auto detection = cluster("a").outlier_detection;
  REQUIRE(detection.has_value());
  CHECK(detection->consecutive_5xx == 3);
  CHECK(detection->max_ejection_percent == 100);
  CHECK(detection->interval == std::chrono::milliseconds{1500});
  CHECK(detection->enforcing_success_rate == 0);
  CHECK(detection->consecutive_gateway_failure == 5);
  CHECK_FALSE(cluster("b").outlier_detection.has_value());
  const auto& thresholds = cluster("b").circuit_breakers.thresholds;
  REQUIRE(thresholds.size() == 2);
  CHECK(thresholds[0].max_requests == 9);
  CHECK(thresholds[1].priority == config::RoutingPriority::default_priority);
  CHECK(thresholds[1].max_retries == 0);
  REQUIRE(thresholds[1].retry_budget.has_value());
  CHECK(thresholds[1].retry_budget->budget_percent == config::Percent{12.5});
  CHECK(cluster("a").circuit_breakers.thresholds.empty());
}

TEST_CASE("A runtime key that Envoy asks for and that is not simulated is told, and no key of anybody else",
          "[envoy]") {
  const auto codes_of_layer = [](const std::string& layer) {
    return test::codes_of(read_envoy_texts({{"b.yaml",
                                             "static_resources: { clusters: [{ name: a, type: STATIC }] }\n"
                                             "layered_runtime: { layers: [{ name: s, static_layer: { " +
                                                 layer + " } }] }\n"}})
                              .diagnostics);
  };
  using Codes = std::vector<std::string>;
  CHECK(codes_of_layer("upstream: { use_retry: 0, maintenance_mode: { a: 100 } }") == Codes{"SP238", "SP238"});
  CHECK(codes_of_layer("health_check.min_interval: 500") == Codes{"SP238"});
  CHECK(codes_of_layer("overload: { global_downstream_max_connections: 5 }, routing.canary: 3").empty());
}
