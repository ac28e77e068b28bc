// What an explanation says of a proxy that was played, against what the scenario must make it do.
#include "reports/explain/simulated.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "reports/explain/explain.hpp"
#include "reports/explain/explanation.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using reports::explain::Fact;

namespace {

std::string served(const std::string& endpoints, const std::string& cluster, const std::string& routes,
                   const std::string& workload, const std::string& timeline) {
  return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclusters: [{ name: s" + cluster + " }]\n" + routes + "clients: [{ name: c, zone: z, workload: { " +
         workload + ", arrivals: periodic } }]\ntimeline: [" + timeline + "]\n";
}

const std::string route_with_retries =
    "routes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: 5xx, num_retries: 2 } } }]\n";

// The facts of a step, as "subject: note"; none: there is no such step.
std::vector<std::string> facts_of(const std::string& text, std::chrono::milliseconds at, const std::string& name) {
  const scenario::Reading reading = scenario::read_scenario_text("played.yaml", text);
  REQUIRE(reading.scenario);
  const reports::explain::SimulatedQuestion question{.client = {0}, .service = {0}, .at = at};
  const auto simulated = reports::explain::simulate_proxy(*reading.scenario, question);
  auto explanation = reports::explain::explain(simulated.scenario, reading.sources, {.service = {0}, .at = at});
  reports::explain::add_simulated(*reading.scenario, reading.diagnostics, reading.sources, simulated, question,
                                  explanation);
  std::vector<std::string> facts;
  for (const auto& section : explanation.sections) {
    for (const auto& step : section.steps) {
      if (step.name == name) {
        for (const Fact& fact : step.facts) {
          facts.push_back(fact.subject + ": " + fact.note);
        }
      }
    }
  }
  return facts;
}

bool has_part(const std::vector<std::string>& facts, const std::string& part) {
  return std::any_of(facts.begin(), facts.end(),
                     [&](const std::string& fact) { return fact.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a round robin's next picks go on where its cursor stands", "[explain]") {
  const std::string text = served("{ count: 3, zone: z }", "", "", "service: s, rate: 1rps", "");
  const auto early = facts_of(text, 5s, "next picks");
  const auto later = facts_of(text, 6s, "next picks");
  REQUIRE(early.size() == 1);
  REQUIRE(later.size() == 1);
  // One request lies between, so that the first of the one list is missing in the other.
  const std::string rest = early[0].substr(early[0].find(", ") + 2);
  CHECK(later[0].substr(2).starts_with(rest.substr(0, rest.find(", s-", 20))));
  CHECK(early[0].ends_with("if nothing changes in between"));
}

TEST_CASE("least request says who has what in flight, and where the next pick goes", "[explain]") {
  // The slow one of two hosts has everything under way that ever went there: two choices take the other one unless both
  // draw it, 3/4.
  const std::string text = served("{ id: slow, zone: z, service_time: 100s }, { id: fast, zone: z, service_time: 1ms }",
                                  ", lb_policy: LEAST_REQUEST", "", "service: s, rate: 10rps", "");
  const auto facts = facts_of(text, 15s, "in flight");
  REQUIRE(facts.size() == 2);
  CHECK(facts[0] == "0 requests: 75 % of the next picks: fast");
  CHECK(has_part(facts, "25 % of the next picks: slow"));
}

TEST_CASE("chances of success by attempts, and what previous_hosts would gain", "[explain]") {
  const std::string text = served("{ count: 4, zone: z }", ", lb_policy: RANDOM", route_with_retries,
                                  "rate: 50rps, headers: { a: b }", "{ at: 5s, endpoints: [s-1], fails: 100% }");
  const auto attempts = facts_of(text, 10s, "attempts");
  REQUIRE(attempts.size() == 4);
  CHECK(attempts[0] == "1 attempt: 75 % succeed");
  CHECK(attempts[1] == "2 attempts: 98.44 % succeed with previous_hosts, 93.75 % without (as configured)");
  // Of four hosts one fails: 63/64 succeed within three random picks, and more where tried hosts are left out.
  CHECK(has_part(facts_of(text, 10s, "change"), "previous_hosts and host_selection_retry_max_attempts 3: "));
  CHECK(has_part(facts_of(text, 10s, "failed"), "retries: "));
  CHECK(facts_of(text, 2s, "attempts").empty());
}

TEST_CASE("an ejection that is prevented ends with the percentage that would allow it", "[explain]") {
  const std::string text = served("{ count: 5, zone: z }", ", outlier_detection: { consecutive_5xx: 3 }", "",
                                  "service: s, rate: 100rps", "{ at: 1s, endpoints: [s-1, s-2], fails: 100% }");
  const auto change = facts_of(text, 15s, "change");
  REQUIRE_FALSE(change.empty());
  const std::string cap =
      "max_ejection_percent: at 10 2 of 5 hosts that fail keep getting requests; 40 lets all 2 of them be ejected";
  CHECK(change[0].starts_with(cap + ": "));
  // Before, three of five hosts answer.
  CHECK(change[0].find(" of the requests succeed instead of 60 %") != std::string::npos);
  CHECK(has_part(change, "SP750"));
}

TEST_CASE("hosts that fail and are not ejected are those of the set that proxies know", "[explain]") {
  const std::string text =
      served("{ count: 5, zone: z }", ", outlier_detection: { consecutive_5xx: 3, enforcing_consecutive_5xx: 0 }", "",
             "service: s, rate: 100rps",
             "{ at: 1s, endpoints: [s-1], fails: 100% }, { at: 5s, endpoints: [s-2, s-3], remove: 2 }");
  CHECK(facts_of(text, 15s, "not ejected") == std::vector<std::string>{"s-1: enforcing_consecutive_5xx is 0"});
}

TEST_CASE("a breaker at its limit says who is turned away, and what to raise", "[explain]") {
  const std::string text =
      served("{ id: s-1, zone: z, service_time: 1450ms }", ", circuit_breakers: { thresholds: [{ max_requests: 1 }] }",
             "", "service: s, rate: 10rps", "");
  CHECK(has_part(facts_of(text, 10s, "breakers"), "max_requests: 1 of 1: the next one is rejected"));
  CHECK(has_part(facts_of(text, 10s, "change"), "max_requests: 1 rejects requests"));
}

TEST_CASE("where requests time out, a retry budget that is used up is not to be raised", "[explain]") {
  const std::string budget =
      ", circuit_breakers: { thresholds: [{ retry_budget: { budget_percent: { value: 1 }, min_retry_concurrency: 1 } "
      "}] "
      "}";
  const std::string route =
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.4s, retry_policy: { retry_on: 5xx, "
      "num_retries: 2, per_try_timeout: 0.15s } } }]\n";
  // One core of 20 answers a second is sent 40 requests: retries only lengthen its queue.
  const std::string slow =
      served("{ id: s-1, zone: z, cores: 1, service_time: 50ms }", budget, route, "rate: 40rps, headers: { a: b }", "");
  // The budget comes and goes from retry to retry.
  const auto ever_says = [](const std::string& text, const std::string& part) {
    bool said = false;
    for (const std::chrono::milliseconds at : {6000ms, 8030ms, 10060ms, 12090ms, 14010ms, 16040ms}) {
      said = said || has_part(facts_of(text, at, "change"), part);
    }
    return said;
  };
  CHECK(ever_says(slow, "retry_budget: keep it"));
  CHECK_FALSE(ever_says(slow, "raise budget_percent"));
  // Two of three hosts fail at once: a retry elsewhere helps.
  const std::string failing =
      served("{ count: 3, zone: z, service_time: 100ms }", budget, route, "rate: 40rps, headers: { a: b }",
             "{ at: 1s, endpoints: [s-1, s-2], fails: 100% }");
  CHECK(ever_says(failing, "raise budget_percent"));
  CHECK_FALSE(ever_says(failing, "keep it"));
}

// ../shared/tickets/22-envoy-27200: a real Envoy 1.40.0 sent 200 of 200 requests to the dead host first.
TEST_CASE("a rotation that retries lock is explained by its order, and only an ejection ends it", "[explain]") {
  const std::string route =
      "routes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: connect-failure, num_retries: 1 "
      "} } "
      "}]\n";
  const std::string text = served("{ id: dead, zone: z, service_time: 1ms }, { id: good, zone: z, service_time: 1ms }",
                                  "", route, "rate: 10rps, headers: { a: b }",
                                  "{ at: 1ms, endpoints: [dead], fails: 100%, fails_with: connect_failure }");
  const auto attempts = facts_of(text, 10s, "attempts");
  REQUIRE(attempts.size() == 3);
  CHECK(attempts[0] == "1 attempt: 0 % succeed");
  CHECK(attempts[1] == "2 attempts: 100 % succeed");
  CHECK(has_part(attempts, "each request begins at dead"));
  const auto change = facts_of(text, 10s, "change");
  // An ejected host takes no turn: one attempt is enough. Of drawn picks a quarter would fail twice, and every request
  // succeeds as it is.
  CHECK(
      has_part(change, "outlier_detection: consecutive_5xx 5 and max_ejection_percent 50 eject 1 host that fails: 1"));
  CHECK_FALSE(has_part(change, "lb_policy"));
  CHECK_FALSE(has_part(change, "succeed instead of"));
}

TEST_CASE("a change that moves nothing is no advice", "[explain]") {
  // The only host fails: no ejection, no retry and no other policy helps.
  const std::string text =
      served("{ id: s-1, zone: z }", ", outlier_detection: { consecutive_5xx: 5000 }", route_with_retries,
             "rate: 50rps, headers: { a: b }", "{ at: 1s, endpoints: [s-1], fails: 100% }");
  CHECK(facts_of(text, 10s, "change").empty());
  const auto kept = facts_of(text, 10s, "not ejected");
  REQUIRE(kept.size() == 1);
  CHECK(kept[0] == "s-1: 5000 answers of 5xx in a row eject a host (consecutive_5xx)");
}

// ../shared/tickets/39-nv-config-manager-250: what was never delivered may be sent again, whatever it is.
TEST_CASE("where only connections fail, retries of connections alone are advised", "[explain]") {
  const std::string route = "routes: [{ match: { prefix: / }, route: { cluster: s } }]\n";
  const std::string text = served("{ count: 4, zone: z }", "", route, "rate: 50rps, headers: { a: b }",
                                  "{ at: 5s, endpoints: [s-1], fails: 100%, fails_with: connect_failure }");
  const auto change = facts_of(text, 10s, "change");
  CHECK(has_part(change, "retry_policy: retry_on connect-failure,refused-stream, num_retries 1"));
  CHECK(has_part(change, "100 % of the requests succeed instead of 75"));
  CHECK(has_part(facts_of(text, 10s, "failed"), "no retry: the route has no retry policy"));
}

// ../shared/tickets/08-istio-48197: the cap is no reason where the detector would not have ejected anyway.
TEST_CASE("a detector that enforces nothing is not stopped by max_ejection_percent", "[explain]") {
  const std::string text = served("{ count: 2, zone: z }", ", outlier_detection: { consecutive_5xx: 300 }", "",
                                  "service: s, rate: 100rps", "{ at: 1s, endpoints: [s-1], fails: 100% }");
  CHECK_FALSE(has_part(facts_of(text, 3s, "found out"), "max_ejection_percent"));
  CHECK_FALSE(has_part(facts_of(text, 3s, "change"), "max_ejection_percent: at 10"));
}

// ../shared/tickets/24-envoy-24599; docs/behaviour/envoy-host-pick.md 19: each picked host may have one connection.
TEST_CASE("connections beyond their limit are explained by hosts and workers", "[explain]") {
  const std::string text =
      served("{ count: 20, zone: z, service_time: 1s }",
             ", circuit_breakers: { thresholds: [{ max_connections: 10, max_pending_requests: 1000 }] }", "",
             "service: s, rate: 200rps", "");
  CHECK(has_part(facts_of(text, 10s, "breakers"),
                 "of 10: one for each host and worker is always allowed, at most 10 + 20 x 1 = 30"));
}

// ../shared/tickets/21-envoy-24937: by Little's law 10 rps x 0.1 s are in flight at most.
TEST_CASE("a retry limit above the requests in flight hardly binds", "[explain]") {
  const std::string route =
      "routes: [{ match: { prefix: / }, route: { cluster: s, timeout: 0.1s, retry_policy: { retry_on: 5xx, "
      "num_retries: 2 } "
      "} }]\n";
  const std::string text = served("{ count: 2, zone: z }", "", route, "rate: 10rps, headers: { a: b }", "");
  const scenario::Reading reading = scenario::read_scenario_text("played.yaml", text);
  REQUIRE(reading.scenario);
  CHECK(
      has_part(reports::explain::explain(*reading.scenario, reading.sources, {.service = {0}, .at = 10s}).bounds,
               "its proxy has at most 1 requests in flight on average (10 rps x 100 ms timeout): a limit of 3 retries "
               "hardly binds"));
}
