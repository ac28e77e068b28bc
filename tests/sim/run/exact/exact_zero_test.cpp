// "0, exact" promises that no request goes there: hosts that may get some have no exact share.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/run/run.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

using SharesOfEpoch = std::map<std::string, std::optional<double>>;

scenario::Scenario scenario_with_zeros(const std::string& text) {
  scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  INFO(text);
  REQUIRE(reading.scenario);
  return std::move(*reading.scenario);
}

// Endpoints that are not listed have the exact share 0.
SharesOfEpoch shares_of_epoch(const scenario::Scenario& scenario, scenario::Mode mode, std::uint32_t epoch) {
  SharesOfEpoch shares;
  for (const run::Share& share : run::run(scenario, {mode, std::nullopt}).shares) {
    if (share.epoch == epoch) {
      shares[share.endpoint] = share.exact;
    }
  }
  return shares;
}

const std::string behind_an_ingress =
    "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
    "services: [{ name: s, endpoints: [{ count: 1, zone: a }, { count: 4, zone: b }] }]\n"
    "clients: [{ name: c, zone: a, count: 10, workload: { service: s, rate: 100rps } }]\n"
    "policies:\n  - { type: MeshLoadBalancingStrategy, name: p, mesh: default, spec: { targetRef: { kind: Mesh }, to: "
    "[{ "
    "targetRef: { kind: MeshService, name: other }, default: {} }] } }\n";

}  // namespace

TEST_CASE("an endpoint behind a zone proxy that is told unhealthy keeps its connections, and has no exact share") {
  const scenario::Scenario scenario =
      scenario_with_zeros(behind_an_ingress + "timeline: [{ at: 10s, zone: b, healthy: 2 }]\n");
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const SharesOfEpoch after = shares_of_epoch(scenario, mode, 1);
    CHECK(after.at("s-1") == 0.2);
    for (const std::string endpoint : {"s-2", "s-3", "s-4", "s-5"}) {
      INFO(endpoint);
      REQUIRE(after.contains(endpoint));
      CHECK_FALSE(after.at(endpoint));
    }
  }
  std::uint64_t kept = 0;
  for (const run::Share& share : run::run(scenario, {scenario::Mode::requests, std::nullopt}).shares) {
    kept += share.epoch == 1 && (share.endpoint == "s-4" || share.endpoint == "s-5") ? *share.requests : 0;
  }
  CHECK(kept > 0);
  const run::Snapshot snapshot(scenario, std::chrono::seconds{15});
  const auto flow = snapshot.flow_group(config::ClientEntryIndex{0}, config::ServiceIndex{0}).front();
  std::size_t joint = 0;
  for (const run::Snapshot::Row& row : snapshot.shares(flow).rows) {
    joint += row.joint != 0 ? 1 : 0;
  }
  CHECK(joint == 4);
}

TEST_CASE("an endpoint behind a zone proxy that was never told healthy has no connection, and gets exactly nothing") {
  const scenario::Scenario scenario =
      scenario_with_zeros(behind_an_ingress + "timeline: [{ at: 0s, zone: b, healthy: 2 }]\n");
  const SharesOfEpoch shares = shares_of_epoch(scenario, scenario::Mode::exact, 0);
  CHECK_FALSE(shares.contains("s-4"));
  CHECK_FALSE(shares.contains("s-5"));
}

TEST_CASE("an endpoint behind a zone proxy that leaves the endpoint set keeps its connections too") {
  const scenario::Scenario scenario =
      scenario_with_zeros(behind_an_ingress + "timeline: [{ at: 10s, service: s, zone: b, remove: 2 }]\n");
  std::map<std::string, std::uint64_t> counts;
  for (const run::Share& share : run::run(scenario, {scenario::Mode::requests, std::nullopt}).shares) {
    if (share.epoch == 1) {
      counts[share.endpoint] += *share.requests;
    }
  }
  const SharesOfEpoch after = shares_of_epoch(scenario, scenario::Mode::exact, 1);
  for (const auto& [endpoint, count] : counts) {
    INFO(endpoint << " got " << count);
    CHECK((count == 0 || after.contains(endpoint)));
  }
}

TEST_CASE("where proxies find out by themselves, hosts of other priorities may get requests too") {
  const scenario::Scenario scenario = scenario_with_zeros(
      "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: z }, { id: spare, "
      "zone: "
      "z, priority: 1 }] }]\nclusters: [{ name: s, outlier_detection: { consecutive_5xx: 3, base_ejection_time: 100s, "
      "max_ejection_percent: 100 } }]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 100rps } }]\n"
      "timeline: [{ at: 0s, service: s, endpoints: [s-2], fails: 100% }]\n");
  const SharesOfEpoch shares = shares_of_epoch(scenario, scenario::Mode::exact, 0);
  REQUIRE(shares.contains("spare"));
  CHECK_FALSE(shares.at("spare"));
  std::uint64_t requests = 0;
  for (const run::Share& share : run::run(scenario, {scenario::Mode::requests, std::nullopt}).shares) {
    requests += share.endpoint == "spare" ? *share.requests : 0;
  }
  CHECK(requests > 0);
}

