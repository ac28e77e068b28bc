// The timeline of docs/behaviour/versions-host-pick.md 3: which change comes with which release, and whom it concerns.
#include "sim/diff/upgrade.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;

namespace {

scenario::Scenario upgraded_cluster(const std::string& rest) {
  const std::string text =
      "name: c\nload_assignment:\n  cluster_name: c\n  endpoints:\n"
      "    - lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0.1, "
      "port_value: 80 } } } }]\n" +
      rest;
  const scenario::Reading reading = scenario::read_envoy_texts({{"c.yaml", text}});
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario);
  return *reading.scenario;
}

std::vector<std::uint32_t> since(const std::string& rest, std::uint32_t from, std::uint32_t to) {
  const scenario::Scenario of = upgraded_cluster(rest);
  std::vector<std::uint32_t> releases;
  for (const diff::VersionChange& change : diff::changes_for(of, {0}, from, to)) {
    releases.push_back(change.since);
  }
  return releases;
}

using Releases = std::vector<std::uint32_t>;

const std::string check =
    "{ timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 1, "
    "http_health_check: { path: / } }";
const std::string two_checks =
    "health_checks:\n"
    "  - { name: one, timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 1, tcp_health_check: {} }\n"
    "  - { name: two, timeout: 1s, interval: 5s, unhealthy_threshold: 2, healthy_threshold: 1, http_health_check: { "
    "path: / } }\n";

}  // namespace

TEST_CASE("releases are read from what proxies and profiles call them", "[upgrade]") {
  CHECK(diff::release_of("1.36.2") == 36U);
  CHECK(diff::release_of("1.37.0-dev") == 37U);
  CHECK(diff::release_of("release-1.40") == 40U);
  CHECK(diff::release_of("1.4") == 4U);
  for (const char* const wrong : {"", "1.", "2.1", "release-", "1.36x", "current", "v1.36"}) {
    CAPTURE(wrong);
    CHECK_FALSE(diff::release_of(wrong));
  }
}

TEST_CASE("an upgrade concerns a cluster by what it uses, and by the releases in between", "[upgrade]") {
  CHECK(since("", 20, 40).empty());
  CHECK(since("lb_policy: MAGLEV\n", 20, 40) == Releases{27});
  CHECK(since("lb_policy: MAGLEV\n", 27, 40).empty());
  CHECK(since("lb_policy: MAGLEV\n", 26, 27) == Releases{27});
  CHECK(since("outlier_detection: {}\n", 20, 40) == Releases{28});
  CHECK(since("outlier_detection: {}\nhealth_checks: [" + check + "]\n", 25, 31) == Releases{26, 28, 31});
  CHECK(since("common_lb_config: { locality_weighted_lb_config: {} }\n", 29, 36) == Releases{30, 36});
  CHECK(since("round_robin_lb_config: { slow_start_config: { slow_start_window: 30s } }\nhealth_checks: [" + check +
                  "]\n",
              20, 40) == Releases{22, 25});
}

