// What proxies do and find out, against what the scenario must make them do.
#include "sim/run/records/event_log.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "sim/run/run.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace std::chrono_literals;
using run::EventGroup;
using run::EventKind;

namespace {

// Ten requests a second, evenly, for ten seconds from each client.
std::string logged_scenario(const std::string& endpoints, const std::string& cluster, const std::string& timeline,
                            int clients = 1) {
  return "duration: 10s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclusters: [{ name: s" + cluster +
         " }]\nclients: [{ name: c, zone: z, count: " + std::to_string(clients) +
         ", workload: { service: s, rate: 10rps, arrivals: periodic } }]\ntimeline: [" + timeline + "]\n";
}

run::Results logged(const std::string& text, run::EventLog::Options kept = {}) {
  run::Options options;
  options.mode = scenario::Mode::requests;
  options.logged_events = std::move(kept);
  return run::run(scenario::test::accepted(text), options);
}

// Of ejections those for failures in a row; gateway failures are counted besides.
std::vector<EventGroup> groups_of(const run::Results& results, EventKind kind) {
  std::vector<EventGroup> groups;
  std::copy_if(results.logged_events.groups.begin(), results.logged_events.groups.end(), std::back_inserter(groups),
               [&](const EventGroup& group) {
                 return group.first.kind == kind && group.first.detection == health::Detection::consecutive_5xx;
               });
  return groups;
}

const std::string two_endpoints = "{ count: 2, zone: z }";
const std::string one_fails = "{ at: 0s, endpoints: [s-1], fails: 100% }";

}  // namespace

TEST_CASE("an ejection that max_ejection_percent forbids is logged with what it was held against") {
  const run::Results results =
      logged(logged_scenario(two_endpoints, ", outlier_detection: { consecutive_5xx: 3 }", one_fails));
  CHECK(groups_of(results, EventKind::ejected).empty());
  const auto prevented = groups_of(results, EventKind::ejection_prevented);
  REQUIRE(prevented.size() == 1);
  // Round robin sends 50 of the 100 requests there, and every third failure in a row is one decision.
  CHECK(prevented[0].times == 16);
  CHECK(prevented[0].first.limit == 10.0);
  CHECK(prevented[0].first.threshold == 3.0);
  CHECK(prevented[0].first.value == 3.0);
  CHECK(prevented[0].first.hosts == 2);
  CHECK(prevented[0].proxies == 1);
  CHECK(prevented[0].endpoints == 1);
}

TEST_CASE("an ejection is logged with its reason and its time, and so is the return") {
  const run::Results results = logged(logged_scenario(
      two_endpoints,
      ", outlier_detection: { consecutive_5xx: 3, interval: 1s, base_ejection_time: 4s, max_ejection_percent: 50 }",
      one_fails + ", { at: 3s, endpoints: [s-1], fails: 0% }"));
  const auto ejected = groups_of(results, EventKind::ejected);
  REQUIRE(ejected.size() == 1);
  CHECK(ejected[0].times == 1);
  CHECK(ejected[0].first.detection == health::Detection::consecutive_5xx);
  CHECK(ejected[0].first.until == ejected[0].first.at + 4s);
  const auto returned = groups_of(results, EventKind::returned);
  REQUIRE(returned.size() == 1);
  CHECK_FALSE(returned[0].first.by_check);
  // The sweeps are at whole seconds, the ejection within the first one.
  CHECK(returned[0].first.at == 5s);
}

TEST_CASE("enforcing 0 is logged as what it is") {
  const run::Results results = logged(logged_scenario(
      two_endpoints,
      ", outlier_detection: { consecutive_5xx: 3, enforcing_consecutive_5xx: 0, max_ejection_percent: 50 }",
      one_fails));
  const auto groups = groups_of(results, EventKind::ejection_not_enforced);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].times == 16);
  CHECK(groups[0].first.limit == 0.0);
}

