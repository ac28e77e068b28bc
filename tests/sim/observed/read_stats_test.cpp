#include <catch2/catch.hpp>

#include "sim/observed/stats.hpp"
#include "tests/sim/observed/recorded.hpp"

using namespace spillway;

namespace {

std::optional<observed::Stats> stats_of(const std::string& text, Diagnostics& problems) {
  Sources sources = {{"stats", text}};
  return observed::read_stats(sources, 0, problems);
}

}  // namespace

TEST_CASE("/stats of a real Envoy says the same as text, as JSON and for Prometheus") {
  const std::string name = GENERATE("stats.txt", "stats.json", "stats.prom");
  Diagnostics problems;
  const auto stats = stats_of(test_observed::recorded(name), problems);
  REQUIRE(problems.empty());
  REQUIRE(stats.has_value());
  CHECK(stats->of("backend", "upstream_rq_total") == 108U);
  CHECK(stats->of("backend", "upstream_rq_retry") == 0U);
  CHECK(stats->of("flaky:8080", "upstream_rq_retry") == 3U);
  CHECK(stats->of("flaky:8080", "outlier_detection_ejections_enforced_total") == 1U);
  CHECK(stats->of("backend", "membership_change") == 2U);
  CHECK_FALSE(stats->of("backend", "no_such_statistic").has_value());
  CHECK_FALSE(stats->of("no-such-cluster", "upstream_rq_total").has_value());
  CHECK(stats->server.at("concurrency") == 1);
}

TEST_CASE("hosts that a cluster tracks stand in Prometheus' format") {
  Diagnostics problems;
  const auto stats = stats_of(test_observed::recorded("stats.prom"), problems);
  REQUIRE(stats.has_value());
  const observed::Cluster* const backend = stats->per_endpoint.find("backend");
  REQUIRE(backend != nullptr);
  REQUIRE(backend->hosts.size() == 7);
  CHECK(backend->hosts[1].address == "127.1.0.2:21003");
  CHECK(backend->hosts[1].counters.rq_total == 48);
  CHECK(backend->hosts[6].counters.cx_connect_fail == 12);
}

TEST_CASE("counts of several proxies that Prometheus scraped are added up") {
  Diagnostics problems;
  const auto stats = stats_of(
      "envoy_cluster_upstream_rq_total{cluster_name=\"a\",pod=\"x\"} 12\n"
      "envoy_cluster_upstream_rq_total{cluster_name=\"a\",pod=\"y\"} 30 1700000000\n",
      problems);
  REQUIRE(stats.has_value());
  CHECK(stats->of("a", "upstream_rq_total") == 42U);
}

TEST_CASE("two outputs of /stats in one file are refused where the second one begins") {
  const auto [text, line] = GENERATE(table<std::string, unsigned>({
      {"cluster.a.upstream_rq_total: 1\nserver.uptime: 3\ncluster.a.upstream_rq_total: 9\n", 3},
      {"server.uptime: 3\nserver.uptime: 63\n", 2},
      {"envoy_cluster_upstream_rq_total{envoy_cluster_name=\"a\"} 1\n"
       "envoy_cluster_upstream_rq_total{envoy_cluster_name=\"a\"} 9\n",
       2},
      {"{\"stats\": [{\"name\": \"cluster.a.upstream_rq_total\", \"value\": 1},\n"
       "{\"name\": \"cluster.a.upstream_rq_total\", \"value\": 9}]}",
       2},
  }));
  Diagnostics problems;
  CHECK_FALSE(stats_of(text, problems).has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().code == "SP798");
  CHECK(problems.front().where.line == line);
}

TEST_CASE("what is not /stats is refused with its place") {
  const auto [text, code, line] = GENERATE(table<std::string, std::string, unsigned>({
      {"", "SP003", 1},
      {"cluster.a.upstream_rq_total: 1\nbackend::added_via_api::false\n", "SP790", 2},
      {"# TYPE a counter\na{b=\"c} 1\n", "SP790", 2},
      {"{\"cluster_statuses\": []}", "SP790", 1},
  }));
  Diagnostics problems;
  CHECK_FALSE(stats_of(text, problems).has_value());
  REQUIRE_FALSE(problems.empty());
  CHECK(problems.front().code == code);
  CHECK(problems.front().where.line == line);
}

TEST_CASE("the command that asked for /stats is ignored") {
  Diagnostics problems;
  const auto stats =
      stats_of("curl localhost:15000/stats | grep web\n\ncluster.web.upstream_rq_retry: 3\n...\n", problems);
  CHECK(problems.empty());
  REQUIRE(stats.has_value());
  CHECK(stats->of("web", "upstream_rq_retry") == 3U);
}
