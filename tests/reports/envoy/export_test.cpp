// What an export writes for the parts of a scenario, held against the field names of Envoy's API.
#include "reports/envoy/export.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/scenario/route.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::reports::envoy_export;
using nlohmann::json;

namespace {

namespace policies = envoy::policies;

json document(const Export& exported, const std::string& path) {
  for (const ExportedFile& file : exported.files) {
    if (file.path == path) {
      return json::parse(file.text);
    }
  }
  FAIL("no file " << path);
  return {};
}

bool has_file(const Export& exported, const std::string& path) {
  return std::any_of(exported.files.begin(), exported.files.end(),
                     [&](const ExportedFile& file) { return file.path == path; });
}

Export well_exported(const scenario::Scenario& scenario, const ExportOptions& options = {}) {
  Export exported = export_envoy(scenario, options);
  INFO((exported.problems.empty() ? "" : exported.problems.front().what));
  REQUIRE(exported.problems.empty());
  return exported;
}

json cluster_of(const scenario::Scenario& scenario) {
  return document(well_exported(scenario), "bootstrap.json").at("static_resources").at("clusters").at(0);
}

json policy_of(const policies::Config& policy) {
  scenario::Scenario scenario = support::one_service({2});
  scenario.services.front().cluster.lb_policy = policy;
  return cluster_of(scenario)
      .at("load_balancing_policy")
      .at("policies")
      .at(0)
      .at("typed_extension_config")
      .at("typed_config");
}

// A client whose requests take the only route.
scenario::Scenario with_route(scenario::Route route) {
  scenario::Scenario scenario = support::one_service({2});
  route.route.action.clusters = {{"backend"}};
  route.clusters = {{0}};
  scenario.routes.push_back(std::move(route));
  scenario.clients.front().workload.requests.push_back(
      {.name = "user", .request = {.headers = {{":path", "/"}, {"x-user", "u1"}}}, .weight = 2.0});
  return scenario;
}

json inbound_host(const Export& exported) {
  return document(exported, "bootstrap.json")
      .at(json::json_pointer(
          "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0"));
}

}  // namespace

TEST_CASE("hash policies are exported with their sizes and their hash") {
  const json ring = policy_of(policies::ring_hash::Config{
      policies::ring_hash::HashFunction::murmur_hash_2, 100, 200, {.hash_balance_factor = 120}});
  CHECK(ring.at("@type") == "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash");
  CHECK(ring.at("hash_function") == "MURMUR_HASH_2");
  CHECK(ring.at("minimum_ring_size") == 100);
  CHECK(ring.at("maximum_ring_size") == 200);
  CHECK(ring.at("consistent_hashing_lb_config").at("hash_balance_factor") == 120);
  const json maglev = policy_of(policies::maglev::Config{.table_size = 101});
  CHECK(maglev.at("table_size") == 101);
}

TEST_CASE("least request is exported with its choices bias and slow start") {
  policies::least_request::Config config;
  config.choice_count = 3;
  config.active_request_bias = 0.5;
  config.selection_method = policies::least_request::SelectionMethod::full_scan;
  config.slow_start_config.slow_start_window = std::chrono::seconds{30};
  const json policy = policy_of(config);
  CHECK(policy.at("choice_count") == 3);
  CHECK(policy.at("active_request_bias").at("default_value") == 0.5);
  CHECK(policy.at("selection_method") == "FULL_SCAN");
  CHECK(policy.at("slow_start_config").at("slow_start_window") == "30s");
}

