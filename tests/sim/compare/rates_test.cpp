// What clients sent a second, by counters of a proxy.
#include "sim/compare/rates.hpp"

#include <catch2/catch.hpp>

#include "sim/observed/stats.hpp"
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
  const auto by_stats = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 60s, {{"backend"}});
  CHECK(by_stats.rates.at("backend") == Approx(100.0));
  CHECK(by_stats.at_least.empty());
  // Hosts count attempts too.
  const auto hosts_before = moment("backend", {{"10.0.0.1:80", "a", 0}, {"10.0.0.2:80", "a", 0}});
  const auto hosts_after = moment("backend", {{"10.0.0.1:80", "a", 4'500}, {"10.0.0.2:80", "a", 4'500}});
  const auto by_hosts = compare::counted_rates({.clusters_before = &hosts_before,
                                                .clusters_after = &hosts_after,
                                                .stats_before = &before,
                                                .stats_after = &after},
                                               60s, {{"backend"}});
  CHECK(by_hosts.rates.at("backend") == Approx(100.0));
}

TEST_CASE("requests whose first attempt got no connection are told by those that were answered") {
  // 1,000 requests, of which 400 were tried again after a connection that failed: 1,000 attempts got one.
  const auto before =
      backend_stats({{"upstream_rq_total", 0}, {"upstream_rq_retry", 0}, {"upstream_rq_completed", 0}}, 100);
  const auto after =
      backend_stats({{"upstream_rq_total", 1'000}, {"upstream_rq_retry", 400}, {"upstream_rq_completed", 1'000}}, 110);
  const auto counted = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 10s, {{"backend"}});
  CHECK(counted.rates.at("backend") == Approx(100.0));
}

TEST_CASE("requests that got no connection were sent all the same") {
  // As an Envoy 1.40.0 counted 100 requests that found its pending requests full, 100 that found no host, and 200 of
  // which the first attempt of each met a host that did not listen.
  const auto rate = [](const observed::Stats::Values& values) {
    observed::Stats::Values zeros = values;
    for (auto& [name, value] : zeros) {
      value = 0;
    }
    const auto before = backend_stats(zeros, 100);
    const auto after = backend_stats(values, 110);
    const auto counted = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 10s, {{"backend"}});
    CHECK(counted.after_drops == std::set<std::string>{"backend"});
    return counted.rates.at("backend");
  };
  CHECK(rate({{"upstream_rq_total", 0}, {"upstream_rq_pending_overflow", 100}}) == Approx(10.0));
  CHECK(rate({{"upstream_rq_total", 0}, {"upstream_cx_none_healthy", 100}}) == Approx(10.0));
  CHECK(rate({{"upstream_rq_total", 200}, {"upstream_rq_pending_failure_eject", 200}, {"upstream_rq_retry", 200}}) ==
        Approx(20.0));
}

TEST_CASE("an aggregate cluster completes its requests itself, and the clusters below it count the attempts") {
  // As an Envoy 1.40.0 counted 400 requests to `both`; of 100 more that asked for `near` itself it would add 100 to
  // both counters of `near`.
  const auto moment_of = [](std::uint64_t of_both, std::uint64_t of_near) {
    observed::Stats stats;
    stats.clusters["both"] = {{"upstream_rq_total", 0}, {"upstream_rq_completed", of_both}};
    stats.clusters["near"] = {{"upstream_rq_total", of_both + of_near}, {"upstream_rq_completed", of_near}};
    stats.clusters["far"] = {{"upstream_rq_total", 0}, {"upstream_rq_completed", 0}};
    return stats;
  };
  const auto before = moment_of(0, 0);
  const auto after = moment_of(400, 100);
  const std::vector<compare::AskedCluster> asked = {{"both", {"near", "far"}}, {"near"}};
  const auto counted = compare::counted_rates({.stats_before = &before, .stats_after = &after}, 10s, asked);
  CHECK(counted.rates.at("both") == Approx(40.0));
  CHECK(counted.rates.at("near") == Approx(10.0));
  CHECK(counted.after_drops.empty());
  // /clusters has no host of it.
  const auto hosts_before = moment("near", {{"10.0.0.1:80", "a", 0}});
  observed::Clusters hosts_after = moment("near", {{"10.0.0.1:80", "a", 400}});
  hosts_after.clusters.push_back({"both"});
  const auto by_hosts = compare::counted_rates({.clusters_before = &hosts_before, .clusters_after = &hosts_after}, 10s,
                                               {{"both", {"near", "far"}}});
  CHECK_FALSE(by_hosts.rates.contains("both"));
  CHECK(by_hosts.rates.at("near") == Approx(40.0));
}

TEST_CASE("counters that were reset tell the least rate") {
  const auto before = moment("backend", {{"10.0.0.1:80", "a", 1'100}});
  const auto after = moment("backend", {{"10.0.0.1:80", "a", 300}});
  const auto counted =
      compare::counted_rates({.clusters_before = &before, .clusters_after = &after}, 60s, {{"backend"}});
  CHECK(counted.rates.at("backend") == Approx(5.0));
  CHECK(counted.at_least == std::set<std::string>{{"backend"}});
  const auto old_stats = backend_stats({{"upstream_rq_total", 1'100}}, 100);
  const auto new_stats = backend_stats({{"upstream_rq_total", 300}}, 160);
  const auto by_stats =
      compare::counted_rates({.stats_before = &old_stats, .stats_after = &new_stats}, 60s, {{"backend"}});
  CHECK(by_stats.rates.at("backend") == Approx(5.0));
  CHECK(by_stats.at_least == std::set<std::string>{{"backend"}});
}

TEST_CASE("a proxy that says when it was restarted has its rates since then") {
  const auto before = moment("backend", {{"10.0.0.1:80", "a", 1'000}, {"10.0.0.2:80", "a", 600}});
  const auto after = moment("backend", {{"10.0.0.1:80", "a", 1'350}, {"10.0.0.2:80", "a", 1'350}});
  const auto old_stats = backend_stats({{"upstream_rq_total", 1'600}}, 10'000);
  const auto new_stats = backend_stats({{"upstream_rq_total", 2'700}}, 40);
  const auto counted = compare::counted_rates(
      {.clusters_before = &before, .clusters_after = &after, .stats_before = &old_stats, .stats_after = &new_stats},
      60s, {{"backend"}});
  CHECK(counted.rates.at("backend") == Approx(67.5));
  CHECK(counted.at_least.empty());
  REQUIRE(counted.since_restart.has_value());
  CHECK(*counted.since_restart == 40s);
}
