// Zone proxies balance connections: what a client sends over one goes where the zone proxy picked when it opened.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "sim/run/run.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using scenario::Scenario;

namespace {

constexpr config::ServiceIndex behind{0};

// Three endpoints behind one zone proxy, which is the only host that the clients know.
Scenario behind_a_zone_proxy(std::uint32_t clients) {
  Scenario scenario = support::one_service({3});
  const config::EndpointIndex proxy{static_cast<std::uint32_t>(scenario.endpoints.size())};
  scenario.endpoints.push_back({"ingress", config::NodeIndex{0}});
  scenario::Service view;
  view.name = view.cluster.name = view.load_assignment.cluster_name = "view";
  config::LocalityLbEndpoints group;
  group.locality = {"", "zone-1", ""};
  group.lb_endpoints.push_back({"ingress", "", config::HealthStatus::healthy, 1});
  view.load_assignment.endpoints.push_back(group);
  view.hosts.push_back({proxy, behind});
  view.as_view = scenario::View{behind};
  scenario.services.push_back(view);
  scenario.clients[0].count = clients;
  scenario.clients[0].workload.service = config::ServiceIndex{1};
  scenario::ClientEntry forwarder;
  forwarder.name = "ingress";
  forwarder.zone_proxy = proxy;
  forwarder.forwards = {behind};
  scenario.clients.push_back(forwarder);
  return scenario;
}

// The endpoints that each client's requests went to, and when it first met each.
using Met = std::map<std::uint32_t, std::map<std::uint32_t, std::chrono::nanoseconds>>;

Met simulate_forwarded(const Scenario& scenario) {
  Met met;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    if (request.outcome == scenario::Outcome::ok) {
      met[request.number].try_emplace(request.destination->endpoint.value, request.sent_at);
    }
  };
  (void)run::run(scenario, options);
  return met;
}

}  // namespace

TEST_CASE("a zone proxy's pick holds for all requests of a connection") {
  const Met met = simulate_forwarded(behind_a_zone_proxy(6));
  REQUIRE(met.size() == 6);
  std::map<std::uint32_t, int> clients_of;
  for (const auto& [client, endpoints] : met) {
    CHECK(endpoints.size() == 1);
    ++clients_of[endpoints.begin()->first];
  }
  // Round robin over connections: six of them, three endpoints.
  CHECK(clients_of == std::map<std::uint32_t, int>{{0, 2}, {1, 2}, {2, 2}});
}

TEST_CASE("the share of an endpoint behind a zone proxy is a mean over connections, which no run need show") {
  const run::Results results = run::run(behind_a_zone_proxy(1), {});
  double most = 0.0;
  for (const run::Share& share : results.shares) {
    CHECK_FALSE(share.exact);
    CHECK(share.exact_basis == run::connection_basis);
    CHECK(share.joint_rows == 3);
    CHECK(share.at_rest == Approx(1.0 / 3.0));
    CHECK(share.via == "ingress");
    most = std::max(most, share.simulated.value());
  }
  CHECK(most == 1.0);
}

TEST_CASE("a connection ends with its endpoint, and the next one does not come back") {
  Scenario scenario = behind_a_zone_proxy(1);
  const std::uint32_t first = simulate_forwarded(scenario)[0].begin()->first;
  scenario.changes.push_back({4s, scenario::Existence{behind, {config::HostIndex{first}}, false}, {}});
  scenario.changes.push_back({6s, scenario::Existence{behind, {config::HostIndex{first}}, true}, {}});
  const Met met = simulate_forwarded(scenario);
  REQUIRE(met.at(0).size() == 2);
  for (const auto& [endpoint, since] : met.at(0)) {
    CHECK((endpoint == first ? since < 1s : since >= 4s));
    CHECK(since < 5s);
  }
}

TEST_CASE("a reset ends the connection") {
  Scenario scenario = behind_a_zone_proxy(1);
  const std::uint32_t first = simulate_forwarded(scenario)[0].begin()->first;
  scenario::Fails fails{behind, {config::HostIndex{first}}, 1.0};
  fails.failure = scenario::Failure::reset;
  scenario.changes.push_back({5s, fails, {}});
  const Met met = simulate_forwarded(scenario);
  CHECK(met.at(0).size() == 2);
}

TEST_CASE("endpoints that are told unhealthy keep their connections") {
  Scenario scenario = behind_a_zone_proxy(1);
  const std::uint32_t first = simulate_forwarded(scenario)[0].begin()->first;
  scenario.changes.push_back(support::tell(5s, first, 1, 0));
  CHECK(simulate_forwarded(scenario).at(0).size() == 1);
}

TEST_CASE("each worker of a proxy has a connection of its own to a zone proxy") {
  Scenario scenario = behind_a_zone_proxy(1);
  scenario.clients[0].concurrency = 2;
  // Round robin over connections: two of them.
  CHECK(simulate_forwarded(scenario).at(0).size() == 2);
  scenario.clients[0].concurrency = 3;
  CHECK(simulate_forwarded(scenario).at(0).size() == 3);
  // One that breaks is replaced for its worker alone, by an endpoint that another one has already.
  scenario.changes.push_back({5s, scenario::Existence{behind, {config::HostIndex{0}}, false}, {}});
  const Met met = simulate_forwarded(scenario);
  CHECK(met.at(0).size() == 3);
}

TEST_CASE("where each request is a connection of its own, a zone proxy picks anew") {
  Scenario scenario = behind_a_zone_proxy(1);
  scenario.services[1].connection_per_request = true;
  CHECK(simulate_forwarded(scenario).at(0).size() == 3);
}
