// Which shares are exact, and which depend on load, on what happened before, or on retries.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"

using namespace spillway;

namespace {

run::Results simulate_text(const std::string& text, scenario::Mode mode) {
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  REQUIRE(reading.scenario);
  return run::run(*reading.scenario, {mode, std::nullopt});
}

// By endpoint; in both modes alike.
std::map<std::string, std::optional<double>> exact_of(const std::string& text, std::uint32_t epoch = 0) {
  std::map<std::string, std::optional<double>> exact;
  for (const run::Share& share : simulate_text(text, scenario::Mode::exact).shares) {
    if (share.epoch == epoch) {
      exact[share.endpoint] = share.exact;
    }
  }
  std::map<std::string, std::optional<double>> simulated;
  for (const run::Share& share : simulate_text(text, scenario::Mode::requests).shares) {
    if (share.epoch == epoch) {
      simulated[share.endpoint] = share.exact;
    }
  }
  CHECK(exact == simulated);
  return exact;
}

std::optional<double> sum_of(const run::Results& results, const std::string& zone) {
  run::ExactSum sum;
  for (const run::Share& share : results.shares) {
    if (zone.empty() || share.zone == zone) {
      sum.add(share);
    }
  }
  return sum.value();
}

using ExactByEndpoint = std::map<std::string, std::optional<double>>;

std::string least_request_text(const std::string& endpoints, const std::string& rest = "") {
  return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
         "clients: [{ name: c, zone: z, workload: { service: s, rate: 200rps } }]\n" +
         rest;
}

}  // namespace

TEST_CASE("least request with a slow host: no host has an exact share, all of them together have") {
  const std::string text =
      least_request_text("{ count: 2, zone: z, service_time: 10ms }, { id: slow, zone: z, service_time: 100ms }");
  CHECK(exact_of(text) == ExactByEndpoint{{"s-1", {}}, {"s-2", {}}, {"slow", {}}});
  const run::Results results = simulate_text(text, scenario::Mode::exact);
  CHECK(sum_of(results, "") == 1.0);
  CHECK_FALSE(run::all_exact(results));
  CHECK(results.shares.front().exact_basis == "picks depend on the requests in flight");
  CHECK(results.shares.front().at_rest == 1.0 / 3.0);
}

TEST_CASE("least request over hosts that nothing tells apart: each has its part") {
  CHECK(exact_of(least_request_text("{ count: 4, zone: z, service_time: 10ms, cores: 2 }")) ==
        ExactByEndpoint{{"s-1", 0.25}, {"s-2", 0.25}, {"s-3", 0.25}, {"s-4", 0.25}});
}

TEST_CASE("least request over hosts that nothing tells apart but the lists in which they are written") {
  const std::string one = "{ zone: z, service_time: 10ms, cores: 2 }";
  CHECK(exact_of(least_request_text(one + ", " + one + ", " + one + ", " + one)) ==
        ExactByEndpoint{{"s-1", 0.25}, {"s-2", 0.25}, {"s-3", 0.25}, {"s-4", 0.25}});
}

TEST_CASE("least request where no request is in flight when the next one comes: each host has its part") {
  CHECK(exact_of(least_request_text("{ count: 1, zone: z }, { count: 1, zone: z }")) ==
        ExactByEndpoint{{"s-1", 0.5}, {"s-2", 0.5}});
}

TEST_CASE("an endpoint that was gone for a while is like no other one afterwards; while it is gone, the others are") {
  const std::string text = least_request_text("{ count: 3, zone: z, service_time: 10ms }",
                                              "timeline:\n"
                                              "  - { at: 5s, service: s, endpoints: [s-3], healthy: 0 }\n"
                                              "  - { at: 10s, service: s, endpoints: [s-3], healthy: 100% }\n");
  const double third = 1.0 / 3.0;
  CHECK(exact_of(text, 0) == ExactByEndpoint{{"s-1", third}, {"s-2", third}, {"s-3", third}});
  CHECK(exact_of(text, 1) == ExactByEndpoint{{"s-1", 0.5}, {"s-2", 0.5}});
  CHECK(exact_of(text, 2) == ExactByEndpoint{{"s-1", {}}, {"s-2", {}}, {"s-3", {}}});
}

TEST_CASE("under least request the shares of priorities and zones stay exact") {
  const std::string text =
      "duration: 20s\nzones: [{ name: a }, { name: b }]\n"
      "services: [{ name: s, endpoints: [{ count: 2, zone: a, healthy: 1, service_time: 5ms }, "
      "{ count: 1, zone: b, priority: 1, service_time: 5ms }, { id: slow, zone: b, priority: 1, service_time: 50ms }] "
      "}]\n"
      "clusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
      "clients: [{ name: c, zone: a, workload: { service: s, rate: 200rps } }]\n";
  // One of two healthy: 50 % times 1.4.
  for (const scenario::Mode mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const run::Results results = simulate_text(text, mode);
    CHECK(sum_of(results, "a") == 0.7);
    CHECK(sum_of(results, "b") == 0.3);
  }
  const ExactByEndpoint exact = exact_of(text);
  CHECK(exact.at("s-1") == 0.7);
  CHECK_FALSE(exact.at("slow"));
}

