// Sessions and metadata that requests bring in their headers, as a running Envoy 1.40 takes them
// (docs/behaviour/envoy-host-pick.md 13.2 and 13.3).
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "models/envoy/stateful_session/stateful_session.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;
namespace sessions = spillway::envoy::stateful_session;

namespace {

// Three endpoints 10.0.0.1 to 10.0.0.3 of which the last is unhealthy, and one of an aggregate's other child.
std::string document(const std::string& state, bool strict, const std::string& headers, const std::string& cluster) {
  return "duration: 1s\nzones: [{ name: z }]\nservices:\n"
         "  - { name: c, endpoints: [{ id: e1, zone: z, address: '10.0.0.1:80' }, { id: e2, zone: z, address: "
         "'10.0.0.2:80' }, { id: e3, zone: z, address: '10.0.0.3:80', healthy: 0 }] }\n"
         "  - { name: all }\n"
         "clusters:\n  - { name: c }\n  - { name: all, lb_policy: CLUSTER_PROVIDED, cluster_type: { name: "
         "envoy.clusters.aggregate, typed_config: { '@type': "
         "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [c] } } }\n"
         "routes:\n - match: { prefix: / }\n   route: { cluster: " +
         cluster +
         " }\n   typed_per_filter_config:\n     envoy.filters.http.stateful_session:\n"
         "       '@type': "
         "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
         "       stateful_session: { strict: " +
         (strict ? "true" : "false") + ", session_state: " + state +
         " }\nclients: [{ name: a, zone: z, workload: { headers: { " + headers +
         " }, rate: 12rps, arrivals: periodic } }]\n";
}

std::string state(const std::string& kind, const std::string& config) {
  return "{ name: envoy.http.stateful_session." + kind +
         ", typed_config: { '@type': type.googleapis.com/envoy.extensions.http.stateful_session." + kind + ".v3." +
         config + " } }";
}
const std::string by_header = state("header", "HeaderBasedSessionState, name: x-session");
const std::string by_cookie = state("cookie", "CookieBasedSessionState, cookie: { name: s }");

using Counts = std::map<std::string, std::uint64_t>;

// Requests by endpoint; "none": without a host. The exact shares of the rows say the same.
Counts counts(const std::string& text) {
  const auto reading = scenario::read_scenario_text("sessions.yaml", text);
  for (const auto& problem : reading.diagnostics) {
    CHECK((problem.severity != spillway::Severity::error ? "" : problem.message + ": " + problem.label).empty());
  }
  REQUIRE(reading.scenario);
  const run::Results results = run::Simulation(*reading.scenario, {}).simulate();
  Counts found;
  for (const run::Share& share : results.shares) {
    const std::uint64_t requests = share.requests.value_or(0);
    if (requests > 0) {
      found[share.endpoint] += requests;
    }
    REQUIRE(share.exact);
    CHECK(*share.exact * 12.0 == Approx(static_cast<double>(requests)));
  }
  if (results.outcomes[0][scenario::Outcome::no_healthy_upstream] > 0) {
    found["none"] = results.outcomes[0][scenario::Outcome::no_healthy_upstream];
  }
  return found;
}

Counts header(const std::string& value, bool strict = false, const std::string& cluster = "c") {
  return counts(document(by_header, strict, "x-session: '" + value + "'", cluster));
}
Counts cookie(const std::string& value, bool strict = false) {
  return counts(document(by_cookie, strict, "cookie: 's=" + value + "'", "c"));
}

const Counts balanced = {{"e1", 6}, {"e2", 6}};

std::string encoded(const std::string& address) {
  return sessions::header_value(address);
}

}  // namespace

TEST_CASE("a session header that a client brings leads each request to its host") {
  CHECK(header(encoded("10.0.0.2:80")) == Counts{{"e2", 12}});
  CHECK(header(encoded("10.0.0.2:80"), true) == Counts{{"e2", 12}});
}

TEST_CASE("a session that names an unhealthy host or none is balanced anew each time, or refused if it is strict") {
  for (const char* const address : {"10.0.0.3:80", "10.0.0.9:80", "10.0.0.1"}) {
    INFO(address);
    CHECK(header(encoded(address)) == balanced);
    CHECK(header(encoded(address), true) == Counts{{"none", 12}});
  }
}

TEST_CASE("a session header that is no base64 is no session, not even a strict one") {
  CHECK(header("zzz") == balanced);
  CHECK(header("zzz", true) == balanced);
  CHECK(header("", true) == balanced);
}

