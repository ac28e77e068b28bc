#include "models/envoy/host_set.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::HostSet;
using envoy::make_priority_set;
using envoy::PrioritySet;
using support::assignment;
using support::zone;

namespace {

std::vector<std::uint32_t> indices(std::span<const config::HostIndex> list) {
  std::vector<std::uint32_t> result;
  for (const config::HostIndex host : list) {
    result.push_back(host.value);
  }
  return result;
}

using Indices = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("the own locality comes first, the others in byte order") {
  const auto hosts =
      assignment({{.zone = "b", .healthy = 1}, {.zone = "B", .healthy = 1}, {.zone = "a", .healthy = 1}});
  const PrioritySet from_b = make_priority_set(hosts, {.own_locality = zone("b")});
  CHECK(from_b.host_sets[0].localities == std::vector{zone("b"), zone("B"), zone("a")});
  CHECK(from_b.host_sets[0].has_local_locality);

  const PrioritySet from_c = make_priority_set(hosts, {.own_locality = zone("c")});
  CHECK(from_c.host_sets[0].localities == std::vector{zone("B"), zone("a"), zone("b")});
  CHECK_FALSE(from_c.host_sets[0].has_local_locality);
}

TEST_CASE("flat lists keep the order of the configuration, whatever the order of the localities") {
  const PrioritySet hosts =
      make_priority_set(assignment({{.zone = "b", .healthy = 2, .unhealthy = 1}, {.zone = "a", .healthy = 2}}),
                        {.own_locality = zone("a")});
  const HostSet& set = hosts.host_sets[0];
  CHECK(indices(set.all.hosts()) == Indices{0, 1, 2, 3, 4});
  CHECK(indices(set.healthy.hosts()) == Indices{0, 1, 3, 4});
  CHECK(indices(set.all.of_locality(0)) == Indices{3, 4});
  CHECK(indices(set.all.of_locality(1)) == Indices{0, 1, 2});
}

TEST_CASE("a locality without hosts in a list keeps its position there") {
  const PrioritySet hosts =
      make_priority_set(assignment({{.zone = "a", .unhealthy = 2}, {.zone = "b", .degraded = 1, .unhealthy = 1}}), {});
  const HostSet& set = hosts.host_sets[0];
  CHECK(set.healthy.of_locality(0).empty());
  CHECK(set.healthy.of_locality(1).empty());
  CHECK(set.degraded.of_locality(0).empty());
  CHECK(indices(set.degraded.of_locality(1)) == Indices{2});
}

TEST_CASE("priorities that nobody names exist and are empty") {
  const PrioritySet hosts = make_priority_set(assignment({{.priority = 2, .healthy = 1}}), {});
  REQUIRE(hosts.host_sets.size() == 3);
  CHECK(hosts.host_sets[0].all.size() == 0);
  CHECK(hosts.host_sets[1].localities.empty());
  CHECK(hosts.host_sets[2].all.size() == 1);
}

TEST_CASE("a locality listed twice is joined, and the last weight given counts") {
  const PrioritySet hosts = make_priority_set(assignment({{.zone = "a", .healthy = 1, .weight = 3},
                                                          {.zone = "b", .healthy = 1},
                                                          {.zone = "a", .healthy = 2, .weight = 5},
                                                          {.zone = "a", .healthy = 1}}),
                                              {});
  CHECK(hosts.host_sets[0].locality_weights == std::vector<std::uint32_t>{5, 0});
  CHECK(indices(hosts.host_sets[0].healthy.of_locality(0)) == Indices{0, 2, 3, 4});
}

TEST_CASE("an entry without endpoints makes its priority exist but adds no locality") {
  const PrioritySet hosts = make_priority_set(
      assignment({{.priority = 0, .zone = "a", .healthy = 1, .weight = 1}, {.priority = 1, .zone = "a", .weight = 7}}),
      {});
  REQUIRE(hosts.host_sets.size() == 2);
  CHECK(hosts.host_sets[1].localities.empty());
  CHECK(hosts.host_sets[1].locality_weights.empty());
}

TEST_CASE("flags replace what health_status says") {
  const std::vector<envoy::HostFlags> flags = {{envoy::HostFlag::failed_outlier_check}, {}};
  const PrioritySet hosts = make_priority_set(assignment({{.healthy = 1, .unhealthy = 1}}), {.flags = flags});
  CHECK(indices(hosts.host_sets[0].healthy.hosts()) == Indices{1});
}

TEST_CASE("an address listed twice is two static hosts") {
  auto hosts = assignment({{.priority = 1, .healthy = 2}, {.priority = 0, .healthy = 2}});
  hosts.endpoints[1].lb_endpoints[0].address = hosts.endpoints[0].lb_endpoints[1].address;
  CHECK(make_priority_set(hosts, {}).host_sets[1].all.size() == 2);
}

TEST_CASE("a priority is the same only with the same hosts, flags and weights") {
  const auto hosts = assignment({{.priority = 0, .healthy = 2}, {.priority = 1, .healthy = 2}});
  const PrioritySet before = make_priority_set(hosts, {});
  CHECK(envoy::same_priority(before, make_priority_set(hosts, {}), 1));

  auto heavier = hosts;
  heavier.endpoints[1].lb_endpoints[0].load_balancing_weight = 2;
  CHECK(envoy::same_priority(before, make_priority_set(heavier, {}), 0));
  CHECK_FALSE(envoy::same_priority(before, make_priority_set(heavier, {}), 1));
}

TEST_CASE(
    "a priority is the same only with the same addresses, hostnames and metadata, which other priorities may change") {
  auto hosts = assignment({{.priority = 0, .healthy = 2}, {.priority = 1, .healthy = 2}});
  const PrioritySet before = make_priority_set(hosts, {});
  const auto same = [&](const config::ClusterLoadAssignment& after, std::size_t priority) {
    return envoy::same_priority(before, make_priority_set(after, {}), priority);
  };
  auto moved = hosts;
  moved.endpoints[1].lb_endpoints[1].address = "elsewhere";
  CHECK(same(moved, 0));
  CHECK_FALSE(same(moved, 1));
  auto renamed = hosts;
  renamed.endpoints[0].lb_endpoints[0].hostname = "other";
  CHECK_FALSE(same(renamed, 0));
  CHECK(same(renamed, 1));
  auto labelled = hosts;
  labelled.endpoints[1].lb_endpoints[0].metadata.set("version", "2");
  CHECK(same(labelled, 0));
  CHECK_FALSE(same(labelled, 1));
  // Nor is one that only one side has.
  CHECK_FALSE(same(hosts, 2));
  CHECK_FALSE(same(assignment({{.priority = 0, .healthy = 2}}), 1));
}

TEST_CASE("sets of hosts are equal with equal names, whether those are kept once or twice") {
  auto hosts = assignment({{.healthy = 2}});
  const PrioritySet one = make_priority_set(hosts, {});
  CHECK(one == make_priority_set(hosts, {}));
  CHECK(one == make_priority_set(hosts, {.endpoints = one.endpoints}));
  PrioritySet nameless = one;
  nameless.endpoints = nullptr;
  CHECK_FALSE(one == nameless);
  CHECK_FALSE(nameless == one);
  hosts.endpoints[0].lb_endpoints[1].address = "elsewhere";
  CHECK_FALSE(one == make_priority_set(hosts, {}));
}

TEST_CASE("hosts that are gone stand in no list, and those that only wait for their removal stand last") {
  const auto hosts =
      assignment({{.zone = "a", .healthy = 2}, {.zone = "b", .healthy = 2}, {.zone = "c", .healthy = 1}});
  const std::vector<std::uint8_t> absent = {0, 1, 0, 0, 1};
  const PrioritySet fewer = make_priority_set(hosts, {.absent = absent});
  CHECK(indices(fewer.host_sets[0].all.hosts()) == Indices{0, 2, 3});
  CHECK(fewer.host_sets[0].localities == std::vector{zone("a"), zone("b")});
  const std::vector<envoy::HostFlags> flags = {{envoy::HostFlag::pending_dynamic_removal}, {}, {}, {}, {}};
  CHECK(indices(make_priority_set(hosts, {.flags = flags}).host_sets[0].all.hosts()) == Indices{1, 2, 3, 4, 0});
}

TEST_CASE("the same hosts with other flags are what listing them with those flags makes") {
  const auto hosts = assignment({{.priority = 0, .zone = "a", .healthy = 7, .degraded = 2, .unhealthy = 1},
                                 {.priority = 0, .zone = "b", .healthy = 5},
                                 {.priority = 1, .zone = "a", .healthy = 4},
                                 {.priority = 0, .zone = "a", .healthy = 3}});
  constexpr std::size_t count = 22;
  std::vector<std::uint8_t> absent(count, 0);
  absent[3] = absent[11] = 1;
  std::vector<envoy::HostFlags> reported(count);
  reported[7] = reported[8] = {envoy::HostFlag::degraded_eds_health};
  reported[9] = {envoy::HostFlag::failed_eds_health};
  const PrioritySet before = make_priority_set(hosts, {.flags = reported, .absent = absent, .own_locality = zone("b")});
  constexpr std::array flags = {envoy::HostFlag::failed_active_hc, envoy::HostFlag::degraded_active_hc,
                                envoy::HostFlag::failed_outlier_check, envoy::HostFlag::pending_active_hc,
                                envoy::HostFlag::excluded_via_immediate_hc_fail};
  std::mt19937 draw(20261125);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  for (int round = 0; round < 200; ++round) {
    std::vector<envoy::HostFlags> all = reported;
    std::vector<envoy::FlagsOfHost> changed;
    for (std::uint32_t host = 0; host < count; ++host) {
      if (draw() % 3 == 0) {
        all[host].add({flags[draw() % flags.size()]});
        changed.push_back({config::HostIndex{host}, all[host]});
      }
    }
    const auto after = envoy::with_flags(before, changed);
    REQUIRE(after);
    CHECK(*after == make_priority_set(hosts, {.flags = all, .absent = absent, .own_locality = zone("b")}));
  }
}

TEST_CASE("hosts that are to be removed have to be listed anew") {
  const auto hosts = assignment({{.healthy = 3}});
  const std::vector<envoy::HostFlags> leaving = {{}, {envoy::HostFlag::pending_dynamic_removal}, {}};
  const envoy::FlagsOfHost fails{config::HostIndex{0}, {envoy::HostFlag::failed_active_hc}};
  CHECK_FALSE(envoy::with_flags(make_priority_set(hosts, {.flags = leaving}), {&fails, 1}));
  const envoy::FlagsOfHost leaves{config::HostIndex{0}, leaving[1]};
  CHECK_FALSE(envoy::with_flags(make_priority_set(hosts, {}), {&leaves, 1}));
}
