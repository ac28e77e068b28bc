// Zone-aware routing: how much of priority 0's traffic stays in the proxy's own zone.
//
// The share that stays compares what part of the proxies (the local cluster) and what part of the upstream hosts the
// own zone holds, in integers of 1/10000.
//
//   ZoneRouting routing = zone_routing(upstream, local, settings, config::EnvoyProfile::current);
//   routing.state;                    // none, direct or residual
//   routing.local_percent_to_route;   // 7500: three quarters of the picks stay
//
// Source: docs/behaviour/envoy-before-pick.md 10, versions-before-pick.md 3; Envoy's load_balancer_impl.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/config/locality.hpp"
#include "models/config/profile.hpp"
#include "models/envoy/host_set.hpp"

namespace spillway::envoy {

// One locality of either side.
struct ZoneCounts {
  config::Locality locality;
  std::uint64_t hosts = 0;
  std::uint64_t healthy = 0;
  std::uint64_t healthy_weight = 0;  // sum of the healthy hosts' weights

  friend bool operator==(const ZoneCounts&, const ZoneCounts&) = default;
};

// Priority 0 of the upstream or of the local cluster, in the order of its host set.
struct ZoneSide {
  std::vector<ZoneCounts> localities;
  bool has_local_locality = false;  // then it is the first

  friend bool operator==(const ZoneSide&, const ZoneSide&) = default;
};

[[nodiscard]] ZoneSide count_zones(const HostSet& set, std::span<const Host> hosts);

// What a load balancer reads of its configuration and runtime.
struct ZoneSettings {
  std::uint64_t routing_enabled = 100;  // percent of picks, at most 100
  std::uint64_t min_cluster_size = 6;   // healthy upstream hosts below which the zone is ignored
  bool fail_traffic_on_panic = false;
  std::optional<std::uint64_t> force_local_zone_min_size = std::nullopt;
  config::LocalityBasis locality_basis = config::LocalityBasis::healthy_hosts_num;
};

// What the zones of a side are compared by: healthy hosts, or the sum of their weights.
[[nodiscard]] std::uint64_t zone_basis(const ZoneCounts& zone, const ZoneSettings& settings) noexcept;

// `runtime` goes before `config`.
[[nodiscard]] ZoneSettings zone_settings(const config::ZoneAwareLbConfig& config, const config::Runtime& runtime);

enum class ZoneState : std::uint8_t { none, direct, residual };

// Why the state is none; the first that applies, in the order in which Envoy asks.
enum class NoZoneRouting : std::uint8_t {
  applies,  // it is not none
  upstream_localities_lt_2,
  local_localities_lt_2,
  local_cluster_not_ok,
  zone_number_differs,  // before Envoy 1.28 only
  cluster_too_small,
};

struct ZoneRouting {
  ZoneState state = ZoneState::none;
  NoZoneRouting reason = NoZoneRouting::applies;

  // By upstream locality, of 10000. Empty if the state is none.
  std::vector<std::uint64_t> local_percentage;
  std::vector<std::uint64_t> upstream_percentage;

  // If residual: of 10000 picks so many stay; the rest divide over the localities by the steps of a running sum.
  std::uint64_t local_percent_to_route = 0;
  std::vector<std::uint64_t> residual_capacity;
  bool scan_includes_boundary = false;  // the scan before Envoy 1.28, one unit off
};

// Envoy matches localities by name; before 1.28 by position. Quadratic in the number of localities.
[[nodiscard]] ZoneRouting zone_routing(const ZoneSide& upstream, const ZoneSide& local, const ZoneSettings& settings,
                                       config::EnvoyProfile profile);

// How a locality was chosen, named as Envoy's statistics are.
enum class ZoneRoute : std::uint8_t { all_directly, sampled, cross_zone, no_capacity_left };

struct ZoneChoice {
  std::uint32_t locality = 0;
  ZoneRoute route = ZoneRoute::all_directly;
};

// The locality of one pick. Draws nothing if direct, else one for the share that stays and one for the rest.
// Requires a state other than none.
template <class Draw>
[[nodiscard]] ZoneChoice choose_zone(const ZoneRouting& routing, Draw& draw) {
  if (routing.state == ZoneState::direct) {
    return {0, ZoneRoute::all_directly};
  }
  if (draw() % 10000 < routing.local_percent_to_route) {
    return {0, ZoneRoute::sampled};
  }
  const std::uint64_t last = routing.residual_capacity.back();
  if (last == 0) {
    return {static_cast<std::uint32_t>(draw() % routing.residual_capacity.size()), ZoneRoute::no_capacity_left};
  }
  const std::uint64_t threshold = draw() % last;
  std::uint32_t locality = 0;
  while (routing.scan_includes_boundary ? threshold > routing.residual_capacity[locality]
                                        : threshold >= routing.residual_capacity[locality]) {
    ++locality;
  }
  return {locality, ZoneRoute::cross_zone};
}

// The chance of each upstream locality over uniform draws; sums to one. Requires a state other than none.
[[nodiscard]] std::vector<double> zone_shares(const ZoneRouting& routing);

// Whether zone routing is asked for this pick: a draw only where the percentage leaves a doubt.
template <class Draw>
[[nodiscard]] bool zone_routing_enabled(std::uint64_t percent, Draw& draw) {
  if (percent == 0 || percent >= 100) {
    return percent != 0;
  }
  return draw() % 100 < percent;
}

}  // namespace spillway::envoy
