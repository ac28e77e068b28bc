// What clients sent a second, by counters of a proxy.
#include "sim/compare/rates.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/compare/compared.hpp"

using namespace test_compare;
using namespace std::chrono_literals;

namespace {

observed::Stats backend_stats(const observed::Stats::Values& values, std::uint64_t uptime) {
  observed::Stats stats;
  stats.clusters["backend"] = values;
  stats.server["uptime"] = uptime;
  return stats;
}

}  // namespace

TEST_CASE("retries are attempts, and no requests of clients") {
  const auto before =
      backend_stats({{"upstream_rq_total", 0}, {"upstream_rq_retry", 0}, {"upstream_rq_completed", 0}}, 100);
  const auto after = backend_stats(
      {{"upstream_rq_total", 9'000}, {"upstream_rq_retry", 3'000}, {"upstream_rq_completed", 6'000}}, 160);
  const auto by_stats = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 60s, {"backend"});
  CHECK(by_stats.rates.at("backend") == Approx(100.0));
  CHECK(by_stats.at_least.empty());
  // Hosts count attempts too.
  const auto hosts_before = moment("backend", {{"10.0.0.1:80", "a", 0}, {"10.0.0.2:80", "a", 0}});
  const auto hosts_after = moment("backend", {{"10.0.0.1:80", "a", 4'500}, {"10.0.0.2:80", "a", 4'500}});
  const auto by_hosts = compare::counted_rates({.clusters_before = &hosts_before,
                                                .clusters_after = &hosts_after,
                                                .stats_before = &before,
                                                .stats_after = &after},
                                               60s, {"backend"});
  CHECK(by_hosts.rates.at("backend") == Approx(100.0));
}

TEST_CASE("requests whose first attempt got no connection are told by those that were answered") {
  // 1,000 requests, of which 400 were tried again after a connection that failed: 1,000 attempts got one.
  const auto before =
      backend_stats({{"upstream_rq_total", 0}, {"upstream_rq_retry", 0}, {"upstream_rq_completed", 0}}, 100);
  const auto after =
      backend_stats({{"upstream_rq_total", 1'000}, {"upstream_rq_retry", 400}, {"upstream_rq_completed", 1'000}}, 110);
  const auto counted = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 10s, {"backend"});
  CHECK(counted.rates.at("backend") == Approx(100.0));
}

TEST_CASE("counters that were reset tell the least rate") {
  const auto before = moment("backend", {{"10.0.0.1:80", "a", 1'100}});
  const auto after = moment("backend", {{"10.0.0.1:80", "a", 300}});
  const auto counted = compare::counted_rates({.clusters_before = &before, .clusters_after = &after}, 60s, {"backend"});
  CHECK(counted.rates.at("backend") == Approx(5.0));
  CHECK(counted.at_least == std::set<std::string>{"backend"});
  const auto old_stats = backend_stats({{"upstream_rq_total", 1'100}}, 100);
  const auto new_stats = backend_stats({{"upstream_rq_total", 300}}, 160);
  const auto by_stats =
      compare::counted_rates({.stats_before = &old_stats, .stats_after = &new_stats}, 60s, {"backend"});
  CHECK(by_stats.rates.at("backend") == Approx(5.0));
  CHECK(by_stats.at_least == std::set<std::string>{"backend"});
}

TEST_CASE("a proxy that says when it was restarted has its rates since then") {
  const auto before = moment("backend", {{"10.0.0.1:80", "a", 1'000}, {"10.0.0.2:80", "a", 600}});
  const auto after = moment("backend", {{"10.0.0.1:80", "a", 1'350}, {"10.0.0.2:80", "a", 1'350}});
  const auto old_stats = backend_stats({{"upstream_rq_total", 1'600}}, 10'000);
  const auto new_stats = backend_stats({{"upstream_rq_total", 2'700}}, 40);
  const auto counted = compare::counted_rates(
      {.clusters_before = &before, .clusters_after = &after, .stats_before = &old_stats, .stats_after = &new_stats},
      60s, {"backend"});
  CHECK(counted.rates.at("backend") == Approx(67.5));
  CHECK(counted.at_least.empty());
  REQUIRE(counted.since_restart.has_value());
  CHECK(*counted.since_restart == 40s);
}
