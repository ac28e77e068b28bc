// Runtime values that change while requests are balanced. What each of them does, and when, was tried on Envoy 1.40:
// the panic threshold and min_cluster_size count from the next update of hosts on, zone_routing.enabled and the panic
// of the local cluster at the next pick, force_local_zone never in a balancer that is there.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "sim/run/simulation.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/g_test.hpp"

namespace run = spillway::run;
namespace scenario = spillway::scenario;

namespace {

scenario::Scenario read_changing(const std::string& text) {
  const auto reading = scenario::read_scenario_text("runtime.yaml", text);
  for (const auto& problem : reading.diagnostics) {
    CHECK((problem.severity != Severity::error ? "" : problem.message + ": " + problem.label).empty());
  }
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

// Shares by host of the client's only service at a second.
std::vector<double> shares_in_second(const scenario::Scenario& of, int second) {
  const run::Snapshot snapshot(of, std::chrono::seconds{second});
  std::vector<double> shares(of.services.front().hosts.size(), 0.0);
  for (const run::Snapshot::Row& row : snapshot.shares({0}).rows) {
    shares[row.target] += row.share;
  }
  return shares;
}

void check_shares(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t host = 0; host < found.size(); ++host) {
    INFO("host " << host);
    CHECK(found[host] == Approx(expected[host]).margin(1e-9));
  }
}

const std::string panicking =
    "duration: 50s\nzones: [{ name: a }]\n"
    "services: [{ name: p, endpoints: [{ count: 2, zone: a }, { count: 2, zone: a, healthy: 0 }] }]\n"
    "clients: [{ name: c, zone: a, workload: { service: p, rate: 400rps } }]\n"
    "timeline:\n"
    "  - { at: 10s, runtime: { upstream.healthy_panic_threshold: 60 } }\n"
    "  - { at: 20s, endpoints: [p-1], weight: 2 }\n"
    "  - { at: 30s, runtime: { upstream: { healthy_panic_threshold: 50 } } }\n"
    "  - { at: 40s, endpoints: [p-1], weight: 1 }\n";

// The callers' zone has half of their cluster's hosts and a third of the service's.
std::string zones_with(const std::string& timeline, const std::string& extra = "") {
  return "duration: 90s\nzones: [{ name: a }, { name: b }]\nlocal_cluster: local\n" + extra +
         "services:\n"
         "  - { name: u, endpoints: [{ count: 2, zone: a }, { count: 4, zone: b }] }\n"
         "  - { name: local, endpoints: [{ count: 3, zone: a }, { zone: b }] }\n"
         "clients: [{ name: c, zone: a, workload: { service: u, rate: 200rps } }]\n"
         "timeline:\n" +
         timeline;
}

// envoy-before-pick.md 10: L = 7500, U = 3333; 3333 * 10000 / 7500 = 4444 of 10000 stay in the zone.
const std::vector<double> by_zones = {0.2222, 0.2222, 0.1389, 0.1389, 0.1389, 0.1389};
const std::vector<double> all_alike(6, 1.0 / 6.0);

const std::string zone_timeline =
    "  - { at: 10s, runtime: { upstream.zone_routing.enabled: 0 } }\n"
    "  - { at: 20s, runtime: { upstream.zone_routing.enabled: 100 } }\n"
    "  - { at: 30s, runtime: { upstream: { zone_routing: { min_cluster_size: 7 } } } }\n"
    "  - { at: 40s, service: u, weight: 2 }\n"
    "  - { at: 50s, runtime: { upstream.zone_routing.min_cluster_size: 6 } }\n"
    "  - { at: 60s, service: local, endpoints: [local-4], weight: 2 }\n"
    "  - { at: 70s, runtime: { upstream.zone_routing.force_local_zone.min_size: 1 } }\n"
    "  - { at: 80s, service: u, weight: 1 }\n";

}  // namespace

TEST_CASE("a panic threshold of the runtime counts from the next update of hosts on", "[runtime]") {
  const scenario::Scenario of = read_changing(panicking);
  const std::vector<double> healthy = {0.5, 0.5, 0.0, 0.0};
  check_shares(shares_in_second(of, 5), healthy);
  check_shares(shares_in_second(of, 15), healthy);
  check_shares(shares_in_second(of, 25), {0.4, 0.2, 0.2, 0.2});
  check_shares(shares_in_second(of, 35), {0.4, 0.2, 0.2, 0.2});
  check_shares(shares_in_second(of, 45), healthy);
}

