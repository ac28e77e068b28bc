#include "sim/observed/other_names.hpp"

#include <catch2/catch.hpp>

using namespace spillway::observed;

TEST_CASE(
    "statistics and logs of a cluster's alt_stat_name are those of the cluster, with underscores for colons too") {
  const OtherNames names = own_names({{"web", "web:alt"}, {"cart"}});
  Stats stats;
  stats.clusters["web_alt"]["upstream_rq_total"] = 6'000;
  stats.clusters["cart"]["upstream_rq_total"] = 7;
  stats.per_endpoint.clusters = {{"web_alt"}, {"cart"}};
  use_own_names(names, stats);
  CHECK(stats.of("web", "upstream_rq_total") == 6'000U);
  CHECK(stats.of("cart", "upstream_rq_total") == 7U);
  CHECK_FALSE(stats.clusters.contains("web_alt"));
  CHECK(stats.per_endpoint.clusters[0].name == "web");
  CHECK(stats.per_endpoint.clusters[1].name == "cart");

  AccessLog log;
  log.requests = {{"10.0.0.1:80", "web:alt"}, {"10.0.0.2:80", "cart"}, {"10.0.0.2:80", ""}};
  use_own_names(names, log);
  CHECK(log.requests[0].upstream_cluster == "web");
  CHECK(log.requests[1].upstream_cluster == "cart");
  CHECK(log.requests[2].upstream_cluster.empty());

  RangeAnswer answer{{{{{"envoy_cluster_name", "web_alt"}}, {}}, {{{"cluster_name", "cart"}}, {}}}};
  use_own_names(names, answer);
  CHECK(answer.series[0].labels.at("envoy_cluster_name") == "web");
  CHECK(answer.series[1].labels.at("cluster_name") == "cart");
}

TEST_CASE("what several clusters are counted by is nobody's alone") {
  CHECK(own_names({{"a", "both"}, {"b", "both"}}).empty());
  // By the name of another cluster, which is counted there too.
  CHECK(own_names({{"a", "b"}, {"b"}}).empty());
  // The other one goes by another name itself.
  CHECK(own_names({{"a", "b"}, {"b", "c"}}) == OtherNames{{"b", "a"}, {"c", "b"}});
  CHECK(own_names({{"a:80"}, {"b", "b"}}).empty());
}

TEST_CASE("names that clusters exchange are exchanged") {
  const OtherNames names = own_names({{"a", "b"}, {"b", "a"}});
  Stats stats;
  stats.clusters["a"]["upstream_rq_total"] = 1;
  stats.clusters["b"]["upstream_rq_total"] = 2;
  use_own_names(names, stats);
  CHECK(stats.of("a", "upstream_rq_total") == 2U);
  CHECK(stats.of("b", "upstream_rq_total") == 1U);
}
