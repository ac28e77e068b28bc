#include "reports/import/import.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>

#include "reports/import/yaml_text.hpp"
#include "sim/compare/prediction.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

using namespace spillway;

namespace {

scenario::Scenario envoy_world(const std::string& text, const std::string& cluster = "") {
  auto reading = scenario::read_envoy_texts({{"bootstrap.yaml", text}}, {.cluster = cluster});
  REQUIRE(reading.scenario.has_value());
  return std::move(*reading.scenario);
}

scenario::Scenario scenario_world(const std::string& text) {
  auto reading = scenario::read_scenario_text("imported.yaml", text);
  INFO(text);
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.code << " " << problem.message << " line " << problem.where.line);
    CHECK(problem.severity == Severity::warning);
  }
  REQUIRE(reading.scenario.has_value());
  return std::move(*reading.scenario);
}

// Shares of hosts by their zone, priority, weight and place in their group's order of health.
std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<double>> shares_of(
    const scenario::Scenario& world) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<double>> shares;
  for (const auto& host : compare::predict(world, {}).hosts) {
    shares[{host.locality.zone, host.priority.value, host.weight}].push_back(host.share);
  }
  for (auto& [place, list] : shares) {
    std::sort(list.begin(), list.end());
  }
  return shares;
}

const char* const shop = R"(
node: { id: shop-7, cluster: shop, locality: { region: r, zone: z1 } }
cluster_manager: { local_cluster_name: shop }
static_resources:
  clusters:
  - name: shop
    type: STATIC
    load_assignment:
      cluster_name: shop
      endpoints:
      - { locality: { region: r, zone: z1 }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.1.0.1, port_value: 80 } } } }] }
      - { locality: { region: r, zone: z2 }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.1.0.2, port_value: 80 } } } }] }
  - name: backend
    type: STATIC
    lb_policy: POLICY
    common_lb_config: { healthy_panic_threshold: { value: 30 } }
    load_assignment:
      cluster_name: backend
      policy: { overprovisioning_factor: 120 }
      endpoints:
      - locality: { region: r, zone: z1 }
        lb_endpoints:
        - { endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }
        - { endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }, health_status: UNHEALTHY }
        - { endpoint: { address: { socket_address: { address: 10.0.0.3, port_value: 80 } } } }
        - { endpoint: { address: { socket_address: { address: 10.0.0.4, port_value: 80 } } }, load_balancing_weight: 3 }
      - locality: { region: r, zone: z2, sub_zone: rack-1 }
        lb_endpoints:
        - { endpoint: { address: { socket_address: { address: 10.0.1.1, port_value: 80 } } }, health_status: DEGRADED }
        - { endpoint: { address: { socket_address: { address: 10.0.1.2, port_value: 80 } } }, health_status: DRAINING }
        - { endpoint: { address: { socket_address: { address: 10.0.1.3, port_value: 80 } } } }
      - locality: { region: r2, zone: z1 }
        priority: 1
        lb_endpoints:
        - { endpoint: { address: { socket_address: { address: 10.0.2.1, port_value: 80 } } } }
        - { endpoint: { address: { socket_address: { address: 10.0.2.2, port_value: 80 } } } }
)";

std::string shop_with(const std::string& policy) {
  std::string text = shop;
  text.replace(text.find("POLICY"), 6, policy);
  return text;
}

}  // namespace

TEST_CASE("an imported scenario has the shares of its documents") {
  const std::string policy = GENERATE("ROUND_ROBIN", "RANDOM", "LEAST_REQUEST", "RING_HASH", "MAGLEV");
  const scenario::Scenario original = envoy_world(shop_with(policy), "backend");
  const std::string text = reports::importing::import_scenario({.proxies = {{{&original}}}}).text;
  const scenario::Scenario imported = scenario_world(text);
  const auto expected = shares_of(original);
  const auto found = shares_of(imported);
  INFO(text);
  REQUIRE(found.size() == expected.size());
  for (const auto& [place, list] : expected) {
    REQUIRE(found.contains(place));
    REQUIRE(found.at(place).size() == list.size());
    for (std::size_t host = 0; host < list.size(); ++host) {
      CHECK(found.at(place)[host] == Approx(list[host]).margin(1e-12));
    }
  }
}

TEST_CASE("of a locality that is listed several times the last weight is imported") {
  const scenario::Scenario original = envoy_world(R"(
clusters:
- name: web
  type: STATIC
  common_lb_config: { locality_weighted_lb_config: {} }
  load_assignment:
    cluster_name: web
    endpoints:
    - { locality: { zone: z1 }, load_balancing_weight: 9, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }
    - { locality: { zone: z2 }, load_balancing_weight: 1, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }
    - { locality: { zone: z1 }, load_balancing_weight: 3, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.3, port_value: 80 } } } }] }
    - { locality: { zone: z1 }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.4, port_value: 80 } } } }] }
)",
                                                  "web");
  const scenario::Scenario imported =
      scenario_world(reports::importing::import_scenario({.proxies = {{{&original}}}}).text);
  // z1 has weight 3 and three hosts, z2 weight 1 and one host.
  for (const auto& host : compare::predict(imported, {}).hosts) {
    CHECK(host.share == Approx(0.25));
  }
}