TEST_CASE("bounded loads hand requests on to every host of the table") {
  const std::string text =
      "duration: 10s\nzones: [{ name: z }]\n"
      "services: [{ name: s, endpoints: [{ count: 4, zone: z, service_time: 100ms }] }]\n"
      "clusters: [{ name: s, lb_policy: MAGLEV, common_lb_config: { consistent_hashing_lb_config: { "
      "hash_balance_factor: 120 } } }]\n"
      "routes: [{ match: { prefix: / }, route: { cluster: s, hash_policy: [{ header: { header_name: x-u } }] } }]\n"
      "clients: [{ name: c, zone: z, workload: { rate: 400rps, headers: { x-u: one } } }]\n";
  CHECK(exact_of(text) == ExactByEndpoint{{"s-1", {}}, {"s-2", {}}, {"s-3", {}}, {"s-4", {}}});
  double at_rest = 0.0;
  for (const run::Share& share : simulate_text(text, scenario::Mode::exact).shares) {
    at_rest = std::max(at_rest, share.at_rest);
  }
  CHECK(at_rest == 1.0);
}

TEST_CASE("retries move the turn of round robin, and leave random picks alone") {
  const auto scenario_of = [](const std::string& policy, const std::string& retry_on) {
    return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 5, zone: z }] }]\n"
           "clusters: [{ name: s, lb_policy: " +
           policy + " }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: \"" +
           retry_on +
           "\" } } }]\n"
           "clients: [{ name: c, zone: z, workload: { rate: 50rps, arrivals: periodic } }]\n"
           "timeline: [{ at: 0s, service: s, endpoints: [s-2], outage: true }]\n";
  };
  const ExactByEndpoint none{{"s-1", {}}, {"s-2", {}}, {"s-3", {}}, {"s-4", {}}, {"s-5", {}}};
  const ExactByEndpoint fifths{{"s-1", 0.2}, {"s-2", 0.2}, {"s-3", 0.2}, {"s-4", 0.2}, {"s-5", 0.2}};
  CHECK(exact_of(scenario_of("ROUND_ROBIN", "connect-failure,5xx")) == none);
  CHECK(exact_of(scenario_of("RANDOM", "connect-failure,5xx")) == fifths);
  // A refused connection is no answer of 409.
  CHECK(exact_of(scenario_of("ROUND_ROBIN", "retriable-4xx")) == fifths);
}

TEST_CASE("where proxies find out by themselves, exact shares are known of a run only") {
  const std::string text =
      "duration: 10s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: z }] }]\n"
      "clusters: [{ name: s, lb_policy: RANDOM, outlier_detection: { consecutive_5xx: 3, base_ejection_time: 100s, "
      "max_ejection_percent: 100 } }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 100rps } }]\n"
      "timeline: [{ at: 0s, service: s, endpoints: [s-2], fails: 100% }]\n";
  for (const run::Share& share : simulate_text(text, scenario::Mode::exact).shares) {
    CHECK_FALSE(share.exact);
  }
  CHECK_FALSE(sum_of(simulate_text(text, scenario::Mode::exact), ""));
  const run::Results results = simulate_text(text, scenario::Mode::requests);
  REQUIRE(results.events.ejections == 1);
  for (const run::Share& share : results.shares) {
    REQUIRE(share.exact);
    // A third of the requests until the ejection, and nothing after it.
    CHECK((share.endpoint == "s-2") == (*share.exact < 0.1));
  }
}

TEST_CASE("a session keeps its host: not even the sum over all hosts is told") {
  const std::string text =
      "duration: 5s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: z }] }]\n"
      "routes:\n  - match: { prefix: / }\n    route: { cluster: s }\n    typed_per_filter_config:\n"
      "      envoy.filters.http.stateful_session:\n"
      "        \"@type\": x/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute\n"
      "        stateful_session: { session_state: { name: envoy.http.stateful_session.cookie, typed_config: { "
      "\"@type\": "
      "x/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState, cookie: { name: s } } } }\n"
      "clients: [{ name: c, zone: z, workload: { rate: 50rps } }]\n";
  CHECK(exact_of(text) == ExactByEndpoint{{"s-1", {}}, {"s-2", {}}});
  CHECK_FALSE(sum_of(simulate_text(text, scenario::Mode::exact), ""));
}

