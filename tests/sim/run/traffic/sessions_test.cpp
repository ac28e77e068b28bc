// Sessions on routes whose requests go to several clusters: a session names an address, which each cluster looks for
// among its own hosts (Envoy's override host; a real Envoy 1.40.0 picks anew whenever a request goes to another
// cluster).
#include "sim/run/traffic/sessions.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/run/run.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

// A route that is split between two clusters, with sessions.
scenario::Scenario split(const std::string& services, const std::string& weights, const std::string& timeline = "") {
  const auto reading = scenario::read_scenario_text(
      "split.yaml",
      "duration: 60s\nzones: [{ name: a }]\n" + services +
          "routes:\n- match: { prefix: / }\n  route: { weighted_clusters: { clusters: [" + weights +
          "] } }\n  typed_per_filter_config:\n    envoy.filters.http.stateful_session:\n      '@type': "
          "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
          "      stateful_session: { session_state: { name: envoy.http.stateful_session.cookie, typed_config: { "
          "'@type': "
          "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { "
          "name: g, path: /, ttl: 0s } } } }\n"
          "clients: [{ name: c, zone: a, workload: { rate: 20rps } }]\n" +
          timeline);
  for (const auto& problem : reading.diagnostics) {
    CHECK((problem.severity != spillway::Severity::error ? "" : problem.message + ": " + problem.label).empty());
  }
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

std::map<std::string, std::uint64_t> counts_of_endpoints(const scenario::Scenario& of) {
  std::map<std::string, std::uint64_t> counts;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    if (request.destination) {
      ++counts[of.endpoints[request.destination->endpoint.value].id];
    }
  };
  (void)run::run(of, options);
  return counts;
}

}  // namespace

TEST_CASE("a session does not follow its host's number into another cluster of its route") {
  const auto counts =
      counts_of_endpoints(split("services: [{ name: web, endpoints: [{ count: 2, zone: a }] }, { name: canary, "
                                "endpoints: [{ count: 2, zone: a }] "
                                "}]\n",
                                "{ name: web, weight: 1 }, { name: canary, weight: 1 }"));
  // Each change of the cluster picks anew, round robin: both hosts of both get about half.
  REQUIRE(counts.size() == 4);
  for (const auto& [endpoint, count] : counts) {
    INFO(endpoint);
    CHECK(count > 200);
    CHECK(count < 400);
  }
}

TEST_CASE("a session of a large cluster means no host of a small one") {
  const auto counts =
      counts_of_endpoints(split("services: [{ name: web, endpoints: [{ count: 1, zone: a }] }, { name: canary, "
                                "endpoints: [{ count: 40, zone: a }] "
                                "}]\n",
                                "{ name: web, weight: 1 }, { name: canary, weight: 1 }"));
  CHECK(counts.size() == 41);
}

TEST_CASE("a session goes on in another cluster that has its address") {
  const scenario::Scenario scenario = split(
      "services: [{ name: v1, endpoints: [{ count: 3, zone: a }] }, { name: v2, endpoints: [{ count: 3, zone: a }] "
      "}]\n",
      "{ name: v1, weight: 1 }, { name: v2, weight: 1 }");
  const run::Flows flows(scenario);
  const run::Traffic traffic(scenario, flows);
  scenario::Scenario shared = scenario;
  // The second host of v1 is the third of v2.
  auto& hosts = shared.services[1].load_assignment.endpoints[0].lb_endpoints;
  hosts[2].address = shared.services[0].load_assignment.endpoints[0].lb_endpoints[1].address;
  const run::Sessions sessions(shared, traffic);
  const spillway::config::ServiceIndex v1{0};
  const spillway::config::ServiceIndex v2{1};
  CHECK(sessions.host_in(v2, {v1, {1}}) == spillway::config::HostIndex{2});
  CHECK(sessions.host_in(v1, {v2, {2}}) == spillway::config::HostIndex{1});
  CHECK_FALSE(sessions.host_in(v2, {v1, {0}}));
  CHECK(sessions.host_in(v1, {v1, {0}}) == spillway::config::HostIndex{0});
}