TEST_CASE("endpoints that are alike become a group, and guesses are marked") {
  const scenario::Scenario original = envoy_world(shop_with("ROUND_ROBIN"), "backend");
  const std::string text = reports::importing::import_scenario({.proxies = {{{&original}}},
                                                                .rates = {{"backend", 12.5}},
                                                                .apart = std::chrono::seconds{60},
                                                                .source = "dump.json"})
                               .text;
  INFO(text);
  CHECK(text.find("# Made by `spillway import` of dump.json.\n") == 0);
  CHECK(text.find("name: shop-7\nduration: 60s  # as long as requests were counted\n") != std::string::npos);
  CHECK(text.find("      - { count: 3, zone: r/z1, healthy: 2 }  # 10.0.0.1:80, 10.0.0.3:80, 10.0.0.2:80\n") !=
        std::string::npos);
  CHECK(text.find("workload: { service: backend, rate: \"12.5rps\" } }  # as counted\n") != std::string::npos);
  CHECK(text.find("overprovisioning_factor: 120") != std::string::npos);
  CHECK(text.find("local_cluster: shop\n") != std::string::npos);
  const std::string guessed = reports::importing::import_scenario({.proxies = {{{&original}}}}).text;
  CHECK(guessed.find("duration: 60s  # guess\n") != std::string::npos);
  CHECK(guessed.find("rate: \"1rps\" } }  # guess\n") != std::string::npos);
}

TEST_CASE("a rate of counters that were reset is marked as the least, and is a finding") {
  const scenario::Scenario original = envoy_world(shop_with("ROUND_ROBIN"), "backend");
  const auto imported = reports::importing::import_scenario(
      {.proxies = {{{&original}}}, .rates = {{"backend", 5.0}}, .at_least = {"backend"}});
  CHECK(imported.text.find("rate: \"5rps\" } }  # as counted since a reset, at least\n") != std::string::npos);
  REQUIRE(imported.findings.size() == 1);
  CHECK(imported.findings.front() ==
        "cluster backend: counters were reset in between, and the requests before that are not known; 5 rps is the "
        "least that clients sent");
}

TEST_CASE("two proxies with different configurations are a finding, and each keeps what it was told") {
  const scenario::Scenario one = envoy_world(shop_with("ROUND_ROBIN"), "backend");
  std::string other_text = shop_with("ROUND_ROBIN");
  other_text.replace(other_text.find("shop-7"), 6, "shop-8");
  other_text.replace(other_text.find("health_status: UNHEALTHY"), 24, "health_status: HEALTHY");
  const scenario::Scenario other = envoy_world(other_text, "backend");
  const auto imported = reports::importing::import_scenario({.proxies = {{{&one}}, {{&other}}}});
  REQUIRE(imported.findings.size() == 1);
  CHECK(imported.findings.front() ==
        "cluster backend: shop-8 has another configuration than the proxies before it; here it is the service "
        "`backend of shop-8`");
  const scenario::Scenario both = scenario_world(imported.text);
  REQUIRE(both.clients.size() == 2);
  CHECK(both.services[both.clients[1].workload.service.value].name == "backend of shop-8");
  // Alike ones are one service.
  const auto alike = reports::importing::import_scenario({.proxies = {{{&one}}, {{&one}}}});
  CHECK(alike.findings.empty());
}

TEST_CASE("texts that YAML would read as something else are quoted") {
  using reports::importing::yaml_scalar;
  CHECK(yaml_scalar("zone-1") == "zone-1");
  CHECK(yaml_scalar("no") == "\"no\"");
  CHECK(yaml_scalar("12") == "\"12\"");
  CHECK(yaml_scalar("a: b") == "\"a: b\"");
  CHECK(yaml_scalar("a #b") == "\"a #b\"");
  CHECK(yaml_scalar("") == "\"\"");
  CHECK(yaml_scalar("outbound|80||x.y") == "\"outbound|80||x.y\"");
}

