#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "models/envoy/routes/hash_policy.hpp"
#include "models/numeric/hash.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::ServiceIndex;
using spillway::run::Outcomes;
using spillway::run::Results;
using spillway::run::Share;
using spillway::run::Simulation;
using spillway::scenario::Outcome;
using spillway::scenario::RequestKind;
using spillway::scenario::Route;
using spillway::scenario::Scenario;
using spillway::support::one_service;
namespace config = spillway::config;
namespace policies = spillway::envoy::policies;
namespace routes = spillway::envoy::routes;

namespace {

Route route_to(std::vector<routes::WeightedCluster> clusters, std::vector<ServiceIndex> services) {
  Route route;
  route.route.action.clusters = std::move(clusters);
  route.clusters = std::move(services);
  return route;
}

RequestKind kind_of(const std::string& name, routes::Request request, double weight = 1.0) {
  return {.name = name, .request = std::move(request), .weight = weight, .route = 0};
}

Results simulate_routes(const Scenario& scenario) {
  return Simulation(scenario, {}).simulate();
}

std::uint64_t sent_to(const Results& results, std::uint32_t service) {
  std::uint64_t sent = 0;
  for (const Outcomes& outcomes : results.outcomes) {
    sent += outcomes.service == ServiceIndex{service} ? outcomes.sent : 0;
  }
  return sent;
}

// Users of a service behind a route that hashes the header x-user.
Scenario users_of_a_ring(std::uint32_t users) {
  Scenario scenario = one_service({4});
  scenario.services[0].cluster.lb_policy = policies::ring_hash::Config{};
  scenario.routes = {route_to({{.name = "backend"}}, {ServiceIndex{0}})};
  scenario.routes[0].route.action.hash_policy = {{routes::HeaderHash{"x-user"}}};
  for (std::uint32_t user = 0; user < users; ++user) {
    const std::string name = "user-" + std::to_string(user);
    scenario.clients[0].workload.requests.push_back(kind_of(name, {.headers = {{"x-user", name}}}, 1.0 / (user + 1.0)));
  }
  return scenario;
}

}  // namespace

TEST_CASE("weighted clusters of a route are services of their own with a table each") {
  Scenario scenario = one_service({2});
  Scenario other = one_service({3});
  other.services[0].name = "canary";
  scenario.services.push_back(other.services[0]);
  scenario.endpoints = other.endpoints;
  scenario.routes = {route_to({{.name = "backend", .weight = 90}, {.name = "canary", .weight = 10}},
                              {ServiceIndex{0}, ServiceIndex{1}})};
  scenario.clients[0].workload.requests = {kind_of("all", {})};
  const Results results = simulate_routes(scenario);
  REQUIRE(results.epochs.size() == 2);
  const std::vector<std::uint64_t> sent = {sent_to(results, 0), sent_to(results, 1)};
  const std::vector<double> parts = {0.9, 0.1};
  CHECK(spillway::support::g_test(sent, parts) > 1e-6);
  for (const Share& share : results.shares) {
    CHECK(share.exact.value() == Approx(share.service == ServiceIndex{0} ? 1.0 / 2 : 1.0 / 3));
  }
}

TEST_CASE("a user whose header is hashed is always served by the same endpoint") {
  const Scenario scenario = users_of_a_ring(3);
  const Results results = simulate_routes(scenario);
  double all = 0.0;
  std::uint64_t requests = 0;
  for (const Share& share : results.shares) {
    REQUIRE(share.exact.value() > 0.0);
    all += share.exact.value();
    requests += share.requests.value();
  }
  CHECK(results.shares.size() <= 3);
  CHECK(all == Approx(1.0));
  CHECK(requests == results.outcomes[0].sent);
}

TEST_CASE("the exact share of a hash policy is that of the users who hash there") {
  const Scenario scenario = users_of_a_ring(200);
  const Results results = simulate_routes(scenario);
  std::vector<std::uint64_t> counts;
  std::vector<double> exact;
  for (const Share& share : results.shares) {
    counts.push_back(share.requests.value());
    exact.push_back(share.exact.value());
  }
  CHECK(spillway::support::g_test(counts, exact) > 1e-6);
}