TEST_CASE("panic lasts from the push that begins it to the one that ends it, in every proxy") {
  const run::Results results =
      logged(logged_scenario("{ count: 4, zone: z }", "", "{ at: 5s, healthy: 1 }, { at: 8s, healthy: 4 }", 2));
  const auto began = groups_of(results, EventKind::panic_began);
  const auto ended = groups_of(results, EventKind::panic_ended);
  REQUIRE(began.size() == 1);
  REQUIRE(ended.size() == 1);
  CHECK(began[0].first.at == 5s);
  CHECK(began[0].times == 2);
  CHECK(began[0].proxies == 2);
  CHECK(began[0].lasted == 6s);
  CHECK(began[0].first.value == 25.0);
  CHECK(began[0].first.limit == 50.0);
  CHECK(ended[0].first.at == 8s);
  CHECK(ended[0].first.value == 100.0);
}

// Whatever is told at one moment is one state: 0 % and 20 % would both panic, 20 % beside a whole priority 1 does not.
TEST_CASE("states between the events of one moment are not logged") {
  for (const char* const groups : {"{ count: 10, zone: z, healthy: \"100% 5s, 20%\" }, { count: 10, zone: z, priority: "
                                   "1, healthy: \"0% 5s, 100%\" }",
                                   "{ count: 10, zone: z, priority: 1, healthy: \"0% 5s, 100%\" }, { count: 10, zone: "
                                   "z, healthy: \"100% 5s, 20%\" }"}) {
    const run::Results results = logged(logged_scenario(groups, "", "{ at: 9s, endpoints: [s-1], slow: 1 }"));
    CHECK(groups_of(results, EventKind::panic_began).empty());
    CHECK(groups_of(results, EventKind::panic_ended).empty());
    const auto began = groups_of(results, EventKind::priority_began);
    REQUIRE(began.size() == 1);
    CHECK(began[0].first.at == 5s);
    // 140 / 100 * 20 % stay at priority 0.
    CHECK(began[0].first.value == 72.0);
  }
}

TEST_CASE("a host that is told unhealthy and healthy at one moment begins no slow start and ends no panic") {
  const run::Results results = logged(logged_scenario(
      "{ count: 4, zone: z }",
      ", lb_policy: ROUND_ROBIN, round_robin_lb_config: { slow_start_config: { slow_start_window: 1s } }",
      "{ at: 5s, healthy: 0 }, { at: 5s, healthy: 4 }"));
  CHECK(groups_of(results, EventKind::slow_start_began).empty());
  CHECK(groups_of(results, EventKind::panic_began).empty());
}

TEST_CASE("a host that leaves and comes back at one moment is the one that it was") {
  const run::Results results = logged(logged_scenario(
      two_endpoints,
      ", outlier_detection: { consecutive_5xx: 3, interval: 1s, base_ejection_time: 100s, max_ejection_percent: 50 }",
      one_fails + ", { at: 5s, endpoints: [s-1], remove: 1, lives_on: true }, { at: 5s, endpoints: [s-1], add: 1 }"));
  CHECK(results.ejections.size() == 1);
}

TEST_CASE("events at 0 s are in the log as what they leave") {
  const run::Results results = logged(logged_scenario("{ count: 2, zone: z }, { id: t-1, zone: z, priority: 1 }", "",
                                                      "{ at: 0s, endpoints: [s-1, s-2], remove: 2 }"));
  CHECK(groups_of(results, EventKind::panic_began).empty());
  CHECK(groups_of(results, EventKind::priority_stopped).empty());
  const auto began = groups_of(results, EventKind::priority_began);
  REQUIRE(began.size() == 1);
  CHECK(began[0].times == 1);
  CHECK(began[0].first.value == 100.0);
}

