#include "models/envoy/zone_routing.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using config::EnvoyProfile;
using envoy::NoZoneRouting;
using envoy::ZoneCounts;
using envoy::ZoneRoute;
using envoy::ZoneRouting;
using envoy::ZoneSettings;
using envoy::ZoneSide;
using envoy::ZoneState;

namespace {

using Percentages = std::vector<std::uint64_t>;

// Zones a, b, c ... with so many hosts, all healthy; the proxy is in the first.
ZoneSide side(const std::vector<std::uint64_t>& healthy, bool has_local = true) {
  ZoneSide result;
  result.has_local_locality = has_local;
  char name = 'a';
  for (const std::uint64_t count : healthy) {
    result.localities.push_back({support::zone(std::string(1, name++)), count, count, count});
  }
  return result;
}

ZoneRouting route(const ZoneSide& upstream, const ZoneSide& local, ZoneSettings settings = {.min_cluster_size = 1},
                  EnvoyProfile profile = EnvoyProfile::current) {
  return envoy::zone_routing(upstream, local, settings, profile);
}

}  // namespace

TEST_CASE("a zone that holds its share of the upstream keeps all of its traffic") {
  const ZoneRouting routing = route(side({1, 1, 1}), side({1, 1, 1}));
  CHECK(routing.state == ZoneState::direct);
  CHECK(routing.upstream_percentage == Percentages{3333, 3333, 3333});
}

TEST_CASE("a zone with half of its share keeps half, the rest goes where there is spare capacity") {
  // The example in Envoy's source: local 40/40/20 against upstream 25/50/25.
  const ZoneRouting routing = route(side({25, 50, 25}), side({40, 40, 20}));
  CHECK(routing.state == ZoneState::residual);
  CHECK(routing.local_percent_to_route == 6250);
  CHECK(routing.residual_capacity == Percentages{0, 1000, 1500});
}

TEST_CASE("localities are matched by name, zones on one side only are allowed") {
  ZoneSide local = side({1, 1});
  std::swap(local.localities[1].locality.zone, local.localities[1].locality.region);
  const ZoneRouting routing = route(side({1, 2, 2}), local);
  CHECK(routing.local_percentage == Percentages{5000, 0, 0});
  CHECK(routing.residual_capacity == Percentages{0, 4000, 8000});
}

TEST_CASE("each precondition has its reason") {
  CHECK(route(side({9}), side({1, 1})).reason == NoZoneRouting::upstream_localities_lt_2);
  CHECK(route(side({5, 4}), side({1})).reason == NoZoneRouting::local_localities_lt_2);
  CHECK(route(side({5, 4}), side({1, 1}, false)).reason == NoZoneRouting::local_cluster_not_ok);
  CHECK(route(side({3, 2}), side({1, 1}), {}).reason == NoZoneRouting::cluster_too_small);
}

TEST_CASE("force_local_zone lifts the rule of two local zones and needs its minimum of healthy hosts") {
  const ZoneSettings one{.min_cluster_size = 1, .force_local_zone_min_size = 1};
  CHECK(route(side({3, 3}), side({2}), one).state == ZoneState::direct);
  const ZoneSettings two{.min_cluster_size = 1, .force_local_zone_min_size = 2};
  CHECK(route(side({1, 1, 1}), side({1, 1}), one).state == ZoneState::direct);
  CHECK(route(side({1, 1, 1}), side({1, 1}), two).state == ZoneState::residual);
}

TEST_CASE("the basis of the shares may be the sum of weights") {
  ZoneSide local = side({2, 1});
  local.localities[0].healthy_weight = 200;
  local.localities[1].healthy_weight = 200;
  CHECK(route(side({1, 1}), local).local_percentage == Percentages{6666, 3333});
  const ZoneSettings weights{.min_cluster_size = 1, .locality_basis = config::LocalityBasis::healthy_hosts_weight};
  CHECK(route(side({1, 1}), local, weights).local_percentage == Percentages{5000, 5000});
}

TEST_CASE("truncation may leave no capacity, and then every locality is as good") {
  // Envoy's LowPrecisionForDistribution.
  const ZoneRouting routing = route(side({44999, 55001}), side({45000, 55000}));
  CHECK(routing.local_percent_to_route == 9997);
  CHECK(routing.residual_capacity == Percentages{0, 0});
  support::Script draws({9996});
  CHECK(envoy::choose_zone(routing, draws).route == ZoneRoute::sampled);
  support::Script others({9997, 5});
  CHECK(envoy::choose_zone(routing, others).route == ZoneRoute::no_capacity_left);
  CHECK(others.used() == 2);
}