TEST_CASE("requests of a subset go to its hosts and to no other") {
  Scenario scenario = one_service({4});
  policies::subset::Config subsets;
  subsets.subset_selectors = {{.keys = {"version"}}};
  scenario.services[0].cluster.lb_policy = subsets;
  auto& endpoints = scenario.services[0].load_assignment.endpoints[0].lb_endpoints;
  for (std::size_t host = 0; host < 4; ++host) {
    endpoints[host].metadata.set("version", host == 2 ? "canary" : "stable");
  }
  scenario.routes = {route_to({{.name = "backend"}}, {ServiceIndex{0}})};
  config::Struct canary;
  canary.set("version", "canary");
  scenario.routes[0].route.action.metadata_match = canary;
  scenario.clients[0].workload.requests = {kind_of("all", {})};
  const Results results = simulate_routes(scenario);
  REQUIRE(results.shares.size() == 1);
  CHECK(results.shares[0].endpoint == "backend-3");
  CHECK(results.shares[0].exact.value() == 1.0);
  CHECK(results.shares[0].requests.value() == results.outcomes[0].sent);
}

namespace {

// Rows of hosts that got requests; under sessions every host that may get some has a row.
std::vector<spillway::run::Share> with_requests(const Results& results) {
  std::vector<spillway::run::Share> shares;
  for (const spillway::run::Share& share : results.shares) {
    CHECK_FALSE(share.exact.has_value());
    if (share.requests.value() > 0) {
      shares.push_back(share);
    }
  }
  return shares;
}

}  // namespace

TEST_CASE("a stateful session keeps its host until that is told unhealthy") {
  Scenario scenario = one_service({3});
  scenario.routes = {route_to({{.name = "backend"}}, {ServiceIndex{0}})};
  scenario.routes[0].stateful_session = spillway::envoy::StatefulSession{.name = "sticky"};
  scenario.clients[0].workload.requests = {kind_of("one user", {})};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  const auto calm = with_requests(simulate_routes(scenario));
  REQUIRE(calm.size() == 1);
  CHECK(calm[0].requests.value() == 100);

  const auto number = static_cast<std::uint32_t>(std::stoul(calm[0].endpoint.substr(8))) - 1;
  scenario.changes = {spillway::support::tell(5s, number, 1, 0)};
  const Results moved = simulate_routes(scenario);
  const auto places = with_requests(moved);
  REQUIRE(places.size() == 2);
  CHECK(places[0].endpoint == calm[0].endpoint);
  CHECK(places[1].endpoint != calm[0].endpoint);
  CHECK(places[1].requests.value() == moved.outcomes[1].sent);

  scenario.routes[0].stateful_session->strict = true;
  CHECK(simulate_routes(scenario).outcomes[1][Outcome::no_healthy_upstream] == moved.outcomes[1].sent);
}

TEST_CASE("an original destination is the endpoint that the request names") {
  Scenario scenario = one_service({3});
  scenario.services[0].cluster.original_dst = policies::original_dst::Config{.use_http_header = true};
  auto& endpoints = scenario.services[0].load_assignment.endpoints[0].lb_endpoints;
  for (std::size_t host = 0; host < 3; ++host) {
    endpoints[host].address = "10.0.0." + std::to_string(host + 1) + ":80";
  }
  scenario.routes = {route_to({{.name = "backend"}}, {ServiceIndex{0}})};
  const auto to = [](const std::string& address) {
    return routes::Request{.headers = {{"x-envoy-original-dst-host", address}}};
  };
  scenario.clients[0].workload.requests = {kind_of("second", to("10.0.0.2:80"), 3.0), kind_of("no address", {}, 0.5),
                                           kind_of("nobody there", to("10.0.0.9:80"), 0.5)};
  const Results results = simulate_routes(scenario);
  REQUIRE(results.shares.size() == 1);
  CHECK(results.shares[0].endpoint == "backend-2");
  CHECK(results.shares[0].exact.value() == 0.75);
  const Outcomes& outcomes = results.outcomes[0];
  CHECK(outcomes.ok() == results.shares[0].requests.value());
  CHECK(outcomes.ok() + outcomes[Outcome::no_healthy_upstream] + outcomes[Outcome::connect_failure] == outcomes.sent);
  CHECK(spillway::support::g_test(std::vector<std::uint64_t>{outcomes.ok(), outcomes[Outcome::no_healthy_upstream],
                                                             outcomes[Outcome::connect_failure]},
                                  std::vector<double>{0.75, 0.125, 0.125}) > 1e-6);
}