TEST_CASE("subsets are exported with selectors fallbacks and the policy inside") {
  policies::subset::Config config;
  config.fallback_policy = policies::subset::FallbackPolicy::default_subset;
  config.default_subset.set("stage", "prod");
  config.subset_selectors = {{.keys = {"stage", "version"},
                              .fallback_policy = policies::subset::SelectorFallbackPolicy::keys_subset,
                              .fallback_keys_subset = {"stage"}}};
  config.subset_lb_policy = policies::ChildPolicy(policies::PolicyConfig{policies::random::Config{}});
  const json policy = policy_of(config);
  CHECK(policy.at("fallback_policy") == "DEFAULT_SUBSET");
  CHECK(policy.at("default_subset").at("stage") == "prod");
  CHECK(policy.at("subset_selectors").at(0).at("fallback_policy") == "KEYS_SUBSET");
  CHECK(policy.at("subset_selectors").at(0).at("fallback_keys_subset").at(0) == "stage");
  CHECK(policy.at("subset_lb_policy").at("policies").at(0).at("typed_extension_config").at("name") ==
        "envoy.load_balancing_policies.random");
}

TEST_CASE("an endpoint is hashed by what the scenario hashes") {
  scenario::Scenario scenario = support::one_service({3});
  auto& endpoints = scenario.services.front().load_assignment.endpoints.front().lb_endpoints;
  endpoints[1].address = "127.9.8.7:8080";
  endpoints[2].metadata.set("hash_key", "own");
  const auto exported = cluster_of(scenario).at("load_assignment").at("endpoints").at(0).at("lb_endpoints");
  const auto lb = [&](std::size_t i) { return exported.at(i).at("metadata").at("filter_metadata").at("envoy.lb"); };
  CHECK(lb(0).at("hash_key") == "backend-1");
  CHECK_FALSE(exported.at(1).contains("metadata"));
  CHECK(exported.at(1).at("endpoint").at("address").at("socket_address").at("port_value") == 8080);
  CHECK(lb(2).at("hash_key") == "own");
}

