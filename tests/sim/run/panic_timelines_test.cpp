// Panic that begins and ends for every cause, with locality weights: no run crashes, and counts agree with exact
// shares.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/sim/run/tested_row.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;

namespace {

constexpr std::size_t panic_timelines = 240;
// How likely a false alarm of the whole family is; there are at most 6 rows per scenario.
constexpr double false_alarms_of_panic = 1e-6 / (6.0 * static_cast<double>(panic_timelines));

// A cluster of two or three priorities with locality weights, whose health is set at 0 s, 2 s, 4 s and 6 s.
class PanicTimeline {
 public:
  enum class Cause { reported, checks, ejections };

  PanicTimeline(std::uint64_t number, Cause cause) : draws_(number), cause_(cause), policy_(number % policies) {}

  std::string text() {
    std::string groups;
    std::string weights;
    std::string events;
    const std::uint64_t priorities = 2 + below(2);
    for (std::uint64_t priority = 0; priority < priorities; ++priority) {
      const std::uint64_t zones = 1 + below(2);
      for (std::uint64_t zone = 0; zone < zones; ++zone) {
        add_group("abc"[(priority + zone) % 3], priority, groups, events);
        weights += std::string(", { locality: { zone: ") + "abc"[(priority + zone) % 3] +
                   " }, priority: " + std::to_string(priority) +
                   ", load_balancing_weight: " + std::to_string(1 + below(3)) + " }";
      }
    }
    std::string text =
        "duration: 8s\nzones: [{ name: a }, { name: b }, { name: c }]\nservices: [{ name: s, endpoints: [" +
        groups.substr(2) + "] }]\nload_assignments: [{ cluster_name: s, endpoints: [" + weights.substr(2) + "] }]\n" +
        cluster();
    text += hashes()
                ? "routes: [{ match: { prefix: / }, route: { cluster: s, hash_policy: [{ header: { header_name: u } "
                  "}] } }]\n"
                : "";
    text += "clients: [{ name: c, zone: a, workload: { rate: 500rps";
    text += hashes() ? ", keys: { header: u, count: 2000, prefix: k } } }]\n" : ", service: s } }]\n";
    return text + (events.empty() ? "" : "timeline:\n" + events);
  }

 private:
  static constexpr std::uint64_t policies = 10;

  std::uint64_t below(std::uint64_t bound) { return draws_() % bound; }
  [[nodiscard]] bool hashes() const { return policy_ == 3 || policy_ == 4; }

  void add_group(char zone, std::uint64_t priority, std::string& groups, std::string& events) {
    const std::uint64_t count = 2 + below(4);
    groups += std::string(", { count: ") + std::to_string(count) + ", zone: " + zone +
              ", priority: " + std::to_string(priority) +
              (policy_ == 5 ? ", weight: " + std::to_string(1 + below(3)) : "");
    std::string healthy;
    for (int stage = 0; stage < 4; ++stage) {
      const std::uint64_t well = below(count + 1);
      healthy += (stage == 0 ? "" : " 2s, ") + std::to_string(well);
      if (cause_ != Cause::reported) {
        // The first ones are well, the others down or failing.
        for (std::uint64_t host = 0; host < count; ++host) {
          events += "  - { at: " + std::to_string(2 * stage) + "s, endpoints: [s-" + std::to_string(first_ + host) +
                    "], " +
                    (cause_ == Cause::checks ? (host < well ? "outage: false" : "outage: true")
                                             : (host < well ? "fails: 0%" : "fails: 100%, fails_with: 503")) +
                    " }\n";
        }
      }
    }
    first_ += count;
    groups += (cause_ == Cause::reported ? ", healthy: \"" + healthy + "\"" : "") + " }";
  }

  std::string cluster() {
    static const std::string typed = "x/envoy.extensions.load_balancing_policies.";
    const std::string of_policy[policies] = {
        "lb_policy: ROUND_ROBIN",
        "lb_policy: RANDOM",
        "lb_policy: LEAST_REQUEST",
        "lb_policy: RING_HASH",
        "lb_policy: MAGLEV",
        "lb_policy: ROUND_ROBIN",
        "lb_policy: ROUND_ROBIN\n    round_robin_lb_config: { slow_start_config: { slow_start_window: 0.5s } }",
        "lb_policy: LEAST_REQUEST\n    lb_subset_config: { fallback_policy: ANY_ENDPOINT, subset_selectors: [{ keys: "
        "[v] "
        "}], locality_weight_aware: true }",
        "load_balancing_policy: { policies: [{ typed_extension_config: { name: w, typed_config: { \"@type\": " + typed +
            "wrr_locality.v3.WrrLocality, endpoint_picking_policy: { policies: [{ typed_extension_config: { name: r, "
            "typed_config: { \"@type\": " +
            typed + "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin } } }] } } } }] }",
        "lb_policy: RANDOM\n    preconnect_policy: { per_upstream_preconnect_ratio: 1.5, predictive_preconnect_ratio: "
        "2.0 }"};
    std::string text = "clusters:\n  - name: s\n    " + of_policy[policy_] + "\n";
    text += "    common_lb_config: { " + std::string(policy_ == 8 ? "" : "locality_weighted_lb_config: {}, ") +
            "update_merge_window: " + (cause_ == Cause::ejections ? "0s" : "1s") + " }\n";
    if (cause_ == Cause::checks) {
      text +=
          "    health_checks: [{ timeout: 0.1s, interval: 0.2s, unhealthy_threshold: 1, healthy_threshold: 1, "
          "http_health_check: { path: / } }]\n";
    } else if (cause_ == Cause::ejections) {
      text +=
          "    outlier_detection: { consecutive_5xx: 1, interval: 0.1s, base_ejection_time: 0.1s, max_ejection_time: "
          "0.2s, "
          "max_ejection_percent: 100 }\n";
    }
    return text;
  }