namespace {

const char* const routed = R"(
node: { id: web-7, cluster: web, locality: { region: r, zone: z1 } }
static_resources:
  listeners:
  - name: in
    address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: in
          route_config:
            name: public
            virtual_hosts:
            - name: shop
              domains: [shop.example, "shop.example:80"]
              routes:
              - { match: { path: /cart }, route: { cluster: cart, hash_policy: [{ header: { header_name: x-user } }] } }
              - { match: { prefix: / }, route: { weighted_clusters: { clusters: [{ name: shop, weight: 30 }, { name: cart, weight: 70 }] } } }
            - name: rest
              domains: ["*"]
              routes: [{ match: { safe_regex: { regex: "/v[0-9]+/.*" } }, route: { cluster: shop } }]
  - name: out
    address: { socket_address: { address: 0.0.0.0, port_value: 81 } }
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: out
          route_config:
            name: private
            virtual_hosts: [{ name: shop, domains: [shop.example], routes: [{ match: { prefix: / }, route: { cluster: shop } }] }]
  clusters:
  - name: shop
    load_assignment: { cluster_name: shop, endpoints: [{ locality: { region: r, zone: z1 }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }, { load_balancing_weight: 3, endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } } }] }] }
  - name: cart
    lb_policy: RING_HASH
    load_assignment: { cluster_name: cart, endpoints: [{ locality: { region: r, zone: z2 }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.1.1, port_value: 80 } } } }, { endpoint: { address: { socket_address: { address: 10.0.1.2, port_value: 80 } } } }] }] }
)";

// Shares of all hosts by zone, priority and weight, of one client's requests and the clusters that its route leads to.
std::vector<double> routed_shares(scenario::Scenario world, std::size_t client) {
  world.clients = {world.clients[client]};
  std::vector<double> shares;
  const auto& kind = world.clients.front().workload.requests.at(0);
  const auto& action = world.routes.at(kind.route).route.action;
  for (std::size_t i = 0; i < action.clusters.size(); ++i) {
    shares.push_back(action.clusters[i].weight);
    scenario::Scenario straight = world;
    straight.clients.front().workload.requests.clear();
    straight.clients.front().workload.service = world.routes.at(kind.route).clusters[i];
    for (const auto& [place, list] : shares_of(straight)) {
      shares.insert(shares.end(), list.begin(), list.end());
    }
  }
  return shares;
}

}  // namespace

TEST_CASE("every route that leads to a cluster is imported, with the shares of the documents") {
  const auto proxy = scenario::ProxyConfiguration::read(Sources{{"bootstrap.yaml", routed}});
  std::vector<scenario::Scenario> worlds;
  for (const proxy::RequestDescription& request : proxy.described_routes().requests) {
    auto reading = proxy.asked(request);
    REQUIRE(reading.scenario.has_value());
    worlds.push_back(std::move(*reading.scenario));
  }
  REQUIRE(worlds.size() == 4);
  reports::importing::Input input{.proxies = {{}}, .rates = {{"cart", 170.0}}};
  for (const scenario::Scenario& world : worlds) {
    input.proxies.front().clusters.push_back(&world);
  }
  const std::string text = reports::importing::import_scenario(input).text;
  const scenario::Scenario imported = scenario_world(text);
  INFO(text);
  REQUIRE(imported.clients.size() == 4);
  REQUIRE(imported.routes.size() == 4);
  for (std::size_t client = 0; client < 4; ++client) {
    const auto expected = routed_shares(worlds[client], 0);
    const auto found = routed_shares(imported, client);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i] == Approx(expected[i]).margin(1e-12));
    }
  }
  // The second listener has the host of the first, so a header tells it apart.
  CHECK(text.find("x-listener: \"2\"") != std::string::npos);
  // Half of what is counted of `cart` goes by its own route, the other half is 70 % of the split.
  CHECK(imported.clients[0].workload.rate == Approx(85.0));
  CHECK(imported.clients[1].workload.rate == Approx(85.0 * 100.0 / 70.0).epsilon(1e-5));
}

namespace {

// Of the first two routes: /cart to cart, and / to shop and cart, 30 : 70.
reports::importing::Imported imported_split(reports::importing::Input input) {
  const auto proxy = scenario::ProxyConfiguration::read(Sources{{"bootstrap.yaml", routed}});
  const auto requests = proxy.described_routes().requests;
  const auto whole = proxy.asked(requests.at(0));
  const auto split = proxy.asked(requests.at(1));
  REQUIRE(whole.scenario.has_value());
  REQUIRE(split.scenario.has_value());
  input.proxies = {{{&*whole.scenario, &*split.scenario}}};
  return reports::importing::import_scenario(input);
}

}  // namespace

