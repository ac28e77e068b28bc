// Timeouts of streams and what outlier detection counts, as a running Envoy 1.40 has them
// (docs/behaviour/envoy-host-pick.md 17 and 20).
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/workload.hpp"

using namespace std::chrono_literals;
namespace config = spillway::config;
namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

struct Simulated : run::Results {
  double longest = 0.0;  // seconds that a request took, however it ended
};

// Ten requests a second for ten seconds by one route to two endpoints that fail in this way; empty: not at all.
Simulated simulate(const std::string& route, const std::string& cluster, const std::string& fails_with) {
  const auto reading = scenario::read_scenario_text(
      "timeouts.yaml",
      "duration: 10s\nzones: [{ name: z }]\nservices: [{ name: c, endpoints: [{ count: 2, zone: z }] }]\n"
      "clusters: [{ name: c" +
          cluster + " }]\nroutes: [{ match: { prefix: / }, route: { cluster: c" + route +
          " } }]\nclients: [{ name: a, zone: z, workload: { rate: 10rps, arrivals: periodic, path: / } }]\n" +
          (fails_with.empty() ? ""
                              : "timeline: [{ at: 0s, service: c, fails: 100%, fails_with: " + fails_with + " }]\n"));
  for (const auto& problem : reading.diagnostics) {
    INFO(problem.message << problem.label);
    CHECK(problem.severity != Severity::error);
  }
  REQUIRE(reading.scenario);
  double longest = 0.0;
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    longest = std::max(longest, std::chrono::duration<double>(request.ended_at - request.sent_at).count());
  };
  Simulated simulated{run::Simulation(*reading.scenario, options).simulate()};
  simulated.longest = longest;
  return simulated;
}

constexpr const char* many_retries = ", circuit_breakers: { thresholds: [{ max_retries: 1000 }] }";
constexpr const char* eject_at_once =
    ", outlier_detection: { consecutive_5xx: 1, max_ejection_percent: 100, base_ejection_time: 100s }";

// A cluster that ejects at the first failure, with this matcher.
std::string matcher(const std::string& rule) {
  const std::string name = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  return eject_at_once + std::string(", typed_extension_protocol_options: { ") + name +
         ": { '@type': type.googleapis.com/" + name +
         ", explicit_http_config: { http_protocol_options: {} }, outlier_detection: { error_matcher: " + rule +
         " } } }";
}

std::string status_is(const std::string& match) {
  return "{ http_response_headers_match: { headers: [{ name: ':status', " + match + " }] } }";
}

bool ejects(const std::string& rule, const std::string& status) {
  return !simulate("", matcher(rule), status).ejections.empty();
}

}  // namespace

TEST_CASE("a route's idle_timeout ends a request as its timeout does, and blames no endpoint") {
  const Simulated idle = simulate(", idle_timeout: 0.3s", eject_at_once, "no_answer");
  CHECK(idle.outcomes[0][scenario::Outcome::timeout] == 100);
  CHECK(idle.longest == Approx(0.3));
  CHECK(idle.ejections.empty());
  const Simulated timeout = simulate(", timeout: 0.3s", eject_at_once, "no_answer");
  CHECK(timeout.outcomes[0][scenario::Outcome::timeout] > 0);
  CHECK(timeout.ejections.size() == 2);
}

TEST_CASE("max_stream_duration, even an empty one, takes the place of the timeout") {
  const Simulated longer =
      simulate(", timeout: 0.3s, max_stream_duration: { max_stream_duration: 1s }", eject_at_once, "no_answer");
  CHECK(longer.outcomes[0][scenario::Outcome::timeout] == 100);
  CHECK(longer.longest == Approx(1.0));
  CHECK(longer.ejections.empty());
  CHECK(simulate(", timeout: 0.3s, max_stream_duration: {}, idle_timeout: 0.9s", "", "no_answer").longest ==
        Approx(0.9));
}

TEST_CASE("of idle_timeout, max_stream_duration and timeout the shortest counts") {
  CHECK(simulate(", idle_timeout: 0.5s, max_stream_duration: { max_stream_duration: 0.4s }", "", "no_answer").longest ==
        Approx(0.4));
  CHECK(simulate(", idle_timeout: 0.4s, max_stream_duration: { max_stream_duration: 0.5s }", "", "no_answer").longest ==
        Approx(0.4));
  CHECK(simulate(", timeout: 0.2s, idle_timeout: 0.4s", "", "no_answer").longest == Approx(0.2));
}

