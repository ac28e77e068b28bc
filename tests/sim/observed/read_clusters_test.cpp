#include "sim/observed/read_clusters.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/observed/host_flags.hpp"
#include "tests/sim/observed/recorded.hpp"

using namespace spillway;
using observed::Clusters;

namespace {

std::optional<Clusters> clusters_of(const std::string& text, Diagnostics& problems) {
  Sources sources = {{"clusters.txt", text}};
  return observed::read_clusters(sources, 0, problems);
}

Clusters recorded_clusters(const std::string& name) {
  Sources sources = {{name, test_observed::recorded(name)}};
  Diagnostics problems;
  const auto read = observed::read_clusters(sources, 0, problems);
  REQUIRE(problems.empty());
  REQUIRE(read.has_value());
  return *read;
}

}  // namespace

TEST_CASE("/clusters of a real Envoy tells hosts with their counts, places and health") {
  const Clusters read = recorded_clusters("clusters.txt");
  REQUIRE(read.clusters.size() == 4);
  const observed::Cluster* const backend = read.find("backend");
  REQUIRE(backend != nullptr);
  REQUIRE(backend->hosts.size() == 7);
  CHECK(backend->hosts[1].address == "127.1.0.2:21003");
  CHECK(backend->hosts[1].weight == 2);
  CHECK(backend->hosts[1].locality == config::Locality{"region-1", "zone-1", "rack-1"});
  CHECK(backend->hosts[1].counters.rq_total == 48);
  CHECK(backend->hosts[3].flags == envoy::HostFlags{envoy::HostFlag::failed_eds_health});
  CHECK(backend->hosts[4].flags == envoy::HostFlags{envoy::HostFlag::degraded_eds_health});
  CHECK(backend->hosts[6].priority.value == 1);
  CHECK(backend->hosts[6].counters.rq_total == 0);
  CHECK(backend->hosts[6].counters.cx_connect_fail == 12);
}

TEST_CASE("colons in a cluster's name and in an address are told from those between the fields") {
  const Clusters read = recorded_clusters("clusters.txt");
  const observed::Cluster* const flaky = read.find("flaky:8080");
  REQUIRE(flaky != nullptr);
  REQUIRE(flaky->hosts.size() == 3);
  CHECK(flaky->hosts[1].flags == envoy::HostFlags{envoy::HostFlag::failed_outlier_check});
  REQUIRE(read.find("six") != nullptr);
  CHECK(read.find("six")->hosts.front().address == "[::1]:21003");
}

TEST_CASE("the text and the JSON of one moment tell the same") {
  CHECK(recorded_clusters("clusters.txt").clusters == recorded_clusters("clusters.json").clusters);
}

TEST_CASE("every flag that Envoy prints is read back as it is printed") {
  const std::string all =
      "/failed_active_hc/failed_outlier_check/failed_eds_health/degraded_active_hc/degraded_eds_health/"
      "pending_dynamic_removal/pending_active_hc/excluded_via_immediate_hc_fail/active_hc_timeout/eds_status_draining";
  Diagnostics problems;
  const auto read = clusters_of("a::1.2.3.4:80::health_flags::" + all + "\n", problems);
  REQUIRE(read.has_value());
  CHECK(problems.empty());
  CHECK(observed::flags_text(read->clusters.front().hosts.front().flags) == all);
}

TEST_CASE("an unknown flag of a host is a warning with its line") {
  Diagnostics problems;
  const auto read = clusters_of("a::1.2.3.4:80::rq_total::1\na::1.2.3.4:80::health_flags::/on_fire\n", problems);
  REQUIRE(read.has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().code == "SP792");
  CHECK(problems.front().severity == Severity::warning);
  CHECK(problems.front().where.line == 2);
}

TEST_CASE("an address that is listed twice is two hosts") {
  Diagnostics problems;
  const auto read = clusters_of(
      "a::1.2.3.4:80::rq_total::1\na::1.2.3.4:80::priority::0\na::1.2.3.4:80::rq_total::5\na::1.2.3.4:80::priority::"
      "1\n",
      problems);
  REQUIRE(read.has_value());
  REQUIRE(read->clusters.front().hosts.size() == 2);
  CHECK(read->clusters.front().hosts[1].counters.rq_total == 5);
}