TEST_CASE("a session cookie that a client brings leads each request to its host") {
  CHECK(cookie(sessions::cookie_value("10.0.0.2:80", 0, 0)) == Counts{{"e2", 12}});
  // Read as a protobuf message this text is fields 6 and 7, and no address.
  CHECK(cookie(encoded("10.0.0.2:80"), true) == balanced);
  CHECK(cookie("zzz", true) == balanced);
  CHECK(cookie(sessions::cookie_value("10.0.0.3:80", 0, 0), true) == Counts{{"none", 12}});
}

TEST_CASE("the first of several sessions counts") {
  const std::string two =
      sessions::cookie_value("10.0.0.2:80", 0, 0) + "; s=" + sessions::cookie_value("10.0.0.1:80", 0, 0);
  CHECK(cookie(two) == Counts{{"e2", 12}});
}

TEST_CASE("an aggregate cluster has no hosts of its own that a session could name") {
  CHECK(header(encoded("10.0.0.2:80"), false, "all") == balanced);
  CHECK(header(encoded("10.0.0.2:80"), true, "all") == Counts{{"none", 12}});
}

TEST_CASE("a session cookie with a moment of expiry is refused by name, since a scenario has no date") {
  const auto reading = scenario::read_scenario_text(
      "dated.yaml",
      document(by_cookie, false, "cookie: 's=" + sessions::cookie_value("10.0.0.2:80", 100, 5) + "'", "c"));
  CHECK_FALSE(reading.scenario);
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics[0].code == "SP146");
}

TEST_CASE("a header decides its request's subset before the route's metadata does") {
  const auto shares = [](const std::string& headers) {
    return counts(
        "duration: 1s\nzones: [{ name: z }]\nservices: [{ name: c, endpoints: [{ id: e1, zone: z, metadata: { v: a "
        "} }, { id: e2, zone: z, metadata: { v: b } }] }]\n"
        "clusters: [{ name: c, lb_subset_config: { fallback_policy: NO_FALLBACK, subset_selectors: [{ keys: [v] }] } "
        "}]\n"
        "routes:\n - match: { prefix: / }\n   route: { cluster: c, metadata_match: { filter_metadata: { envoy.lb: { v: "
        "b } } } }\n   typed_per_filter_config:\n     envoy.filters.http.header_to_metadata:\n"
        "       '@type': type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config\n"
        "       request_rules: [{ header: x-v, on_header_present: { metadata_namespace: envoy.lb, key: v } }]\n"
        "clients: [{ name: a, zone: z, workload: { headers: { " +
        headers + " }, rate: 12rps, arrivals: periodic } }]\n");
  };
  CHECK(shares("x-v: a") == Counts{{"e1", 12}});
  CHECK(shares("x-other: a") == Counts{{"e2", 12}});
  CHECK(shares("x-v: c") == Counts{{"none", 12}});
}

// As timeline 17 of seed 1 was recorded on Envoy 1.40 (tests/parity/timelines): hosts that EDS no longer lists stay
// while their checks pass, and sessions stay with them.
TEST_CASE(
    "sessions stay with a host that EDS has dropped while its checks pass, and leave it with the check that fails") {
  const auto reading = scenario::read_scenario_text(
      "kept.yaml",
      "duration: 20s\nmode: requests\nzones: [{ name: z }]\n"
      "services: [{ name: c, endpoints: [{ count: 4, zone: z }] }]\n"
      "clusters:\n"
      "  - name: c\n"
      "    health_checks:\n"
      "      - { timeout: 0.3s, interval: 1s, unhealthy_threshold: 2, healthy_threshold: 1,\n"
      "          http_health_check: { path: /check } }\n"
      "routes:\n - match: { prefix: / }\n   route: { cluster: c }\n   typed_per_filter_config:\n"
      "     envoy.filters.http.stateful_session:\n"
      "       '@type': "
      "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
      "       stateful_session: { session_state: " +
          by_cookie +
          " }\n"
          "clients: [{ name: a, zone: z, workload: { headers: { x-user: u }, rate: 10rps, arrivals: periodic } }]\n"
          "timeline:\n"
          "  - { at: 5s, remove: 4, lives_on: true }\n"
          "  - { at: 10s, answers_checks: unhealthy }\n");
  REQUIRE(reading.scenario);
  std::map<std::string, std::uint64_t> before;
  std::map<std::string, std::uint64_t> kept;
  std::map<std::string, std::uint64_t> after;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    auto& counts = request.sent_at < std::chrono::seconds{5}    ? before
                   : request.sent_at < std::chrono::seconds{10} ? kept
                                                                : after;
    ++counts[request.destination ? reading.scenario->endpoints[request.destination->endpoint.value].id : "none"];
    CHECK(request.session == 1);
  };
  (void)run::Simulation(*reading.scenario, options).simulate();
  REQUIRE(before.size() == 1);
  CHECK(before.begin()->second == 50);
  CHECK(kept == before);
  CHECK(after.at("none") > 80);
}
