// Under outlier detection and retries, shares are exact in mode exact as long as no endpoint has so much to do that a
// request may fail: by the loads that the shares themselves give.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;

namespace {

run::Results results_in(scenario::Mode mode, const std::string& text) {
  const scenario::Reading reading = scenario::read_scenario_text("test.yaml", text);
  INFO(text);
  REQUIRE(reading.scenario);
  return run::run(*reading.scenario, {mode, std::nullopt});
}

// Whether every row has an exact share; and why the first that has none has none.
struct Exactness {
  bool all = true;
  std::string why = {};
};
Exactness exactness_of(const std::string& text) {
  Exactness exactness;
  for (const run::Share& share : results_in(scenario::Mode::exact, text).shares) {
    if (!share.exact && exactness.all) {
      exactness = {false, share.exact_basis};
    }
  }
  return exactness;
}

// Ten endpoints of 50 rps in each of three zones, and a client in each zone that keeps to its own.
std::string three_zones(const std::string& rate, const std::string& more = "") {
  std::string text =
      "duration: 60s\nzones: [{ name: a }, { name: b }, { name: c }]\n"
      "services: [{ name: web, endpoints: [{ count: 10, zone: a, capacity: 50rps }, { count: 10, zone: b, capacity: "
      "50rps }, { count: 10, zone: c, capacity: 50rps }] }]\n"
      "policies:\n"
      "  - { type: MeshLoadBalancingStrategy, name: lb, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, "
      "name: web }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }] } }\n"
      "  - { type: MeshCircuitBreaker, name: cb, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, name: "
      "web }, default: { outlierDetection: { maxEjectionPercent: 50, detectors: { totalFailures: { consecutive: 5 } } "
      "} } }] } }\n"
      "  - { type: MeshTimeout, name: t, mesh: default, spec: { to: [{ targetRef: { kind: MeshService, name: web }, "
      "default: { http: { requestTimeout: 15s } } }] } }\nclients:\n";
  for (const std::string zone : {"a", "b", "c"}) {
    text += "  - { name: c" + zone + ", zone: " + zone + ", workload: { service: web, rate: " + rate + " } }\n";
  }
  return text + more;
}

std::string one_zone(const std::string& endpoints, const std::string& cluster, const std::string& rate,
                     const std::string& more = "", const std::string& route = "cluster: s") {
  return "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [" + endpoints +
         "] }]\nclusters: [{ name: s, " + cluster + " }]\nroutes: [{ match: { prefix: / }, route: { " + route +
         " } }]\nclients: [{ name: c, zone: z, workload: { " + rate + " } }]\n" + more;
}

const std::string ejects_after_five = "outlier_detection: { consecutive_5xx: 5 }";

}  // namespace

TEST_CASE("zones that can each do three times their own part have exact shares, whatever all clients send together") {
  CHECK(exactness_of(three_zones("200rps")).all);
  CHECK(exactness_of(three_zones("400rps")).all);
}

TEST_CASE("where a zone has more to do than it can, the reason names the endpoint and its load") {
  // 560 / 10 / 50.
  const Exactness exactness = exactness_of(three_zones("560rps"));
  CHECK_FALSE(exactness.all);
  CHECK(exactness.why == "depends on which failures proxies detect: web-1 may answer too late at 112 %");
}