TEST_CASE("least request among hosts that go while more is asked of them than they can do has no exact shares") {
  const std::string endpoints = "{ count: 2, zone: z, cores: 1, service_time: 20ms }";
  const std::string gone = "timeline: [{ at: 2s, service: s, outage: true }]\n";
  const ExactByEndpoint none{{"s-1", {}}, {"s-2", {}}};
  const ExactByEndpoint half{{"s-1", 0.5}, {"s-2", 0.5}};
  CHECK(exact_of(least_request_text(endpoints, gone)) == none);
  CHECK(exact_of(least_request_text(endpoints)) == half);
  // With nothing to queue for, hardly anything is in flight when they go.
  CHECK(exact_of(least_request_text("{ count: 2, zone: z, cores: 9, service_time: 20ms }", gone)) == half);
}

TEST_CASE("least request among hosts that leave requests without an answer has no exact shares") {
  CHECK(exact_of(least_request_text("{ count: 2, zone: z }",
                                    "timeline: [{ at: 1ms, fails: every 2nd, fails_with: "
                                    "no_answer }]\n")) == ExactByEndpoint{{"s-1", {}}, {"s-2", {}}});
}

TEST_CASE("retries move the turn of least request's schedule under slow start, in flight or not") {
  const auto text = [](const std::string& endpoint, const std::string& window) {
    return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ count: 3, zone: z" + endpoint +
           " }] }]\nclusters: [{ name: s, lb_policy: LEAST_REQUEST" + window +
           " }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, retry_policy: { retry_on: 5xx, num_retries: 2 } "
           "} }]\nclients: [{ name: c, zone: z, workload: { rate: 20rps, arrivals: periodic } }]\n"
           "timeline: [{ at: 4s, service: s, outage: true }]\n";
  };
  const std::string window = ", least_request_lb_config: { slow_start_config: { slow_start_window: 5s } }";
  const ExactByEndpoint none{{"s-1", {}}, {"s-2", {}}, {"s-3", {}}};
  CHECK(exact_of(text(", service_time: 2ms", window)) == none);
  CHECK(exact_of(text("", window)) == none);
  CHECK(exact_of(text(", service_time: 2ms", "")).at("s-1") == Approx(1.0 / 3.0));
}

// Turns that a schedule has given out before the row are as late as the smallest weight of slow start makes them.
TEST_CASE("a row that begins within a slow start has no exact shares where schedules have not turned often enough") {
  const auto text = [](const std::string& clients) {
    return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ id: late, zone: z, healthy: \"0% "
           "3s, 100%\" }, { count: 3, zone: z, degraded: \"0% 6s, 0%\" }] }]\n"
           "clusters: [{ name: s, lb_policy: ROUND_ROBIN, common_lb_config: { healthy_panic_threshold: { value: 100 } "
           "}, "
           "round_robin_lb_config: { slow_start_config: { slow_start_window: 5s } } }]\n"
           "clients: [{ name: c, zone: z, " +
           clients + " }]\n";
  };
  CHECK_FALSE(exact_of(text("count: 10, concurrency: 4, workload: { service: s, rate: 6rps }"), 2).at("late"));
  CHECK(exact_of(text("workload: { service: s, rate: 2000rps }"), 2).at("late"));
}

// A real Envoy 1.40.0 accepts these values in a typed policy, and refuses 101 in common_lb_config (--mode validate).
TEST_CASE("routing_enabled of a typed policy may be beyond 0 to 100, and then means all requests") {
  const auto read = [](const std::string& cluster) {
    return scenario::read_scenario_text(
        "test.yaml",
        "duration: 1s\nlocal_cluster: web\nzones: [{ name: a }, { name: b }]\nservices:\n  - { name: s, endpoints: [{ "
        "count: 6, zone: a }, { count: 2, zone: b }] }\n  - { name: web, endpoints: [{ count: 2, zone: a }, { count: "
        "2, "
        "zone: b }] }\nclients: [{ name: web, zone: a, workload: { service: s, rate: 1rps } }]\nclusters: [" +
            cluster + "]\n");
  };
  const auto typed = [&](const std::string& value) {
    return read(
        "{ name: s, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { "
        "\"@type\": "
        "type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin, locality_lb_config: { "
        "zone_aware_lb_config: { routing_enabled: { value: " +
        value + " } } } } } }] } }");
  };
  const auto share_of_b = [](const scenario::Scenario& scenario) {
    double share = 0.0;
    for (const run::Share& row : run::run(scenario, {scenario::Mode::exact, std::nullopt}).shares) {
      share += row.endpoint == "s-7" || row.endpoint == "s-8" ? row.exact.value() : 0.0;
    }
    return share;
  };
  for (const std::string value : {"100", "101", "1000000000", "-1"}) {
    INFO(value);
    const scenario::Reading reading = typed(value);
    REQUIRE(reading.scenario);
    CHECK(share_of_b(*reading.scenario) == 0.0);
  }
  const scenario::Reading none = typed("0");
  REQUIRE(none.scenario);
  CHECK(share_of_b(*none.scenario) == Approx(0.25));
  CHECK_FALSE(
      read("{ name: s, common_lb_config: { zone_aware_lb_config: { routing_enabled: { value: 101 } } } }").scenario);
}
