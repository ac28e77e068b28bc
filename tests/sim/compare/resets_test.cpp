// Counters that began anew between two moments: of a restarted proxy, and of hosts that were added again.
#include <catch2/catch.hpp>
#include <utility>

#include "sim/compare/observation.hpp"
#include "sim/study/verdict.hpp"
#include "tests/sim/compare/compared.hpp"

using namespace test_compare;
using compare::ReasonKind;

namespace {

std::vector<EdsHost> three_equal(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  return {{"10.0.0.1:80", "a", first}, {"10.0.0.2:80", "a", second}, {"10.0.0.3:80", "a", third}};
}

observed::Stats stats_at(std::uint64_t uptime, std::uint64_t requests) {
  observed::Stats stats;
  stats.server["uptime"] = uptime;
  stats.clusters["backend"]["upstream_rq_total"] = requests;
  return stats;
}

}  // namespace

TEST_CASE("after a restart every counter counts from 0, a higher one too") {
  const auto before = moment("backend", three_equal(1'000, 1'000, 600));
  const auto after = moment("backend", three_equal(900, 900, 900));
  // By the uptime, or by the requests of the cluster as a whole.
  for (const auto& [old_stats, new_stats] : {std::pair(stats_at(10'000, 2'600), stats_at(40, 2'700)),
                                             std::pair(stats_at(10'000, 5'000), stats_at(10'060, 2'700))}) {
    const auto comparison = compared(
        backend("", three_equal(0, 0, 0)),
        {.clusters_before = &before, .clusters_after = &after, .stats_before = &old_stats, .stats_after = &new_stats});
    const auto& cluster = comparison.clusters.front();
    CHECK(cluster.verdict == study::Verdict::met);
    CHECK(cluster.requests == 2'700);
    REQUIRE_FALSE(cluster.notes.empty());
    CHECK(cluster.notes.front() == "the proxy was restarted in between: requests are those since then");
  }
}

TEST_CASE("a restart that nothing else tells explains counts from 0") {
  const auto before = moment("backend", three_equal(1'000, 1'000, 600));
  const auto after = moment("backend", three_equal(900, 900, 900));
  const auto comparison =
      compared(backend("", three_equal(0, 0, 0)), {.clusters_before = &before, .clusters_after = &after});
  const auto& cluster = comparison.clusters.front();
  CHECK(cluster.verdict == study::Verdict::missed);
  REQUIRE_FALSE(cluster.reasons.empty());
  CHECK(cluster.reasons.front().kind == ReasonKind::counters_reset);
  CHECK(cluster.reasons.front().explains);
  CHECK(cluster.reasons.front().chance == Approx(1.0));
}

TEST_CASE("a host that was removed and added again lost requests, which explain its count") {
  const auto before = moment("backend", three_equal(1'000, 1'000, 1'000));
  const auto after = moment("backend", three_equal(2'000, 2'000, 500));
  const auto comparison =
      compared(backend("", three_equal(0, 0, 0)), {.clusters_before = &before, .clusters_after = &after});
  const auto* const found = reason(comparison.clusters.front(), ReasonKind::counters_reset);
  REQUIRE(found != nullptr);
  CHECK(found->explains);
  CHECK(found->seen);
  CHECK(found->text.ends_with("500 of 10.0.0.3:80"));
  // Requests that were lost make a count too low; this one is too high.
  const auto more = moment("backend", three_equal(2'000, 2'000, 999));
  const auto old = moment("backend", three_equal(1'500, 1'500, 1'000));
  const auto other = compared(backend("", three_equal(0, 0, 0)), {.clusters_before = &old, .clusters_after = &more});
  const auto* const ruled_out = reason(other.clusters.front(), ReasonKind::counters_reset);
  REQUIRE(ruled_out != nullptr);
  CHECK_FALSE(ruled_out->explains);
}

TEST_CASE("a counter that shows that its host came anew resets the host's other counters") {
  auto before = moment("backend", three_equal(10, 10, 10));
  before.clusters.front().hosts[2].counters.cx_connect_fail = 5;
  const auto after = moment("backend", three_equal(510, 510, 500));
  const auto seen = compare::observe(&before.clusters.front(), &after.clusters.front(), "backend");
  CHECK(seen.hosts[2].requests == 500);
  CHECK(seen.hosts[0].requests == 500);
  CHECK(seen.reset);
  CHECK_FALSE(seen.restarted);
}

TEST_CASE("/reset_counters sets the cluster's statistics to 0, and no counter of a host") {
  const auto before = moment("backend", three_equal(1'000, 1'000, 1'000));
  const auto after = moment("backend", three_equal(1'100, 1'100, 1'100));
  const auto old_stats = stats_at(100, 3'000);
  const auto new_stats = stats_at(160, 200);
  const auto seen =
      compare::observe(&before.clusters.front(), &after.clusters.front(), "backend", &old_stats, &new_stats);
  CHECK(seen.requests() == 300);
  CHECK_FALSE(seen.reset);
}

TEST_CASE("counters that are lower and have counted nothing since are named, and nothing agrees or differs") {
  const auto before = moment("backend", three_equal(250, 750, 0));
  const auto after = moment("backend", three_equal(0, 0, 0));
  const auto comparison =
      compared(backend("", three_equal(0, 0, 0)), {.clusters_before = &before, .clusters_after = &after});
  CHECK(comparison.idle == std::vector<std::string>{"backend"});
  CHECK(comparison.is_unknown());
  REQUIRE(comparison.notes.size() == 1);
  CHECK(comparison.notes.front().find("wrong order") != std::string::npos);
  const auto same = compared(backend("", three_equal(0, 0, 0)), {.clusters_before = &after, .clusters_after = &after});
  CHECK(same.notes.empty());
}