TEST_CASE("an original destination may be where the connection was opened to") {
  // As Envoy's clusters/original_dst: the restored local address counts where no header names another one.
  const std::string text =
      "mode: requests\nduration: 20s\nzones: [{ name: a }]\n"
      "services:\n"
      "  - name: any\n"
      "    endpoints: [{ id: one, zone: a, address: '10.0.0.1:80' }, { id: two, zone: a, address: '10.0.0.2:80' }]\n"
      "clusters: [{ name: any, type: ORIGINAL_DST, lb_policy: CLUSTER_PROVIDED,\n"
      "             original_dst_lb_config: { use_http_header: true } }]\n"
      "timeline: [{ at: 10s, service: any, add: [{ id: three, zone: a, address: '10.0.0.3:80' }] }]\n"
      "clients:\n"
      "  - name: c\n"
      "    zone: a\n"
      "    workload:\n"
      "      rate: 40rps\n"
      "      arrivals: periodic\n"
      "      service: any\n"
      "      destination_address: '10.0.0.1:80'\n"
      "      requests:\n"
      "        - { weight: 2 }\n"
      "        - { weight: 1, headers: { x-envoy-original-dst-host: '10.0.0.2:80' } }\n"
      "        - { weight: 1, destination_address: '10.0.0.3:80' }\n";
  const auto reading = spillway::scenario::read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  const Results results = simulate_routes(*reading.scenario);
  std::map<std::string, double> exact;
  for (const auto& share : results.shares) {
    if (share.epoch == 1) {
      exact[share.endpoint] = share.exact.value();
    }
  }
  CHECK(exact == std::map<std::string, double>{{"one", 0.5}, {"two", 0.25}, {"three", 0.25}});
  // What goes to an address before anything is there finds no connection.
  REQUIRE(results.outcomes.size() == 2);
  CHECK(results.outcomes[0][Outcome::connect_failure] > 0);
  CHECK(results.outcomes[0].ok() + results.outcomes[0][Outcome::connect_failure] == results.outcomes[0].sent);
  CHECK(results.outcomes[1].ok() == results.outcomes[1].sent);
}

TEST_CASE("client-side weights follow what endpoints report once the blackout period is over") {
  Scenario scenario = one_service({3});
  scenario.duration = 40s;
  scenario.services[0].cluster.lb_policy = policies::client_side_weighted_round_robin::Config{};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  // Weights 1000 / 0.5, 1000 / 0.25 and, without a report, the median of both.
  scenario.endpoints[0].load_report = {.rps_fractional = 1000.0, .application_utilization = 0.5};
  scenario.endpoints[1].load_report = {.rps_fractional = 1000.0, .application_utilization = 0.25};
  const Results results = simulate_routes(scenario);
  REQUIRE(results.shares.size() == 3);
  // The weights act with the update at 11 s: a third each of the first 1,100 requests, then 2 : 4 : 3 of 2,900, within
  // a turn of every host in either part.
  const double expected[] = {1100.0 / 3 + 2900.0 * 2 / 9, 1100.0 / 3 + 2900.0 * 4 / 9, 1100.0 / 3 + 2900.0 * 3 / 9};
  for (std::size_t host = 0; host < 3; ++host) {
    CHECK(static_cast<double>(results.shares[host].requests.value()) == Approx(expected[host]).margin(6.0));
  }
  CHECK(results.epochs[0].states == 2);
}