TEST_CASE("a pick that leaves falls on the first locality whose running capacity exceeds the draw") {
  const ZoneRouting routing = route(side({25, 50, 25}), side({40, 40, 20}));
  const auto locality = [&routing](std::uint64_t draw) {
    support::Script draws({9999, draw});
    return envoy::choose_zone(routing, draws).locality;
  };
  CHECK(locality(0) == 1);
  CHECK(locality(999) == 1);
  CHECK(locality(1000) == 2);
  CHECK(locality(1500) == 1);
}

TEST_CASE("the seed profile scans one unit too far, matches by position and wants as many zones on both sides") {
  const ZoneRouting routing = route(side({1, 2, 2}), side({1, 1, 1}), {.min_cluster_size = 1}, EnvoyProfile::seed);
  CHECK(routing.residual_capacity == Percentages{0, 667, 1334});
  support::Script draws({9999, 0});
  CHECK(envoy::choose_zone(routing, draws).locality == 0);
  CHECK(route(side({1, 1, 1}), side({1, 1}), {.min_cluster_size = 1}, EnvoyProfile::seed).reason ==
        NoZoneRouting::zone_number_differs);
  CHECK(route(side({0, 5}), side({1, 1}), {.min_cluster_size = 1}, EnvoyProfile::seed).reason ==
        NoZoneRouting::local_cluster_not_ok);
}

TEST_CASE("the shares of the zones are what the draws give") {
  for (const EnvoyProfile profile : {EnvoyProfile::current, EnvoyProfile::seed}) {
    const ZoneRouting routing = route(side({25, 50, 25}), side({40, 40, 20}), {.min_cluster_size = 1}, profile);
    const std::vector<double> shares = envoy::zone_shares(routing);
    std::vector<double> enumerated(3, 0.0);
    enumerated[0] = 0.625;
    for (std::uint64_t draw = 0; draw < 1500; ++draw) {
      support::Script draws({9999, draw});
      enumerated[envoy::choose_zone(routing, draws).locality] += 0.375 / 1500;
    }
    for (std::size_t zone = 0; zone < 3; ++zone) {
      CHECK(shares[zone] == Approx(enumerated[zone]).epsilon(1e-12));
    }
  }
}

TEST_CASE("zone routing draws only where the percentage leaves a doubt") {
  support::Script draws({49, 50});
  CHECK_FALSE(envoy::zone_routing_enabled(0, draws));
  CHECK(envoy::zone_routing_enabled(100, draws));
  CHECK(draws.used() == 0);
  CHECK(envoy::zone_routing_enabled(50, draws));
  CHECK_FALSE(envoy::zone_routing_enabled(50, draws));
  CHECK(draws.used() == 2);
}

TEST_CASE("the runtime goes before the configuration of zones") {
  config::ZoneAwareLbConfig config;
  config.routing_enabled = config::Percent{29.0};
  CHECK(envoy::zone_settings(config, {}).routing_enabled == 28);
  CHECK_FALSE(envoy::zone_settings(config, {}).force_local_zone_min_size.has_value());
  config.force_local_zone = config::ForceLocalZone{};
  CHECK(envoy::zone_settings(config, {}).force_local_zone_min_size == 1U);
  const config::Runtime runtime{.healthy_panic_threshold = std::nullopt,
                                .zone_routing_enabled = 200,
                                .zone_routing_min_cluster_size = 3,
                                .force_local_zone_min_size = 4};
  const ZoneSettings settings = envoy::zone_settings(config, runtime);
  CHECK(settings.routing_enabled == 100);
  CHECK(settings.min_cluster_size == 3);
  CHECK(settings.force_local_zone_min_size == 4U);
}

// Envoy's source before 1.28 (earlyExitNonLocalityRouting) and its documentation of 1.23.
TEST_CASE("before Envoy 1.28 both clusters have to be in as many zones") {
  const auto reason = [](EnvoyProfile profile) {
    return route(side({1, 1, 1}), side({1, 1}), {.min_cluster_size = 1}, profile).reason;
  };
  CHECK(reason(EnvoyProfile::release_1_20) == NoZoneRouting::zone_number_differs);
  CHECK(reason(EnvoyProfile::release_1_27) == NoZoneRouting::zone_number_differs);
  CHECK(reason(EnvoyProfile::release_1_28) == NoZoneRouting::applies);
}

