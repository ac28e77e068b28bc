// Zone-aware routing: the fraction of priority 0's traffic that stays in the proxy's own zone.
//
// The fraction compares the own zone's part of the proxies (the local cluster) with its part of the upstream hosts, in
// integers of 1/10000.
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

// The host counts of one locality of either side.
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
  bool has_local_locality = false;  // then the first

  friend bool operator==(const ZoneSide&, const ZoneSide&) = default;
};

[[nodiscard]] ZoneSide count_zones(const HostSet& set, std::span<const Host> hosts);

// The configuration and runtime values that a load balancer reads.
struct ZoneSettings {
  std::uint64_t routing_enabled = 100;  // percent of picks, at most 100
  std::uint64_t min_cluster_size = 6;   // healthy upstream hosts below which zones are ignored
  bool fail_traffic_on_panic = false;
  std::optional<std::uint64_t> force_local_zone_min_size = std::nullopt;
  config::LocalityBasis locality_basis = config::LocalityBasis::healthy_hosts_num;
};

// Returns the number by which zones of a side are compared: healthy hosts, or the sum of their weights.
[[nodiscard]] std::uint64_t zone_basis(const ZoneCounts& zone, const ZoneSettings& settings) noexcept;

// Returns the settings. `runtime` overrides `config`.
[[nodiscard]] ZoneSettings zone_settings(const config::ZoneAwareLbConfig& config, const config::Runtime& runtime);

enum class ZoneState : std::uint8_t { none, direct, residual };

// The reason for ZoneState::none: the first that applies, in the order of Envoy's checks.
enum class NoZoneRouting : std::uint8_t {
  applies,  // the state is not none
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

  // For residual: this many of 10000 picks stay. The rest is divided between localities by the steps of a running sum.
  std::uint64_t local_percent_to_route = 0;
  std::vector<std::uint64_t> residual_capacity;
  bool scan_includes_boundary = false;  // the scan before Envoy 1.28, one unit off
};

// Computes the routing. Matches localities by name, as Envoy does; before 1.28 by position. O(localities ^ 2).
[[nodiscard]] ZoneRouting zone_routing(const ZoneSide& upstream, const ZoneSide& local, const ZoneSettings& settings,
                                       config::EnvoyProfile profile);

// The way a locality was chosen, with the names of Envoy's statistics.
enum class ZoneRoute : std::uint8_t { all_directly, sampled, cross_zone, no_capacity_left };

struct ZoneChoice {
  std::uint32_t locality = 0;
  ZoneRoute route = ZoneRoute::all_directly;
};

// Returns the locality of one pick. Draws nothing if direct; otherwise one for the share that stays and one for the
// rest. Precondition: the state is not none.
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

// Returns the probability of each upstream locality over uniform draws; sums to one. Precondition: the state is not
// none.
[[nodiscard]] std::vector<double> zone_shares(const ZoneRouting& routing);

// True if zone routing applies to this pick. Draws only if the percentage is neither 0 nor 100.
template <class Draw>
[[nodiscard]] bool zone_routing_enabled(std::uint64_t percent, Draw& draw) {
  if (percent == 0 || percent >= 100) {
    return percent != 0;
  }
  return draw() % 100 < percent;
}

}  // namespace spillway::envoy