TEST_CASE("two outputs of /clusters in one file are refused where the second one begins") {
  const std::string text = test_observed::recorded("clusters.txt");
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  Diagnostics problems;
  CHECK_FALSE(clusters_of(text + text, problems).has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().code == "SP798");
  CHECK(problems.front().where.line == lines + 1);
  // Of one cluster, and without its own lines.
  const auto [twice, line] = GENERATE(table<std::string, unsigned>({
      {"a::added_via_api::true\na::1.2.3.4:80::rq_total::1\na::added_via_api::true\na::1.2.3.4:80::rq_total::5\n", 3},
      {"a::1.2.3.4:80::rq_total::1\nb::1.2.3.5:80::rq_total::1\na::1.2.3.4:80::rq_total::5\n", 3},
      {"{\"cluster_statuses\": [{\"name\": \"a\"},\n{\"name\": \"a\"}]}", 2},
  }));
  Diagnostics found;
  CHECK_FALSE(clusters_of(twice, found).has_value());
  REQUIRE(found.size() == 1);
  CHECK(found.front().code == "SP798");
  CHECK(found.front().where.line == line);
}

TEST_CASE("a host that stands twice at one place is a warning, since its counts are added up") {
  const std::string text = GENERATE(
      "a::1.2.3.4:80::rq_total::1\na::1.2.3.5:80::rq_total::2\na::1.2.3.4:80::rq_total::5\na::1.2.3.5:80::rq_total::"
      "6\n",
      "{\"cluster_statuses\": [{\"name\": \"a\", \"host_statuses\": [\n{\"address\": {\"pipe\": {\"path\": \"/a\"}}},"
      "\n{\"address\": {\"pipe\": {\"path\": \"/a\"}}}]}]}");
  Diagnostics problems;
  REQUIRE(clusters_of(text, problems).has_value());
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().code == "SP798");
  CHECK(problems.front().severity == Severity::warning);
  CHECK(problems.front().where.line == 3);
}

TEST_CASE("what is not /clusters is refused with its place") {
  const auto [text, code, line] = GENERATE(table<std::string, std::string, unsigned>({
      {"", "SP003", 1},
      {"cluster.backend.upstream_rq_total: 12\n", "SP790", 1},
      {"a::1.2.3.4:80::rq_total::1\nhello\n", "SP790", 2},
      {"a::1.2.3.4:80::rq_total::many\n", "SP791", 1},
      {"a::1.2.3.4:80::rq_total::-1\n", "SP791", 1},
      {"a::1.2.3.4:80::rq_total::99999999999999999999\n", "SP791", 1},
      {"{\"stats\": []}", "SP790", 1},
      {"{\"cluster_statuses\": [{\"name\": \"a\", \"host_statuses\": [{}]}]}", "SP790", 1},
      {"{\"cluster_statuses\": [", "SP006", 1},
  }));
  Diagnostics problems;
  CHECK_FALSE(clusters_of(text, problems).has_value());
  REQUIRE_FALSE(problems.empty());
  CHECK(problems.front().code == code);
  CHECK(problems.front().where.line == line);
}

TEST_CASE("members are told with their localities, and with the health of EDS alone where that is wanted") {
  const Clusters read = recorded_clusters("clusters.txt");
  const auto all = observed::memberships(read, observed::HealthOf::everything);
  const auto reported = observed::memberships(read, observed::HealthOf::eds_alone);
  REQUIRE(all.size() == 4);
  CHECK(all[0].cluster_name == "flaky:8080");
  CHECK(all[0].endpoints.front().lb_endpoints[1].health_status == config::HealthStatus::unhealthy);
  CHECK(reported[0].endpoints.front().lb_endpoints[1].health_status == config::HealthStatus::healthy);
  REQUIRE(all[1].endpoints.size() == 3);
  CHECK(all[1].endpoints[2].priority.value == 1);
  CHECK(reported[1].endpoints[1].lb_endpoints[1].health_status == config::HealthStatus::unhealthy);
}

// As users paste it: GitHub issues have the command that asked, and dots for what is left out.
TEST_CASE("what stands around /clusters in a copy of a terminal is ignored") {
  Diagnostics problems;
  const auto read = clusters_of(
      "bash-4.3# curl 127.0.0.10:8001/clusters\nweb::10.0.0.1:80::rq_total::21\n...\nweb::10.0.0.2:80::rq_total::20\n",
      problems);
  CHECK(problems.empty());
  REQUIRE(read.has_value());
  REQUIRE(read->clusters.size() == 1);
  CHECK(read->clusters[0].hosts.size() == 2);
}

TEST_CASE("one cluster of the JSON of /clusters stands for all") {
  Diagnostics problems;
  const auto read =
      clusters_of(R"({"name": "web", "host_statuses": [{"address": {"socket_address": {"address": "10.0.0.1",
      "port_value": 80}}, "stats": [{"name": "rq_error"}, {"name": "rq_total", "value": "808"}]}]})",
                  problems);
  CHECK(problems.empty());
  REQUIRE(read.has_value());
  REQUIRE(read->clusters.size() == 1);
  CHECK(read->clusters[0].name == "web");
  CHECK(read->clusters[0].hosts.at(0).counters.rq_total == 808);
}