TEST_CASE("what a zone had to do before, or gets when another one fails over to it, counts") {
  // Zones b and c get 600 each, of what they can serve, 500.
  CHECK_FALSE(exactness_of(three_zones("400rps", "timeline: [{ at: 30s, zone: a, healthy: 0% }]\n")).all);
  const run::Results lightly =
      results_in(scenario::Mode::exact, three_zones("30rps", "timeline: [{ at: 30s, zone: a, healthy: 0% }]\n"));
  // Endpoints behind a zone proxy share what it gets.
  for (const run::Share& share : lightly.shares) {
    CHECK((share.exact || share.exact_basis == run::connection_basis));
  }
  // Of client ca: 90 % more than its zone can do for 20 s, and two fifths from then on; the second row begins at 30 s.
  const auto last_row_is_exact = [](const std::string& rate_of_ca) {
    std::string text = three_zones("200rps", "timeline: [{ at: 30s, zone: b, healthy: 9 }]\n");
    const std::string usual = "{ name: ca, zone: a, workload: { service: web, rate: 200rps } }";
    const std::size_t place = text.find(usual);
    REQUIRE(place != std::string::npos);
    text.replace(place, usual.size(), "{ name: ca, zone: a, workload: { service: web, " + rate_of_ca + " } }");
    bool exact = true;
    for (const run::Share& share : results_in(scenario::Mode::exact, text).shares) {
      exact = exact && (share.client != config::ClientEntryIndex{0} || share.epoch != 1 || share.exact);
    }
    return exact;
  };
  CHECK(last_row_is_exact("rate: 200rps"));
  CHECK_FALSE(last_row_is_exact("phases: \"950rps 20s, 200rps\""));
}

TEST_CASE("a timeout that waiting may exceed makes shares unknown, and one that it cannot exceed does not") {
  const std::string endpoints = "{ count: 4, zone: z, capacity: 50rps }";
  const auto with_timeout = [&](const std::string& timeout) {
    return exactness_of(one_zone(endpoints, ejects_after_five, "rate: 120rps", "", "cluster: s, timeout: " + timeout));
  };
  // 60 %: 0.6 (e^u - 1) = u at u = 0.93. A wait of 0.1 s is longer than 5 service times with a chance of e^-4.7.
  CHECK_FALSE(with_timeout("0.1s").all);
  CHECK(with_timeout("2s").all);
  CHECK(with_timeout("0s").all);
}

TEST_CASE("service times that exceed the timeout by themselves count, with cores without limit") {
  const auto of = [](const std::string& service_time, const std::string& more = "") {
    return exactness_of(one_zone("{ count: 2, zone: z, service_time: " + service_time + " }", ejects_after_five,
                                 "rate: 50rps", more, "cluster: s, timeout: 0.5s"));
  };
  CHECK(of("100ms").all);
  CHECK_FALSE(of("600ms").all);
  CHECK_FALSE(of("{ mean: 100ms, distribution: exponential }").all);
  CHECK(of("{ mean: 10ms, distribution: exponential }").all);
  CHECK_FALSE(of("100ms", "timeline: [{ at: 5s, service: s, endpoints: [s-2], slow: 6 }]\n").all);
}

TEST_CASE("without a timeout no request fails for what an endpoint has to do") {
  CHECK(exactness_of(one_zone("{ count: 2, zone: z, capacity: 50rps }", ejects_after_five, "rate: 300rps", "",
                              "cluster: s, timeout: 0s"))
            .all);
}

TEST_CASE("active checks find out nothing of load, since endpoints answer them at once") {
  CHECK(exactness_of(one_zone("{ count: 2, zone: z, capacity: 50rps }",
                              "health_checks: [{ timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: "
                              "1, http_health_check: { path: / } }]",
                              "rate: 300rps"))
            .all);
}

TEST_CASE("a queue that may fill makes shares unknown, and one that cannot does not") {
  const auto with_queue = [](const std::string& queue) {
    return exactness_of(one_zone("{ count: 2, zone: z, service_time: 20ms, cores: 1, queue: " + queue + " }",
                                 ejects_after_five, "rate: 40rps"));
  };
  CHECK(with_queue("200").all);
  CHECK_FALSE(with_queue("2").all);
  CHECK(with_queue("2").why ==
        "depends on which failures proxies detect: s-1 may have no room at 40 %, and more if requests move there");
}