  support::Draws draws_;
  Cause cause_;
  std::uint64_t policy_;
  std::uint64_t first_ = 1;
};

void judge_panic_timelines(PanicTimeline::Cause cause) {
  std::uint64_t panics = 0;
  for (std::size_t number = 0; number < panic_timelines; number += support::stride_of_cases) {
    const std::string text = PanicTimeline(number, cause).text();
    const scenario::Reading reading = scenario::read_scenario_text("panic.yaml", text);
    INFO("scenario " << number << "\n" << text << documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario);
    const run::Results results =
        run::run(*reading.scenario, {.mode = {}, .seed = {}, .logged_events = run::EventLog::Options{}});
    std::map<std::uint32_t, test::TestedRow> rows;
    for (const run::Share& share : results.shares) {
      rows[share.epoch].add(share);
    }
    for (const run::Outcomes& outcomes : results.outcomes) {
      const double chance = rows[outcomes.epoch].chance(outcomes.sent);
      INFO("epoch " << outcomes.epoch << ", chance " << chance);
      CHECK(chance > false_alarms_of_panic);
    }
    for (const run::EventGroup& group : results.logged_events.groups) {
      panics += group.first.kind == run::EventKind::panic_ended ? group.times : 0;
    }
  }
  CHECK(2 * panics > panic_timelines / support::stride_of_cases);
}

}  // namespace

TEST_CASE("panic that pushes begin and end: counts agree with exact shares under every policy") {
  judge_panic_timelines(PanicTimeline::Cause::reported);
}

TEST_CASE("panic that active checks begin and end: counts agree with exact shares under every policy") {
  judge_panic_timelines(PanicTimeline::Cause::checks);
}

TEST_CASE("panic that ejections begin and end: counts agree with exact shares under every policy") {
  judge_panic_timelines(PanicTimeline::Cause::ejections);
}

// By hand: in total panic both priorities count by their hosts, 50 % each; then P0 has min(100, 1.4 * 25) = 35 %.
TEST_CASE("a priority's panic that another priority ends leaves its localities in their turns") {
  const scenario::Reading reading = scenario::read_scenario_text("ends.yaml", R"(duration: 30s
zones: [{ name: X }, { name: Y }]
services: [{ name: s, endpoints: [{ count: 4, zone: X, healthy: "1" }, { count: 4, zone: Y, priority: 1, healthy: "1 10s, 4" }] }]
clusters: [{ name: s, common_lb_config: { locality_weighted_lb_config: {} } }]
load_assignments: [{ cluster_name: s, endpoints: [{ locality: { zone: X }, load_balancing_weight: 1 }, { locality: { zone: Y }, priority: 1, load_balancing_weight: 2 }] }]
clients: [{ name: c, zone: X, workload: { service: s, rate: 100rps } }]
)");
  REQUIRE(reading.scenario);
  std::map<std::pair<std::uint32_t, std::string>, double> shares;
  std::map<std::uint32_t, test::TestedRow> rows;
  const run::Results results = run::run(*reading.scenario, {});
  for (const run::Share& share : results.shares) {
    shares[{share.epoch, share.endpoint}] += *share.exact;
    rows[share.epoch].add(share);
  }
  CHECK(shares[{0, "s-1"}] == Approx(0.125));
  CHECK(shares[{1, "s-1"}] == Approx(0.35));
  CHECK(shares[{1, "s-5"}] == Approx(0.65 / 4));
  for (const run::Outcomes& outcomes : results.outcomes) {
    CHECK(rows[outcomes.epoch].chance(outcomes.sent) > 1e-6);
  }
}

// Kuma: `affinityTags` weighs the localities, `failover` makes the other zone priority 1.
TEST_CASE("affinity tags and failover survive a panic that the other zone ends") {
  const scenario::Reading reading = scenario::read_scenario_text("kuma.yaml", R"(duration: 30s
zones: [{ name: z1 }, { name: z2 }]
services:
  - name: backend
    endpoints:
      - { count: 1, zone: z1 }
      - { count: 4, zone: z1, healthy: "4 10s, 3 10s, 0" }
      - { count: 4, zone: z2, healthy: "4 10s, 0 10s, 4" }
policies:
  - type: MeshLoadBalancingStrategy
    name: p
    spec:
      to:
        - targetRef: { kind: MeshService, name: backend }
          default:
            localityAwareness:
              localZone: { affinityTags: [{ key: k8s.io/node }] }
              crossZone: { failover: [{ to: { type: Only, zones: [z2] } }] }
clients: [{ name: web, zone: z1, workload: { service: backend, rate: 600rps } }]
)");
  REQUIRE(reading.scenario);
  std::map<std::uint32_t, test::TestedRow> rows;
  const run::Results results = run::run(*reading.scenario, {});
  for (const run::Share& share : results.shares) {
    rows[share.epoch].add(share);
  }
  REQUIRE(results.outcomes.size() == 3);
  for (const run::Outcomes& outcomes : results.outcomes) {
    CHECK(outcomes.ok() == outcomes.sent);
    CHECK(rows[outcomes.epoch].chance(outcomes.sent) > 1e-6);
  }
}