TEST_CASE("several hosts that are ejected at one moment are one change of the loads") {
  // Three fail every request, and one sweep ejects them.
  const run::Results results = logged(logged_scenario(
      "{ count: 4, zone: z }, { id: t-1, zone: z, priority: 1 }",
      ", outlier_detection: { consecutive_5xx: 1000, failure_percentage_minimum_hosts: 1, "
      "failure_percentage_request_volume: "
      "1, failure_percentage_threshold: 50, enforcing_failure_percentage: 100, interval: 1s, base_ejection_time: 100s, "
      "max_ejection_percent: 100 }",
      "{ at: 0s, endpoints: [s-1, s-2, s-3], fails: 100% }"));
  CHECK(results.ejections.size() == 3);
  const auto began = groups_of(results, EventKind::priority_began);
  REQUIRE(began.size() == 1);
  CHECK(began[0].times == 1);
  // One of four hosts is left, 140 / 100 * 25 % of the requests.
  CHECK(began[0].first.value == 65.0);
}

TEST_CASE("a cluster without hosts is not in panic") {
  const run::Results results = logged(logged_scenario("{ count: 2, zone: z }", "", "{ at: 5s, remove: 2 }"));
  CHECK(groups_of(results, EventKind::panic_began).empty());
  CHECK(results.outcomes.back()[scenario::Outcome::no_healthy_upstream] == results.outcomes.back().sent);
}

TEST_CASE("panic of a cluster below an aggregate is logged of the level that it is there, and is in its rows") {
  // From 4 s to 8 s 2 of 5 hosts of `front` are 40 %, below its threshold of 50 %, and 2 / 5 * 1.4 = 56 % of the
  // requests still go there; with none from 8 s on all go to `cart`, and `front` panics for nobody.
  const run::Results results = logged(
      "duration: 10s\nzones: [{ name: z }]\nservices:\n  - { name: front, endpoints: [{ count: 5, zone: z }] }\n"
      "  - { name: cart, endpoints: [{ count: 3, zone: z }] }\n  - { name: agg }\nclusters:\n"
      "  - { name: agg, lb_policy: CLUSTER_PROVIDED, cluster_type: { name: envoy.clusters.aggregate, typed_config: { "
      "'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [front, cart] } } "
      "}\n"
      "clients: [{ name: c, zone: z, count: 2, workload: { service: agg, rate: 10rps, arrivals: periodic } }]\n"
      "timeline: [{ at: 4s, service: front, healthy: 2 }, { at: 8s, service: front, healthy: 0 }]\n");
  const auto began = groups_of(results, EventKind::panic_began);
  const auto ended = groups_of(results, EventKind::panic_ended);
  REQUIRE(began.size() == 1);
  REQUIRE(ended.size() == 1);
  CHECK(began[0].first.at == 4s);
  CHECK(began[0].times == 2);
  CHECK(began[0].first.service == config::ServiceIndex{2});
  CHECK(began[0].first.priority == config::Priority{0});
  CHECK(began[0].first.value == 40.0);
  CHECK(began[0].first.limit == 50.0);
  CHECK(began[0].lasted == 8s);
  CHECK(ended[0].first.at == 8s);
  REQUIRE(results.epochs.size() == 3);
  for (std::size_t epoch = 0; epoch < 3; ++epoch) {
    const auto& priorities = results.epochs[epoch].health->priorities;
    REQUIRE(priorities.size() == 2);
    CHECK(priorities[0].cluster == "front");
    CHECK(priorities[0].panic == (epoch == 1));
    CHECK_FALSE(priorities[1].panic);
  }
}

TEST_CASE("a priority that begins to take traffic and one that stops are logged with their loads") {
  const run::Results results = logged(
      logged_scenario("{ count: 2, zone: z }, { id: t-1, zone: z, priority: 1 }, { id: t-2, zone: z, priority: 1 }", "",
                      "{ at: 5s, endpoints: [s-1, s-2], healthy: 0 }"));
  const auto began = groups_of(results, EventKind::priority_began);
  const auto stopped = groups_of(results, EventKind::priority_stopped);
  REQUIRE(began.size() == 1);
  REQUIRE(stopped.size() == 1);
  CHECK(began[0].first.priority.value == 1);
  CHECK(began[0].first.value == 100.0);
  CHECK(stopped[0].first.priority.value == 0);
  CHECK(stopped[0].first.limit == 100.0);
}