TEST_CASE("services that share the cores of a node load each other") {
  const auto with_rates = [](const std::string& one, const std::string& other) {
    return exactness_of(
        "duration: 20s\nzones: [{ name: z, nodes: [{ name: n, cores: 1 }] }]\n"
        "services: [{ name: s, endpoints: [{ count: 1, node: n, service_time: 10ms }] }, { name: t, endpoints: [{ "
        "count: 1, node: n, service_time: 10ms }] }]\nclusters: [{ name: s, " +
        ejects_after_five + " }]\nclients: [{ name: c, zone: z, workload: { service: s, rate: " + one +
        " } }, { name: d, zone: z, workload: { service: t, rate: " + other + " } }]\n");
  };
  CHECK(with_rates("40rps", "40rps").all);
  // 1.9 seconds of work each second: after 20 s more than the timeout of 15 s is left.
  CHECK_FALSE(with_rates("40rps", "150rps").all);
}

TEST_CASE("a flow that may be sent elsewhere counts everywhere") {
  // d's requests fail at t-1 and may all be sent to t-2, on a node that s shares: 40 and 100 rps, where it can do 100.
  const auto with_failure = [](const std::string& timeline) {
    return results_in(
        scenario::Mode::exact,
        "duration: 60s\nzones: [{ name: z, nodes: [{ name: n, cores: 1 }, { name: m }] }]\n"
        "services: [{ name: s, endpoints: [{ count: 2, node: n, service_time: 10ms }] }, { name: t, endpoints: [{ "
        "count: 1, node: m, service_time: 10ms }, { count: 1, node: n, service_time: 10ms }] }]\nclusters: [{ name: "
        "s, " +
            ejects_after_five + " }, { name: t, " + ejects_after_five +
            " }]\nclients: [{ name: c, zone: z, workload: { service: s, rate: 40rps } }, { name: d, zone: z, workload: "
            "{ service: t, rate: 100rps } }]\n" +
            timeline);
  };
  const auto exact_of_c = [](const run::Results& results) {
    bool exact = true;
    for (const run::Share& share : results.shares) {
      exact = exact && (share.client != config::ClientEntryIndex{0} || share.exact);
    }
    return exact;
  };
  CHECK(exact_of_c(with_failure("")));
  CHECK_FALSE(exact_of_c(with_failure("timeline: [{ at: 0s, service: t, endpoints: [t-1], fails: 100% }]\n")));
}

TEST_CASE("users who wait for answers cannot overload a queue that has room for all of them") {
  const auto with_users = [](const std::string& users) {
    return exactness_of(one_zone("{ count: 2, zone: z, capacity: 50rps }", ejects_after_five,
                                 "users: " + users + ", think_time: 1s", "", "cluster: s, timeout: 1s"));
  };
  CHECK(with_users("20").all);
  CHECK_FALSE(with_users("2000").all);
}