TEST_CASE("a route is exported with its hash policy retries session and timeout") {
  scenario::Route route;
  route.route.match.headers = {{.name = "x-user"}};
  route.route.action.hash_policy = {{envoy::routes::HeaderHash{"x-user"}, true}};
  route.route.action.metadata_match.emplace();
  route.route.action.metadata_match->set("stage", "prod");
  route.retry_policy.emplace();
  route.retry_policy->retry_on.set(config::RetryOn::on_5xx);
  route.retry_policy->retry_on.set(config::RetryOn::reset);
  route.retry_policy->retry_host_predicate = {config::PreviousHosts{}};
  route.timeout = std::chrono::milliseconds{1500};
  route.stateful_session = envoy::StatefulSession{.name = "session", .strict = true};
  route.delayed_per_million = 300'000;
  route.delay = std::chrono::seconds{2};
  const Export exported = well_exported(with_route(route));
  const json host = inbound_host(exported);
  const json& written = host.at("routes").at(0);
  CHECK(written.at("match").at("headers").at(0).at("present_match") == true);
  const json& action = written.at("route");
  CHECK(action.at("hash_policy").at(0).at("header").at("header_name") == "x-user");
  CHECK(action.at("hash_policy").at(0).at("terminal") == true);
  CHECK(action.at("metadata_match").at("filter_metadata").at("envoy.lb").at("stage") == "prod");
  CHECK(action.at("retry_policy").at("retry_on") == "5xx,reset");
  CHECK(action.at("timeout") == "1.5s");
  CHECK(written.at("typed_per_filter_config")
            .at("envoy.filters.http.stateful_session")
            .at("stateful_session")
            .at("strict") == true);
  CHECK(written.at("typed_per_filter_config").at("envoy.filters.http.fault").at("delay") ==
        json({{"fixed_delay", "2s"}, {"percentage", {{"numerator", 300'000}, {"denominator", "MILLION"}}}}));
  const json requests = document(exported, "requests.json").at("requests");
  CHECK(requests.at(0).at("weight") == 2.0);
  CHECK(requests.at(0).at("headers").at(1) == json::array({"x-user", "u1"}));
}

TEST_CASE("a route is exported with the query parameters that it asks for") {
  using Kind = envoy::routes::QueryParameterMatcher::Kind;
  scenario::Route route;
  route.route.match.query_parameters = {{.name = "beta"},
                                        {.name = "user", .kind = Kind::exact, .value = "u1"},
                                        {.name = "page", .kind = Kind::regex, .value = "[0-9]+"}};
  const scenario::Scenario scenario = with_route(route);
  const json match = inbound_host(well_exported(scenario)).at("routes").at(0).at("match");
  CHECK(match.at("query_parameters") ==
        json::array({{{"name", "beta"}, {"present_match", true}},
                     {{"name", "user"}, {"string_match", {{"exact", "u1"}}}},
                     {{"name", "page"}, {"string_match", {{"safe_regex", {{"regex", "[0-9]+"}}}}}}}));
}

TEST_CASE("endpoints that fail answer so and endpoints that are gone do not listen") {
  scenario::Scenario scenario = support::one_service({3});
  scenario.changes.push_back(
      {std::chrono::seconds{1}, scenario::Fails{.service = {0}, .hosts = {{1}}, .fraction = 0.25, .status = 500}, {}});
  scenario.changes.push_back(
      {std::chrono::seconds{1}, scenario::Existence{.service = {0}, .hosts = {{2}}, .exists = false}, {}});
  const Export before = well_exported(scenario);
  const Export after = well_exported(scenario, {.at = std::chrono::seconds{1}});
  const auto chains = [](const Export& exported) {
    return document(exported, "bootstrap.json").at("static_resources").at("listeners").at(1).at("filter_chains");
  };
  CHECK(chains(before).size() == 1);
  REQUIRE(chains(after).size() == 2);
  CHECK(chains(after).at(0).at("filter_chain_match").at("prefix_ranges").at(0).at("address_prefix") == "127.1.0.2");
  CHECK(chains(after).at(0).dump().find("\"numerator\":250000") != std::string::npos);
  CHECK(document(after, "endpoints.json").at("127.1.0.3:15003").at("endpoint") == "backend-3");
}

TEST_CASE("an endpoint that is gone is not exported as there when its node comes back") {
  scenario::Scenario scenario = support::one_service({2});
  scenario.changes = {
      {std::chrono::seconds{1}, scenario::Existence{.service = {0}, .hosts = {{0}}, .exists = false}, {}},
      {std::chrono::seconds{2}, scenario::NodeOutage{.node = {0}, .on = false}, {}},
      {std::chrono::seconds{3}, scenario::NodeOutage{.node = {0}, .on = true}, {}}};
  const auto endpoint_at = [&](std::chrono::seconds at, const std::string& address) {
    const json endpoints = document(well_exported(scenario, {.at = at}), "endpoints.json");
    return endpoints.contains(address) ? endpoints.at(address).at("endpoint").get<std::string>() : "nobody";
  };
  CHECK(endpoint_at(std::chrono::seconds{0}, "127.1.0.1:15002") == "backend-1");
  CHECK(endpoint_at(std::chrono::seconds{2}, "127.1.0.2:15003") == "backend-2");
  CHECK(endpoint_at(std::chrono::seconds{3}, "127.1.0.1:15003") == "backend-1");
  CHECK(endpoint_at(std::chrono::seconds{3}, "127.1.0.2:15002") == "backend-2");
}

TEST_CASE("an endpoint is exported with the weight that the proxy was told last") {
  scenario::Scenario scenario = support::one_service({2});
  scenario.changes = {{std::chrono::seconds{1}, scenario::EdsWeights{.service = {0}, .hosts = {{{1}, 5}}}, {}}};
  const auto weights_at = [&](std::chrono::seconds at) {
    const json eds = document(well_exported(scenario, {.at = at}), "eds/backend.json");
    std::vector<std::uint32_t> weights;
    for (const json& endpoint : eds.at("resources").at(0).at("endpoints").at(0).at("lb_endpoints")) {
      weights.push_back(endpoint.at("load_balancing_weight"));
    }
    return weights;
  };
  CHECK(weights_at(std::chrono::seconds{0}) == std::vector<std::uint32_t>{1, 1});
  CHECK(weights_at(std::chrono::seconds{1}) == std::vector<std::uint32_t>{1, 5});
}

TEST_CASE("a TCP health check without a payload is exported, since every listener takes connections") {
  scenario::Scenario scenario = support::one_service({2});
  config::HealthCheck check;
  check.timeout = std::chrono::seconds{1};
  check.interval = std::chrono::seconds{5};
  check.unhealthy_threshold = 3;
  check.healthy_threshold = 1;
  check.health_checker = config::TcpHealthCheck{};
  const auto problems = [&] {
    scenario.services.front().cluster.health_checks = {check};
    return export_envoy(scenario, {}).problems;
  };
  CHECK(problems().empty());
  CHECK(cluster_of(scenario).at("health_checks").at(0).contains("tcp_health_check"));
  check.health_checker = config::TcpHealthCheck{.receive = {"PONG"}};
  CHECK(problems().size() == 1);
  check.health_checker = config::GrpcHealthCheck{};
  CHECK(problems().size() == 1);
}

TEST_CASE("checked endpoints answer from a process of their own") {
  scenario::Scenario scenario = support::one_service({2});
  config::HealthCheck check;
  check.timeout = std::chrono::seconds{1};
  check.interval = std::chrono::seconds{1};
  check.unhealthy_threshold = 2;
  check.healthy_threshold = 1;
  check.health_checker = config::HttpHealthCheck{.path = "/healthz"};
  scenario.services.front().cluster.health_checks = {check};
  const Export exported = well_exported(scenario);
  CHECK(document(exported, "bootstrap.json").at("static_resources").at("listeners").size() == 1);
  CHECK(document(exported, "upstream.json").at("static_resources").at("listeners").size() == 1);
  CHECK(cluster_of(scenario).at("health_checks").at(0).at("http_health_check").at("path") == "/healthz");
  CHECK_FALSE(has_file(well_exported(support::one_service({2})), "upstream.json"));
}

TEST_CASE("a part that a real Envoy cannot have is a problem and not left out") {
  scenario::Scenario resets = support::one_service({2});
  resets.changes.push_back(
      {{}, scenario::Fails{.service = {0}, .hosts = {{0}}, .fraction = 1.0, .failure = scenario::Failure::reset}, {}});
  REQUIRE(export_envoy(resets, {}).problems.size() == 1);
  CHECK(export_envoy(resets, {}).problems.front().what.find("`backend-1`") != std::string::npos);
  scenario::Scenario state = with_route({});
  state.clients.front().workload.requests.front().request.filter_state["key"] = 1;
  CHECK(export_envoy(state, {}).problems.size() == 1);
}

TEST_CASE("original destinations are renamed and never lead away from loopback") {
  scenario::Scenario scenario = with_route({});
  scenario::Service& service = scenario.services.front();
  service.load_assignment.endpoints.front().lb_endpoints.front().address = "10.0.0.1:80";
  service.cluster.original_dst =
      policies::original_dst::Config{.use_http_header = true, .upstream_port_override = std::uint16_t{8080}};
  auto& headers = scenario.clients.front().workload.requests.front().request.headers;
  headers.emplace_back("X-Envoy-Original-Dst-Host", "10.0.0.1:80");
  const Export exported = well_exported(scenario);
  CHECK(document(exported, "requests.json").at("requests").at(0).at("headers").at(2).at(1) == "127.1.0.1:8080");
  const json cluster = document(exported, "bootstrap.json").at("static_resources").at("clusters").at(0);
  CHECK(cluster.at("type") == "ORIGINAL_DST");
  CHECK_FALSE(cluster.contains("load_assignment"));
  CHECK(cluster.at("original_dst_lb_config").at("upstream_port_override") == 8080);
  headers.back().second = "10.0.0.2:80";
  REQUIRE(export_envoy(scenario, {}).problems.size() == 1);
}