TEST_CASE("checks that fail are counted up to the one that marks the host unhealthy") {
  const run::Results results = logged(
      logged_scenario(two_endpoints,
                      ", health_checks: [{ timeout: 0.5s, interval: 1s, unhealthy_threshold: 3, healthy_threshold: 1, "
                      "tcp_health_check: "
                      "{} }]",
                      "{ at: 2s, endpoints: [s-1], outage: true }, { at: 7s, endpoints: [s-1], outage: false }"));
  const auto failed = groups_of(results, EventKind::check_failed);
  const auto unhealthy = groups_of(results, EventKind::marked_unhealthy);
  const auto healthy = groups_of(results, EventKind::marked_healthy);
  REQUIRE(failed.size() == 1);
  REQUIRE(unhealthy.size() == 1);
  REQUIRE(healthy.size() == 1);
  CHECK(failed[0].times == 2);
  CHECK(failed[0].first.value == 1.0);
  CHECK(failed[0].first.limit == 3.0);
  CHECK(unhealthy[0].times == 1);
  CHECK(unhealthy[0].first.value == 3.0);
  CHECK(unhealthy[0].first.check_failure == health::CheckFailure::network);
  CHECK(unhealthy[0].first.at > failed[0].last);
  CHECK(healthy[0].first.at >= 7s);
}

TEST_CASE("a breaker is open from the first request it turns away to the next it lets in") {
  const run::Results results = logged(logged_scenario("{ id: s-1, zone: z, service_time: 950ms }",
                                                      ", circuit_breakers: { thresholds: [{ max_requests: 1 }] }", ""));
  const auto opened = groups_of(results, EventKind::breaker_opened);
  const auto closed = groups_of(results, EventKind::breaker_closed);
  REQUIRE(opened.size() == 1);
  REQUIRE(closed.size() == 1);
  // One request a second is let in, the nine between are turned away; the run ends before the tenth second does.
  CHECK(results.outcomes[0][scenario::Outcome::overflow] == 90);
  CHECK(opened[0].times == 10);
  CHECK(opened[0].first.limit == 1.0);
  CHECK(closed[0].times == 9);
  CHECK(closed[0].value == 81.0);
}

TEST_CASE("a breaker is open as long as every request is turned away, whoever looks on") {
  // Four come while one is answered: by Erlang's B all five places are taken 19.91 % of the time. The breaker opens at
  // the first request that comes then, and closes at the first that comes after an answer, so for about as long.
  const std::string text =
      "duration: 60s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ zone: z, service_time: { mean: 20ms, "
      "distribution: exponential } }] }]\nclusters: [{ name: s, circuit_breakers: { thresholds: [{ max_requests: 5 }] "
      "} "
      "}]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 200rps } }]\n";
  const auto opened_in = [&](bool traced) {
    run::Options options;
    options.mode = scenario::Mode::requests;
    options.logged_events = run::EventLog::Options{};
    if (traced) {
      options.trace = [](const run::TracedRequest&) {};
    }
    const run::Results results = run::run(scenario::test::accepted(text), options);
    const auto opened = groups_of(results, EventKind::breaker_opened);
    const auto closed = groups_of(results, EventKind::breaker_closed);
    REQUIRE(opened.size() == 1);
    REQUIRE(closed.size() == 1);
    return std::tuple(opened[0].times, opened[0].lasted, closed[0].times, closed[0].value);
  };
  const auto opened = opened_in(false);
  CHECK(opened == opened_in(true));
  const double seconds = static_cast<double>(std::get<1>(opened).count()) * 1e-9;
  CHECK(seconds > 0.15 * 60.0);
  CHECK(seconds < 0.25 * 60.0);
}