namespace {

// Under load, with outlier detection or retries: utilisation from a fifth to more than all.
std::string loaded_scenario(support::Draws& draws) {
  const auto one_of = [&](const std::vector<std::string>& texts) { return texts[draws() % texts.size()]; };
  const auto chance = [&](std::uint64_t percent) { return draws() % 100 < percent; };
  const std::string distribution = one_of({"20ms", "20ms", "{ mean: 20ms, distribution: exponential }",
                                           "{ mean: 20ms, distribution: lognormal, coefficient_of_variation: 0.5 }"});
  const std::string cores =
      one_of({", cores: 1", ", cores: 1", ", cores: 2", ", cores: 1, queue: 5", ", cores: 1, queue: 60", ""});
  std::string text = "duration: 15s\nzones: [{ name: a }, { name: b }]\nservices: [{ name: s, endpoints: [";
  for (const std::string zone : {"a", "b"}) {
    text += "{ count: " + std::to_string(2 + draws() % 3) + ", zone: " + zone + ", service_time: " + distribution +
            cores + " }, ";
  }
  text += "{ count: 1, zone: b, priority: 1, service_time: 20ms, cores: 1 }] }]\n";
  text += "clusters: [{ name: s, lb_policy: " + one_of({"ROUND_ROBIN", "RANDOM", "LEAST_REQUEST"});
  text += chance(80) ? ", outlier_detection: { consecutive_5xx: " + one_of({"2", "5"}) +
                           ", interval: 1s, base_ejection_time: 5s, max_ejection_percent: 100 }"
                     : "";
  text += " }]\nroutes: [{ match: { prefix: / }, route: { cluster: s, timeout: " + one_of({"15s", "1s", "0.2s", "0s"});
  text += chance(40) ? ", retry_policy: { retry_on: \"5xx,reset\", num_retries: 1" +
                           std::string(chance(50) ? ", per_try_timeout: " + one_of({"0.1s", "1s"}) : "") + " }"
                     : "";
  text += " } }]\nclients:\n";
  const std::vector<std::string> rates = {"10rps", "60rps", "100rps", "150rps", "220rps"};
  for (const std::string zone : {"a", "b"}) {
    std::string rate = one_of(rates);
    rate = chance(30) ? "phases: \"" + rate + " 5s, " + one_of(rates) + "\"" : "rate: " + rate;
    text += "  - { name: c" + zone + ", zone: " + zone + ", workload: { " + rate + " } }\n";
  }
  std::string events;
  events +=
      chance(30) ? "  - { at: 8s, service: s, endpoints: [s-1], slow: " + one_of({"0.5", "3", "20"}) + " }\n" : "";
  events += chance(30) ? "  - { at: 10s, service: s, zone: a, healthy: " + one_of({"50%", "0%"}) + " }\n" : "";
  return text + (events.empty() ? "" : "timeline:\n" + events);
}

struct ExactCells {
  std::uint64_t cells = 0;
  std::uint64_t exact = 0;
};

// What mode exact promises of a scenario, against the counts of its requests.
void compare_modes(const std::string& text, double least_chance, ExactCells& tally) {
  using Row = std::pair<config::ClientEntryIndex, std::uint32_t>;
  INFO(text);
  std::map<Row, std::map<std::uint32_t, std::uint64_t>> counts;
  const run::Results counted = results_in(scenario::Mode::requests, text);
  for (const run::Share& share : counted.shares) {
    counts[{share.client, share.epoch}][share.position] = *share.requests;
  }
  std::map<Row, std::map<std::uint32_t, double>> shares;
  std::map<Row, bool> exact;
  for (const run::Share& share : results_in(scenario::Mode::exact, text).shares) {
    const Row row{share.client, share.epoch};
    shares[row][share.position] = share.exact.value_or(0.0);
    exact[row] = exact.try_emplace(row, true).first->second && share.exact;
    ++tally.cells;
    tally.exact += share.exact ? 1 : 0;
  }
  for (const run::Outcomes& outcomes : counted.outcomes) {
    const Row row{outcomes.client, outcomes.epoch};
    if (!exact[row]) {
      continue;
    }
    std::vector<std::uint64_t> observed;
    std::vector<double> expected;
    std::uint64_t rest = outcomes.sent;
    for (const auto& [position, share] : shares[row]) {
      observed.push_back(counts[row][position]);
      expected.push_back(share);
      rest -= observed.back();
    }
    observed.push_back(rest);
    expected.push_back(0.0);
    INFO("client " << row.first.value << ", epoch " << row.second);
    CHECK(support::g_test(observed, expected) > least_chance);
  }
}

}  // namespace

TEST_CASE("what is exact before any request is sent is counted so: generated scenarios under load") {
  constexpr std::uint64_t scenarios = 400;
  // Of the whole family, with at most 12 rows a scenario.
  constexpr double least_chance = 1e-6 / (12.0 * scenarios);
  ExactCells tally;
  for (std::uint64_t number = 0; number < support::cases_of(scenarios); ++number) {
    support::Draws draws(number);
    compare_modes(loaded_scenario(draws), least_chance, tally);
  }
  CHECK(tally.exact > tally.cells / 10);
  CHECK(tally.exact < tally.cells);
}