TEST_CASE("zones of another number concern only what zone-aware routing divides", "[upgrade]") {
  const auto changes = [](const std::string& fields, int own, int callers) {
    const auto cluster = [](const std::string& name, int zones, const std::string& rest) {
      std::string text = "    - name: " + name + "\n      type: STATIC\n" + rest +
                         "      load_assignment:\n        cluster_name: " + name + "\n        endpoints:\n";
      for (int zone = 1; zone <= zones; ++zone) {
        const std::string number = std::to_string(zone);
        text += "          - { locality: { zone: z" + number +
                " }, lb_endpoints: [{ endpoint: { address: { socket_address: { address: 10.0.0." + number +
                ", port_value: 80 } } } }] }\n";
      }
      return text;
    };
    const std::string text =
        "node: { id: proxy, locality: { zone: z1 } }\ncluster_manager: { local_cluster_name: local }\n"
        "static_resources:\n  clusters:\n" +
        cluster("local", callers, "") + cluster("c", own, fields);
    const scenario::Reading reading = scenario::read_envoy_texts({{"c.yaml", text}}, {.cluster = "c"});
    INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
    REQUIRE(reading.scenario);
    REQUIRE(reading.scenario->local_cluster);
    std::uint32_t service = 0;
    while (reading.scenario->services[service].name != "c") {
      ++service;
    }
    return diff::changes_for(*reading.scenario, config::ServiceIndex{service}, 27, 28).size();
  };
  CHECK(changes("", 3, 2) == 1);
  CHECK(changes("      lb_policy: RANDOM\n", 2, 3) == 1);
  CHECK(changes("", 2, 2) == 0);
  CHECK(changes("", 1, 2) == 0);
  CHECK(changes("", 2, 1) == 0);
  CHECK(changes("      lb_policy: RING_HASH\n", 3, 2) == 0);
  CHECK(changes("      common_lb_config: { locality_weighted_lb_config: {} }\n", 3, 2) == 0);
}

TEST_CASE("between 1.36 and 1.40 only several health checks are taken otherwise, and shares are the same",
          "[upgrade]") {
  CHECK(since(two_checks, 36, 40) == Releases{37});
  CHECK(since(two_checks, 37, 40).empty());
  CHECK(since("lb_policy: MAGLEV\noutlier_detection: {}\nhealth_checks: [" + check + "]\n", 36, 40).empty());
  CHECK(diff::Upgrade{.from = 36, .to = 40}.same_picks());
  CHECK_FALSE(diff::Upgrade{.from = 35, .to = 40}.same_picks());
}

TEST_CASE("a downgrade loses what an upgrade gains", "[upgrade]") {
  CHECK(since("lb_policy: MAGLEV\n", 40, 20) == since("lb_policy: MAGLEV\n", 20, 40));
}

TEST_CASE("an upgrade makes settings count that the older release ignores, and clusters work that it refuses",
          "[upgrade]") {
  const auto changes = [](const std::string& rest, std::uint32_t from, std::uint32_t to) {
    const scenario::Scenario of = upgraded_cluster(rest);
    std::vector<std::pair<std::uint32_t, diff::Moves>> found;
    for (const diff::VersionChange& change : diff::changes_for(of, {0}, from, to)) {
      found.emplace_back(change.since, change.moves);
    }
    return found;
  };
  using Found = std::vector<std::pair<std::uint32_t, diff::Moves>>;
  const std::string always = "outlier_detection: { always_eject_one_host: true }\n";
  CHECK(changes(always, 29, 40) == Found{{31, diff::Moves::settings}});
  CHECK(changes(always, 40, 29) == Found{{31, diff::Moves::settings}});
  CHECK(changes(always, 31, 40).empty());
  const std::string full_scan =
      "load_balancing_policy: { policies: [{ typed_extension_config: { name: l, typed_config: { \"@type\": "
      "type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest, "
      "selection_method: FULL_SCAN } } }] }\n";
  CHECK(changes(full_scan, 29, 40) == Found{{30, diff::Moves::acceptance}});
  CHECK(changes(full_scan, 30, 40).empty());
  CHECK(changes(two_checks, 36, 40) == Found{{37, diff::Moves::acceptance}});
}

// envoyproxy/envoy #45212: on by default in 1.38.0, off since 1.38.1.
TEST_CASE("a fault of 1.38.0 concerns clusters that hash, on the way to it and from it", "[upgrade]") {
  CHECK(since("lb_policy: RING_HASH\n", 37, 38) == Releases{38});
  CHECK(since("lb_policy: MAGLEV\n", 38, 39) == Releases{38});
  CHECK(since("lb_policy: MAGLEV\n", 37, 39).empty());
  CHECK(since("lb_policy: ROUND_ROBIN\n", 37, 38).empty());
}
