// When counts differ by chance, and when not.
#include <catch2/catch.hpp>

#include "sim/diff/changes.hpp"
#include "sim/diff/target_shares.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/route_with_sessions.hpp"

using namespace spillway;
using diff::same_by_count;

TEST_CASE("sums of doubles that stand for one number are the same") {
  CHECK(diff::same(0.1 + 0.2, 0.3));
  CHECK(diff::same(0.0, 1e-13));
  CHECK(diff::same(3e15, 3e15 + 1.0));
  CHECK_FALSE(diff::same(0.3, 0.3 + 1e-9));
}

TEST_CASE("two samples of the same shares are told from those of others, with one false alarm in a million") {
  // G = 2 * sum of count * ln(count / expected): 0.52 and 213, of one degree of freedom.
  CHECK(same_by_count({{6000, 6050}, {4000, 3950}}));
  CHECK_FALSE(same_by_count({{6000, 7000}, {4000, 3000}}));
  // The quantile of a million is 23.9: G = 22.1 is below it, 32.2 above.
  CHECK(same_by_count({{600, 700}, {400, 300}}));
  CHECK_FALSE(same_by_count({{600, 720}, {400, 280}}));
  CHECK(same_by_count({{0, 0}, {10, 20}}));
  CHECK(same_by_count({{1, 0}, {0, 0}}));
  CHECK(same_by_count({}));
}

TEST_CASE("random counts of the same shares are hardly ever told apart") {
  support::Draws draw(7);
  int alarms = 0;
  for (int repetition = 0; repetition < 400; ++repetition) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> counts(8);
    for (int request = 0; request < 1000; ++request) {
      ++counts[draw() % 8].first;
      ++counts[draw() % 8].second;
    }
    alarms += same_by_count(counts) ? 0 : 1;
  }
  CHECK(alarms == 0);
}

TEST_CASE("shares without a closed form are counted, and equal ones are no change by chance", "[unsanitized]") {
  // Each of 400 users comes back to the host that served them first.
  const auto sessions = [](int seed, const std::string& count) {
    return "duration: 20s\nseed: " + std::to_string(seed) +
           "\nzones: [{ name: a }, { name: b }]\n"
           "services:\n"
           "  - name: s\n"
           "    endpoints:\n"
           "      - { zone: a, count: " +
           count +
           " }\n"
           "      - { zone: b, count: 2 }\n"
           "clusters: [{ name: s, lb_policy: RANDOM }]\n" +
           support::route_with_sessions +
           "clients: [{ name: c, zone: a, count: 400, workload: { rate: 5rps, requests: [{ headers: { x-user: one } }] "
           "} "
           "}]\n"
           "failures: []\n";
  };
  const diff::Difference equal = support::difference_of(sessions(1, "2"), sessions(2, "2"));
  CHECK_FALSE(equal.changed());
  REQUIRE(equal.notes.size() == 2);  // utilisation is not known, and shares are counted
  CHECK(equal.notes.back().find("G-test") != std::string::npos);
  const diff::Difference other = support::difference_of(sessions(1, "2"), sessions(2, "10"));
  REQUIRE_FALSE(other.moves.empty());
  CHECK_FALSE(other.moves.front().exact);
  // 2 of 4, then 10 of 12: five standard errors of 400 picks each.
  CHECK(other.moves.front().zone_points == Approx(1.0 / 3.0).margin(0.16));
}

// `localZone` without `crossZone` keeps the other zones' endpoints from the egress (docs/behaviour/kuma.md 11).
TEST_CASE("traffic that ends at an egress without endpoints finds no host") {
  const auto mesh = [](const std::string& policies) {
    return "duration: 10s\nmode: exact\nzones: [{ name: z1 }, { name: z2 }]\n"
           "services: [{ name: be, endpoints: [{ zone: z2, count: 2 }] }]\n"
           "resources:\n"
           "  - { type: Mesh, name: default, mtls: { enabledBackend: ca, backends: [{ name: ca, type: builtin }] }, "
           "routing: { zoneEgress: true } }\n" +
           policies + "clients: [{ name: web, zone: z1, workload: { service: be, rate: 100rps } }]\nfailures: []\n";
  };
  const auto difference = support::difference_of(
      mesh(""),
      mesh("policies:\n  - { type: MeshLoadBalancingStrategy, mesh: default, name: a, spec: { to: [{ targetRef: { "
           "kind: Mesh }, default: { localityAwareness: { localZone: {} } } }] } }\n"));
  REQUIRE_FALSE(difference.moves.empty());
  const diff::Move& move = difference.moves.front();
  CHECK(move.no_host.before == Approx(0.0).margin(1e-9));
  CHECK(move.no_host.after == Approx(1.0));
  CHECK(move.lost.after == 0.0);
  for (const diff::Part& zone : move.zones) {
    CHECK(zone.after == 0.0);
  }
}

TEST_CASE("an endpoint is the same whatever subset leads to it, where the subsets are others than before") {
  const diff::Target in_v1{"v1", 0, "a", "cart-1"};
  const diff::Target in_v2{"v2", 0, "a", "cart-2"};
  diff::TargetShares canary{.of = {{in_v1, 0.9}, {in_v2, 0.1}}};
  diff::TargetShares ended{.of = {{in_v1, 1.0}}};
  CHECK(diff::have_same_clusters(canary, canary));
  CHECK_FALSE(diff::have_same_clusters(canary, ended));
  CHECK_FALSE(diff::have_same_clusters(ended, ended));  // one alone: it may have another name after the change
  diff::forget_clusters(canary);
  diff::forget_clusters(ended);
  CHECK(diff::all_targets(canary, ended).size() == 2);
  CHECK(canary.of.at({"", 0, "a", "cart-1"}) == 0.9);
  CHECK(ended.of.at({"", 0, "a", "cart-1"}) == 1.0);
}