TEST_CASE("an idle_timeout ends a request between its retries, and tries that took too long are blamed before") {
  const Simulated between = simulate(
      ", idle_timeout: 0.6s, retry_policy: { retry_on: 5xx, num_retries: 3, retry_back_off: { base_interval: 20s, "
      "max_interval: 20s } }",
      many_retries, "503");
  CHECK(between.outcomes[0][scenario::Outcome::timeout] > 80);  // few back-offs of up to 20 s are below 0.6 s
  CHECK(between.longest == Approx(0.6));
  const Simulated tries =
      simulate(", idle_timeout: 0.5s, retry_policy: { retry_on: 5xx, num_retries: 5, per_try_timeout: 0.2s }",
               eject_at_once, "no_answer");
  CHECK(tries.outcomes[0][scenario::Outcome::timeout] == 100);
  CHECK(tries.outcomes[0].retries > 0);
  CHECK(tries.ejections.size() == 2);
}

TEST_CASE("a cluster's max_stream_duration ends an attempt, which is tried again as a reset and blames nobody") {
  const std::string limit =
      std::string(eject_at_once) + many_retries + ", common_http_protocol_options: { max_stream_duration: 0.3s }";
  const Simulated once = simulate("", limit, "no_answer");
  CHECK(once.outcomes[0][scenario::Outcome::timeout] == 100);
  CHECK(once.longest == Approx(0.3));
  CHECK(once.ejections.empty());
  const Simulated again = simulate(", retry_policy: { retry_on: reset, num_retries: 3 }", limit, "no_answer");
  CHECK(again.outcomes[0].retries == 300);
  CHECK(again.longest > 1.2);
  CHECK(again.ejections.empty());
  const Simulated by_status = simulate(
      ", retry_policy: { retry_on: retriable-status-codes, retriable_status_codes: [504] }", limit, "no_answer");
  CHECK(by_status.outcomes[0].retries == 0);
}

TEST_CASE("an error matcher decides which statuses eject") {
  CHECK(ejects(status_is("string_match: { exact: '404' }"), "404"));
  CHECK_FALSE(ejects(status_is("string_match: { exact: '404' }"), "503"));
  CHECK(ejects(status_is("range_match: { start: 400, end: 500 }"), "404"));
  CHECK_FALSE(ejects(status_is("range_match: { start: 400, end: 404 }"), "404"));
  CHECK(ejects("{ not_match: " + status_is("string_match: { prefix: '5' }") + " }", ""));
  CHECK_FALSE(ejects("{ not_match: " + status_is("string_match: { prefix: '5' }") + " }", "500"));
  const std::string not_503 = "{ not_match: " + status_is("string_match: { exact: '503' }") + " }";
  const std::string both =
      "{ and_match: { rules: [" + status_is("string_match: { prefix: '5' }") + ", " + not_503 + "] } }";
  CHECK(ejects(both, "500"));
  CHECK_FALSE(ejects(both, "503"));
  CHECK_FALSE(ejects(both, "404"));
  const std::string either = "{ or_match: { rules: [" + status_is("string_match: { exact: '404' }") + ", " +
                             status_is("string_match: { exact: '503' }") + "] } }";
  CHECK(ejects(either, "404"));
  CHECK_FALSE(ejects(either, "500"));
}

TEST_CASE("an error matcher never sees requests, trailers or bodies") {
  const std::string trailers = "{ http_response_trailers_match: { headers: [{ name: x, present_match: true }] } }";
  CHECK_FALSE(ejects(trailers, "503"));
  CHECK(ejects("{ not_match: " + trailers + " }", ""));
  CHECK_FALSE(ejects("{ http_request_headers_match: { headers: [{ name: ':path', present_match: true }] } }", "503"));
  CHECK_FALSE(ejects("{ http_response_generic_body_match: { patterns: [{ string_match: a }] } }", "503"));
}

TEST_CASE("what an error matcher matches counts with its own status from 500 on, and as a 500 below") {
  CHECK(config::counted_status(503, std::nullopt) == 503);
  const auto all = std::optional(config::ErrorStatuses().set());
  CHECK(config::counted_status(200, all) == 500);
  CHECK(config::counted_status(503, all) == 503);
  CHECK(config::counted_status(503, config::ErrorStatuses()) == 200);
}

TEST_CASE("a matcher that matches good answers leaves no exact share of an exact run") {
  const auto exact_shares_with = [](const std::string& cluster) {
    const auto reading = scenario::read_scenario_text(
        "exact.yaml",
        "duration: 10s\nmode: exact\nzones: [{ name: z }]\nservices: [{ name: c, endpoints: [{ count: 2, zone: z }] "
        "}]\n"
        "clusters: [{ name: c" +
            cluster + " }]\nclients: [{ name: a, zone: z, workload: { service: c, rate: 10rps } }]\n");
    REQUIRE(reading.scenario);
    const run::Results results = run::Simulation(*reading.scenario, {}).simulate();
    return std::count_if(results.shares.begin(), results.shares.end(),
                         [](const run::Share& share) { return share.exact.has_value(); });
  };
  CHECK(exact_shares_with(matcher(status_is("string_match: { exact: '404' }"))) == 2);
  CHECK(exact_shares_with(matcher("{ any_match: true }")) == 0);
}