namespace {

std::string with_sessions(const std::string& more) {
  return "duration: 10s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: z }, { id: spare, "
         "zone: z, priority: 1 }] }]\nroutes:\n  - match: { prefix: / }\n    route: { cluster: s }\n"
         "    typed_per_filter_config:\n      envoy.filters.http.stateful_session:\n"
         "        \"@type\": x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
         "        stateful_session: { session_state: { name: envoy.http.stateful_session.cookie, typed_config: { "
         "\"@type\": x/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { name: s } } "
         "} "
         "}\nclients: [{ name: c, zone: z, workload: { rate: 50rps } }]\n" +
         more;
}

}  // namespace

TEST_CASE("a session may keep a host of a priority that gets nothing else, and none that is unhealthy") {
  const scenario::Scenario scenario =
      scenario_with_zeros(with_sessions("timeline: [{ at: 2s, service: s, priority: 0, healthy: 0% }, { at: 4s, "
                                        "service: s, priority: 0, healthy: 100% }, "
                                        "{ at: 6s, service: s, priority: 1, healthy: 0% }]\n"));
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const SharesOfEpoch back = shares_of_epoch(scenario, mode, 2);
    REQUIRE(back.contains("spare"));
    CHECK_FALSE(back.at("spare"));
    CHECK_FALSE(shares_of_epoch(scenario, mode, 3).contains("spare"));
  }
}

// A real Envoy 1.40.0 answers every request with 503 where max_requests, max_pending_requests or max_connection_pools
// is 0, over HTTP/1.1 and HTTP/2, and none for max_connections of 0.
TEST_CASE("where a circuit breaker lets no request through, no host has an exact share") {
  const auto with_limit = [](const std::string& limit, const std::string& more = "") {
    return scenario_with_zeros(
        "duration: 5s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: z }] }]\nclusters: [{ "
        "name: s, circuit_breakers: { thresholds: [{ " +
        limit + " }] }" + more + " }]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 50rps } }]\n");
  };
  const std::string http2 =
      ", typed_extension_protocol_options: { envoy.extensions.upstreams.http.v3.HttpProtocolOptions: { \"@type\": "
      "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions, explicit_http_config: { "
      "http2_protocol_options: {} } } }";
  for (const std::string limit : {"max_requests: 0", "max_pending_requests: 0"}) {
    for (const std::string& protocol : {std::string(), http2}) {
      INFO(limit << protocol);
      const scenario::Scenario scenario = with_limit(limit, protocol);
      for (const run::Share& share : run::run(scenario, {scenario::Mode::exact, std::nullopt}).shares) {
        CHECK_FALSE(share.exact);
        CHECK(share.exact_basis == "requests overflow, since " + limit.substr(0, limit.find(':')) + " is 0");
      }
      const run::Results results = run::run(scenario, {scenario::Mode::requests, std::nullopt});
      CHECK(results.outcomes.front()[scenario::Outcome::overflow] == results.outcomes.front().sent);
    }
  }
  CHECK(shares_of_epoch(with_limit("max_connections: 0"), scenario::Mode::exact, 0) ==
        SharesOfEpoch{{"s-1", 0.5}, {"s-2", 0.5}});
  CHECK(shares_of_epoch(with_limit("priority: HIGH, max_requests: 0"), scenario::Mode::exact, 0) ==
        SharesOfEpoch{{"s-1", 0.5}, {"s-2", 0.5}});
}

namespace {

std::string with_checks(const std::string& more, const std::string& of_cluster = "") {
  return "duration: 11s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: z }] }]\nclusters: "
         "[{ name: s, " +
         of_cluster +
         "health_checks: [{ timeout: 1s, interval: 2s, unhealthy_threshold: 1, healthy_threshold: 1, "
         "http_health_check: { path: / } }] }]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 900rps } "
         "}]\n" +
         more;
}

using Counts = std::map<std::string, std::uint64_t>;

Counts counts_of_epoch(const scenario::Scenario& scenario, std::uint32_t epoch) {
  Counts counts;
  for (const run::Share& share : run::run(scenario, {scenario::Mode::requests, std::nullopt}).shares) {
    if (share.epoch == epoch) {
      counts[share.endpoint] += *share.requests;
    }
  }
  return counts;
}

}  // namespace