TEST_CASE("a retry budget that is used up is a happening of its own, and no breaker's") {
  // Twenty at once that all fail: a fifth of them, four, may be tried again.
  const std::string text =
      "duration: 10s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ zone: z, "
      "service_time: 100ms, cores: 100 }] }]\nclusters: [{ name: s, circuit_breakers: { "
      "thresholds: [{ retry_budget: { budget_percent: { value: 20 }, min_retry_concurrency: 0 } "
      "}] } }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: "
      "5xx, num_retries: 1 } } }]\nclients: [{ name: c, zone: z, workload: { headers: { a: b }, "
      "rate: 200rps } }]\ntimeline: [{ at: 0s, endpoints: [s-1], fails: 100% }]\n";
  const run::Results results = logged(text);
  const auto empty = groups_of(results, EventKind::retry_budget_empty);
  const auto refilled = groups_of(results, EventKind::retry_budget_refilled);
  REQUIRE(empty.size() == 1);
  REQUIRE(refilled.size() == 1);
  CHECK(empty[0].first.resource == health::Resource::retries);
  CHECK(empty[0].times >= refilled[0].times);
  CHECK(refilled[0].value > 0.0);
  CHECK(groups_of(results, EventKind::breaker_opened).empty());
}

TEST_CASE("a look at a proxy moves nothing, and finds what is under way") {
  const std::string text =
      logged_scenario("{ count: 3, zone: z, service_time: 250ms }", ", lb_policy: LEAST_REQUEST", "");
  run::Options options;
  options.mode = scenario::Mode::requests;
  const run::Results alone = run::run(scenario::test::accepted(text), options);
  options.look = run::ProxyLook{{0}, 0, 5s};
  const run::Results looked = run::run(scenario::test::accepted(text), options);
  CHECK_FALSE(alone.moment);
  REQUIRE(looked.moment);
  CHECK(looked.result_fingerprint == alone.result_fingerprint);
  REQUIRE(looked.moment->balancers.size() == 1);
  const std::vector<std::uint32_t>& active = looked.moment->balancers[0].active_requests;
  // Ten a second of 250 ms each, evenly.
  const std::uint32_t all = std::accumulate(active.begin(), active.end(), 0U);
  CHECK((all == 2 || all == 3));
  REQUIRE(looked.moment->breakers.size() >= 1);
  CHECK(std::any_of(looked.moment->breakers.begin(), looked.moment->breakers.end(), [&](const auto& breaker) {
    return breaker.resource == health::Resource::requests && breaker.count == all && breaker.limit == 1024;
  }));
}

TEST_CASE("what is kept one by one is bounded, told of and filtered") {
  const std::string text =
      logged_scenario("{ count: 4, zone: z }", "", "{ at: 5s, healthy: 1 }, { at: 8s, healthy: 4 }", 3);
  std::size_t reported = 0;
  const run::Results results =
      logged(text, {.most = 2,
                    .keeps = [](const run::EventRecord& record) { return record.kind == EventKind::panic_began; },
                    .sink = [&](const run::EventRecord& record) { reported += record.at == 5s ? 1U : 0U; }});
  CHECK(reported == 3);
  CHECK(results.logged_events.each.size() == 2);
  CHECK(results.logged_events.left_out == 1);
  REQUIRE(results.logged_events.groups.size() == 1);
  CHECK(results.logged_events.groups[0].times == 3);
}

TEST_CASE("a log changes nothing of a run") {
  const std::string text = logged_scenario(
      two_endpoints, ", outlier_detection: { consecutive_5xx: 3, max_ejection_percent: 50 }", one_fails);
  run::Options silent;
  silent.mode = scenario::Mode::requests;
  const run::Results without = run::run(scenario::test::accepted(text), silent);
  const run::Results with = logged(text);
  CHECK(without.result_fingerprint == with.result_fingerprint);
  CHECK(without.outcomes[0].ok() == with.outcomes[0].ok());
  CHECK(without.logged_events.groups.empty());
  CHECK_FALSE(with.logged_events.groups.empty());
}