TEST_CASE("rates of routes fit what was counted of all clusters, where there are such rates") {
  // Only the split leads to shop: 30 / 0.3 = 100 rps. It sends 70 to cart, of which 50 are left for /cart.
  const auto imported = imported_split({.rates = {{"shop", 30.0}, {"cart", 120.0}}});
  INFO(imported.text);
  const scenario::Scenario world = scenario_world(imported.text);
  REQUIRE(world.clients.size() == 2);
  CHECK(world.clients[0].workload.rate == Approx(50.0).epsilon(1e-9));
  CHECK(world.clients[1].workload.rate == Approx(100.0).epsilon(1e-9));
  CHECK(imported.text.find("its part a guess") == std::string::npos);
  CHECK(imported.text.find("rate: \"100rps\" } }  # as counted\n") != std::string::npos);
  CHECK(imported.findings.empty());
}

TEST_CASE("counts of clusters that no rates of routes fit are a finding for each cluster") {
  // Nobody else leads to shop and cart gets 70 / 30 of it, which is more than was counted: /cart sends nothing, and of
  // the split ((0.3 x - 30) / 30)^2 + ((0.7 x - 35) / 35)^2 is least at x = 0.03 / 0.0005 = 60.
  const auto imported = imported_split({.rates = {{"shop", 30.0}, {"cart", 35.0}}});
  INFO(imported.text);
  CHECK(imported.text.find("  # - { name: \"web-7 to shop.example/cart\"") != std::string::npos);
  CHECK(scenario_world(imported.text).clients.size() == 1);
  CHECK(imported.text.find("rate: \"60rps\" } }  # as counted\n") != std::string::npos);
  REQUIRE(imported.findings.size() == 2);
  CHECK(imported.findings[0] ==
        "cluster cart: 35 rps were counted, the scenario sends it 42 rps; no rates of the routes fit the counts of all "
        "clusters");
  CHECK(imported.findings[1] ==
        "cluster shop: 30 rps were counted, the scenario sends it 18 rps; no rates of the routes fit the counts of all "
        "clusters");
  // 0.5 % less than was counted is within what chance does.
  CHECK(imported_split({.rates = {{"shop", 30.0}, {"cart", 69.9}}}).findings.empty());
}

TEST_CASE("rates over time fit all clusters in each phase, whichever ends first") {
  using std::chrono::seconds;
  // The split: 30 / 0.3 = 100 rps and, from 20 s on, 60 / 0.3 = 200 rps. /cart: 120 - 70 = 50 rps, from 10 s on
  // 170 - 70 = 100 rps, from 20 s on 170 - 140 = 30 rps.
  const auto imported = imported_split({.phases = {{{"shop", {{30.0, seconds{20}}, {60.0, seconds{20}}}},
                                                    {"cart", {{120.0, seconds{10}}, {170.0, seconds{30}}}}},
                                                   seconds{40}}});
  INFO(imported.text);
  CHECK(imported.text.find("phases: \"50rps 10s, 100rps 10s, 30rps 20s\"") != std::string::npos);
  CHECK(imported.text.find("phases: \"100rps 20s, 200rps 20s\"") != std::string::npos);
  CHECK(imported.findings.empty());
}

TEST_CASE("a route that takes more requests than that of the documents has a comment which names what it lacks") {
  const auto proxy = scenario::ProxyConfiguration::read(Sources{{"bootstrap.yaml", R"(
static_resources:
  clusters:
  - name: cart
    type: STATIC
    load_assignment:
      cluster_name: cart
      endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } } }] }]
  listeners:
  - name: public
    address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: public
          route_config:
            name: public
            virtual_hosts:
            - name: shop
              domains: [shop.example]
              routes:
              - match: { path_separated_prefix: /ps, query_parameters: [{ name: t, string_match: { prefix: b } }] }
                route: { cluster: cart }
              - { match: { prefix: /grpc, grpc: {} }, route: { cluster: cart } }
              - { match: { prefix: /, query_parameters: [] }, route: { cluster: cart } }
)"}});
  std::vector<scenario::Scenario> worlds;
  for (const auto& request : proxy.described_routes().requests) {
    auto reading = proxy.asked(request);
    REQUIRE(reading.scenario.has_value());
    worlds.push_back(std::move(*reading.scenario));
  }
  REQUIRE(worlds.size() == 3);
  const std::string text =
      reports::importing::import_scenario({.proxies = {{{&worlds[0], &worlds[1], &worlds[2]}}}}).text;
  INFO(text);
  CHECK(scenario_world(text).routes.size() == 3);
  const auto line_before = [&](const std::string& path) {
    const std::size_t route = text.rfind("  - match:", text.find(path, text.find("routes:")));
    const std::size_t line = text.rfind('\n', route - 2) + 1;
    return text.substr(line, route - line);
  };
  CHECK(line_before("/ps") ==
        "  # Takes more requests than in the documents: `path_separated_prefix` is `prefix` here, without "
        "`query_parameters`\n");
  CHECK(line_before("/grpc") == "  # Takes more requests than in the documents: without `grpc`\n");
  CHECK(line_before("prefix: \"/\"").find('#') == std::string::npos);
}