TEST_CASE("each bound of zone routing from both sides") {
  // min_cluster_size: as many healthy hosts are enough.
  CHECK(route(side({3, 3}), side({1, 1}), {}).reason == NoZoneRouting::applies);
  CHECK(route(side({3, 2}), side({1, 1}), {}).reason == NoZoneRouting::cluster_too_small);
  const auto older = EnvoyProfile::release_1_27;
  CHECK(route(side({3, 3}), side({1, 1}), {}, older).reason == NoZoneRouting::applies);
  CHECK(route(side({3, 2}), side({1, 1}), {}, older).reason == NoZoneRouting::cluster_too_small);
  // Two localities on either side.
  CHECK(route(side({3, 3}), side({1, 1})).reason == NoZoneRouting::applies);
  CHECK(route(side({9}), side({1}), {.min_cluster_size = 1}, older).reason == NoZoneRouting::upstream_localities_lt_2);
  // A local zone whose hosts are all gone, though others have some; unhealthy ones are enough.
  ZoneSide local = side({0, 5});
  CHECK(route(side({3, 3}), local).reason == NoZoneRouting::local_cluster_not_ok);
  local.localities[0].hosts = 1;
  CHECK(route(side({3, 3}), local).reason == NoZoneRouting::applies);
  // Before 1.28 it is the upstream's zone whose healthy hosts count.
  CHECK(route(side({1, 5}), side({1, 1}), {.min_cluster_size = 1}, older).reason == NoZoneRouting::applies);
  CHECK(route(side({3, 3}, false), side({1, 1}), {.min_cluster_size = 1}, older).reason ==
        NoZoneRouting::local_cluster_not_ok);
}

TEST_CASE("a zone keeps its traffic from its very share on, and never where the upstream is not in it") {
  // 5000 of 10000 on both sides, then one unit less than that upstream.
  CHECK(route(side({1, 1}), side({1, 1})).state == ZoneState::direct);
  CHECK(route(side({4999, 5001}), side({1, 1})).state == ZoneState::residual);
  CHECK(route(side({4999, 5001}), side({1, 1})).local_percent_to_route == 9998);
  CHECK(route(side({5, 1}, false), side({1, 1})).state == ZoneState::residual);
  // Neither side has anything there: since 1.28 there is nothing to keep.
  ZoneSide local = side({0, 5});
  local.localities[0].hosts = 1;
  CHECK(route(side({0, 6}), local).state == ZoneState::residual);
  const ZoneRouting empty = route(side({0, 6}), local);
  CHECK(empty.local_percent_to_route == 0);
  CHECK(empty.upstream_percentage == Percentages{0, 10000});
}

TEST_CASE("an upstream that is not in the proxy's zone gets all that it has room for") {
  ZoneSide upstream = side({0, 3, 1}, false);
  upstream.localities.erase(upstream.localities.begin());
  const ZoneRouting routing = route(upstream, side({1, 1}));
  CHECK(routing.local_percentage == Percentages{5000, 0});
  CHECK(routing.upstream_percentage == Percentages{7500, 2500});
  CHECK(routing.local_percent_to_route == 0);
  CHECK(routing.residual_capacity == Percentages{2500, 5000});
}

TEST_CASE("hosts of a side are counted by zone, those healthy and what they weigh as well") {
  const auto hosts = envoy::make_priority_set(
      support::assignment({{.zone = "b", .healthy = 2, .unhealthy = 1, .host_weights = {4, 7, 50}},
                           {.zone = "a", .degraded = 1, .host_weights = {9}}}),
      {.own_locality = support::zone("b")});
  const ZoneSide counted = envoy::count_zones(hosts.host_sets[0], hosts.hosts);
  CHECK(counted.has_local_locality);
  CHECK(counted.localities == std::vector<ZoneCounts>{{support::zone("b"), 3, 2, 11}, {support::zone("a"), 1, 0, 0}});
}

TEST_CASE("a runtime value of nothing does not force the local zone, and one of one does") {
  const config::ZoneAwareLbConfig config;
  config::Runtime runtime;
  runtime.force_local_zone_min_size = 0;
  CHECK_FALSE(envoy::zone_settings(config, runtime).force_local_zone_min_size.has_value());
  runtime.force_local_zone_min_size = 1;
  CHECK(envoy::zone_settings(config, runtime).force_local_zone_min_size == 1U);
  runtime.zone_routing_enabled = 99;
  CHECK(envoy::zone_settings(config, runtime).routing_enabled == 99);
  CHECK(envoy::zone_settings({.fail_traffic_on_panic = true}, {}).fail_traffic_on_panic);
}

TEST_CASE("the shares of zones without capacity are even, and those of a direct state are the own zone's") {
  const ZoneRouting none = route(side({44999, 55001}), side({45000, 55000}));
  CHECK(envoy::zone_shares(none)[0] == Approx(0.9997 + 0.0003 / 2));
  CHECK(envoy::zone_shares(none)[1] == Approx(0.0003 / 2));
  CHECK(envoy::zone_shares(route(side({1, 1}), side({1, 1}))) == std::vector<double>{1.0, 0.0});
}