TEST_CASE("runtime values of zone-aware routing count at the next pick, the next update or never", "[runtime]") {
  const scenario::Scenario of = read_changing(zones_with(zone_timeline));
  check_shares(shares_in_second(of, 5), by_zones);
  check_shares(shares_in_second(of, 15), all_alike);  // enabled: 0
  check_shares(shares_in_second(of, 25), by_zones);
  check_shares(shares_in_second(of, 35), by_zones);   // min_cluster_size waits
  check_shares(shares_in_second(of, 45), all_alike);  // for the hosts of this cluster
  check_shares(shares_in_second(of, 55), all_alike);
  check_shares(shares_in_second(of, 65), by_zones);  // or of the local one
  check_shares(shares_in_second(of, 75), by_zones);  // force_local_zone
  check_shares(shares_in_second(of, 85), by_zones);
  // It counts where it is there from the start.
  check_shares(
      shares_in_second(read_changing(zones_with("  - { at: 1s, service: u, weight: 2 }\n",
                                                "runtime: { upstream.zone_routing.force_local_zone.min_size: 1 }\n")),
                       5),
      {0.5, 0.5, 0.0, 0.0, 0.0, 0.0});
}

TEST_CASE("whether the local cluster panics is asked at each pick", "[runtime]") {
  const scenario::Scenario of =
      read_changing(zones_with("  - { at: 10s, service: local, endpoints: [local-3], healthy: 0 }\n"
                               "  - { at: 20s, runtime: { upstream.healthy_panic_threshold: 90 } }\n"
                               "  - { at: 30s, runtime: { upstream.healthy_panic_threshold: 50 } }\n"));
  const std::vector<double> with_two_callers = {0.25, 0.25, 0.125, 0.125, 0.125, 0.125};
  check_shares(shares_in_second(of, 15), with_two_callers);
  check_shares(shares_in_second(of, 25), all_alike);
  check_shares(shares_in_second(of, 35), with_two_callers);
}

// 50 is the threshold without the runtime; min_cluster_size waits for hosts.
TEST_CASE("a value of the runtime that has no effect at picks begins no row", "[runtime]") {
  const scenario::Scenario of =
      read_changing(zones_with("  - { at: 10s, runtime: { upstream.healthy_panic_threshold: 50 } }\n"
                               "  - { at: 20s, runtime: { upstream: { zone_routing: { min_cluster_size: 7 } } } }\n"
                               "  - { at: 30s, runtime: { upstream.zone_routing.enabled: 0 } }\n"));
  for (const auto mode : {scenario::Mode::exact, scenario::Mode::requests}) {
    const run::Results results = run::Simulation(of, {.mode = mode, .seed = {}}).simulate();
    REQUIRE(results.epochs.size() == 2);
    CHECK(results.epochs[1].start == std::chrono::seconds{30});
  }
}

TEST_CASE("requests follow the runtime as exact shares do, with ejections in between too", "[runtime]") {
  const std::string ejecting =
      "clusters: [{ name: u, outlier_detection: { consecutive_5xx: 1000000, enforcing_success_rate: 0 } }]\n";
  for (const std::string& text : {panicking, zones_with(zone_timeline), zones_with(zone_timeline, ejecting)}) {
    const scenario::Scenario of = read_changing(text);
    const run::Results results = run::Simulation(of, {}).simulate();
    std::map<std::uint32_t, std::map<std::string, std::pair<std::uint64_t, double>>> rows;
    for (const run::Share& share : results.shares) {
      auto& [requests, exact] = rows[share.epoch][share.endpoint];
      requests += share.requests.value_or(0);
      REQUIRE(share.exact.has_value());
      exact += *share.exact;
    }
    CHECK(rows.size() >= 3);
    for (const auto& [epoch, hosts] : rows) {
      std::vector<std::uint64_t> observed;
      std::vector<double> shares;
      for (const auto& [endpoint, host] : hosts) {
        observed.push_back(host.first);
        shares.push_back(host.second);
      }
      INFO("epoch " << epoch);
      CHECK(spillway::support::g_test(observed, shares) > 1e-6);
    }
  }
}