// Source: Envoy 1.40.0 upstream_impl.cc, BaseDynamicClusterImpl::updateDynamicHostList.
TEST_CASE("a host that EDS removes keeps its exact share for as long as its active checks pass") {
  const std::string removal = "timeline: [{ at: 1s, service: s, endpoints: [s-1], remove: 1, lives_on: true }]\n";
  const scenario::Scenario scenario = scenario_with_zeros(with_checks(removal));
  const double third = 1.0 / 3.0;
  CHECK(shares_of_epoch(scenario, scenario::Mode::exact, 1) ==
        SharesOfEpoch{{"s-1", third}, {"s-2", third}, {"s-3", third}});
  const Counts counts = counts_of_epoch(scenario, 1);
  CHECK(counts.at("s-1") + 1 >= counts.at("s-2"));
  CHECK(counts.at("s-1") <= counts.at("s-2") + 1);
  const run::Snapshot snapshot(scenario, std::chrono::seconds{5});
  CHECK(snapshot.shares(snapshot.flow_group({0}, {0}).front()).rows.size() == 3);

  const SharesOfEpoch two_halves{{"s-2", 0.5}, {"s-3", 0.5}};
  CHECK(shares_of_epoch(scenario_with_zeros(with_checks(removal, "ignore_health_on_host_removal: true, ")),
                        scenario::Mode::exact, 1) == two_halves);
  // Before the first check no host passes.
  CHECK(shares_of_epoch(scenario_with_zeros(with_checks(
                            "timeline: [{ at: 0s, service: s, endpoints: [s-1], remove: 1, lives_on: true }]\n")),
                        scenario::Mode::exact, 0) == two_halves);
  // A host that EDS has reported unhealthy leaves at once.
  CHECK(shares_of_epoch(scenario_with_zeros(with_checks(
                            "timeline: [{ at: 1s, service: s, endpoints: [s-1], healthy: 0 }, { at: 2s, service: s, "
                            "endpoints: [s-1], remove: 1, lives_on: true }]\n")),
                        scenario::Mode::exact, 2) == two_halves);
  // It is the same host if it comes back, and leaves the share to others when it is removed without checks.
  CHECK(shares_of_epoch(scenario_with_zeros(with_checks(
                            "timeline: [{ at: 1s, service: s, endpoints: [s-1], remove: 1, lives_on: true }, { at: 3s, "
                            "service: s, endpoints: [s-1], add: 1 }]\n")),
                        scenario::Mode::exact, 2) == SharesOfEpoch{{"s-1", third}, {"s-2", third}, {"s-3", third}});
}

TEST_CASE("a host that is gone itself has no exact share until a check finds it out") {
  const scenario::Scenario scenario =
      scenario_with_zeros(with_checks("timeline: [{ at: 1s, service: s, endpoints: [s-1], remove: 1 }]\n"));
  const SharesOfEpoch shares = shares_of_epoch(scenario, scenario::Mode::exact, 1);
  REQUIRE(shares.contains("s-1"));
  CHECK_FALSE(shares.at("s-1"));
  CHECK(counts_of_epoch(scenario, 1).at("s-1") > 0);
}

namespace {

// A zone egress in front of two hosts; the primary one fails from 5 s on.
std::string behind_an_egress(const std::string& policy) {
  return "duration: 15s\nzones: [{ name: z }]\nclients: [{ name: c, zone: z, workload: { service: db, rate: 50rps } "
         "}]\n"
         "timeline: [{ at: 5s, endpoints: [\"primary:5432\"], fails: 100%, fails_with: connect_failure }]\nresources:\n"
         "  - { type: MeshExternalService, name: db, mesh: default, spec: { match: { type: HostnameGenerator, port: "
         "5432, protocol: tcp }, endpoints: [{ address: primary, port: 5432, priority: 0 }, { address: secondary, "
         "port: "
         "5432, priority: 1 }] } }\n  - " +
         policy;
}

}  // namespace

TEST_CASE("a host behind a zone proxy that ejects or checks for itself has no exact share") {
  for (const std::string policy :
       {"{ type: MeshCircuitBreaker, name: p, mesh: default, spec: { to: [{ targetRef: { kind: MeshExternalService, "
        "name: db }, default: { outlierDetection: { interval: 1s, baseEjectionTime: 30s, maxEjectionPercent: 100, "
        "detectors: { totalFailures: { consecutive: 5 } } } } }] } }\n",
        "{ type: MeshHealthCheck, name: p, mesh: default, spec: { to: [{ targetRef: { kind: MeshExternalService, name: "
        "db }, default: { interval: 1s, timeout: 1s, unhealthyThreshold: 2, healthyThreshold: 1, tcp: {} } }] } }\n"}) {
    INFO(policy);
    const scenario::Scenario scenario = scenario_with_zeros(behind_an_egress(policy));
    CHECK(counts_of_epoch(scenario, 0)["secondary:5432"] > 200);
    for (const scenario::Mode mode : {scenario::Mode::requests, scenario::Mode::exact}) {
      const SharesOfEpoch shares = shares_of_epoch(scenario, mode, 0);
      for (const std::string host : {"primary:5432", "secondary:5432"}) {
        INFO(host);
        REQUIRE(shares.contains(host));
        CHECK_FALSE(shares.at(host));
      }
    }
  }
}
