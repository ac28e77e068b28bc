#include "models/envoy/zone_routing.hpp"

#include <algorithm>
#include <utility>

#include "models/envoy/percent_to_integer.hpp"

namespace spillway::envoy {

namespace {

constexpr std::uint64_t scale = 10000;

std::uint64_t total_basis(const ZoneSide& side, const ZoneSettings& settings) {
  std::uint64_t total = 0;
  for (const ZoneCounts& zone : side.localities) {
    total += zone_basis(zone, settings);
  }
  return total;
}

std::uint64_t total_healthy(const ZoneSide& side) {
  std::uint64_t total = 0;
  for (const ZoneCounts& zone : side.localities) {
    total += zone.healthy;
  }
  return total;
}

// Returns the first precondition that fails since 1.28.
NoZoneRouting obstacle(const ZoneSide& upstream, const ZoneSide& local, const ZoneSettings& settings) {
  if (upstream.localities.size() < 2) {
    return NoZoneRouting::upstream_localities_lt_2;
  }
  if (!settings.force_local_zone_min_size && local.localities.size() < 2) {
    return NoZoneRouting::local_localities_lt_2;
  }
  if (!local.has_local_locality || local.localities.front().hosts == 0) {
    return NoZoneRouting::local_cluster_not_ok;
  }
  if (total_healthy(upstream) < settings.min_cluster_size) {
    return NoZoneRouting::cluster_too_small;
  }
  return NoZoneRouting::applies;
}

// Returns the first precondition that fails before 1.28. These releases check the upstream's own zone, and require both
// sides to have the same number of zones.
NoZoneRouting older_obstacle(const ZoneSide& upstream, const ZoneSide& local, const ZoneSettings& settings) {
  if (upstream.localities.size() < 2) {
    return NoZoneRouting::upstream_localities_lt_2;
  }
  if (!upstream.has_local_locality || upstream.localities.front().healthy == 0) {
    return NoZoneRouting::local_cluster_not_ok;
  }
  if (upstream.localities.size() != local.localities.size()) {
    return NoZoneRouting::zone_number_differs;
  }
  if (total_healthy(upstream) < settings.min_cluster_size) {
    return NoZoneRouting::cluster_too_small;
  }
  return NoZoneRouting::applies;
}

// Returns the local cluster's number for the upstream's `zone`.
std::uint64_t local_basis_by_name(const ZoneSide& local, const config::Locality& zone, const ZoneSettings& settings) {
  for (const ZoneCounts& candidate : local.localities) {
    if (candidate.locality == zone) {
      return zone_basis(candidate, settings);
    }
  }
  return 0;
}

void compute_percentages(ZoneRouting& routing, const ZoneSide& upstream, const ZoneSide& local,
                         const ZoneSettings& settings, config::EnvoyProfile profile) {
  const std::uint64_t local_total = total_basis(local, settings);
  const std::uint64_t upstream_total = total_basis(upstream, settings);
  const auto percentage = [](std::uint64_t part, std::uint64_t total) { return total == 0 ? 0 : scale * part / total; };
  for (std::size_t index = 0; index < upstream.localities.size(); ++index) {
    const ZoneCounts& zone = upstream.localities[index];
    if (config::before(profile, 28)) {
      routing.local_percentage.push_back(percentage(zone_basis(local.localities[index], settings), local_total));
      routing.upstream_percentage.push_back(percentage(zone_basis(zone, settings), upstream_total));
    } else if (zone.healthy == 0) {
      routing.local_percentage.push_back(0);
      routing.upstream_percentage.push_back(0);
    } else {
      routing.local_percentage.push_back(percentage(local_basis_by_name(local, zone.locality, settings), local_total));
      routing.upstream_percentage.push_back(percentage(zone_basis(zone, settings), upstream_total));
    }
  }
}

bool routes_directly(const ZoneRouting& routing, const ZoneSide& upstream, const ZoneSettings& settings) {
  if (!upstream.has_local_locality) {
    return false;
  }
  const std::uint64_t own = routing.upstream_percentage.front();
  if (own >= routing.local_percentage.front() && (own > 0 || routing.scan_includes_boundary)) {
    return true;
  }
  return settings.force_local_zone_min_size &&
         upstream.localities.front().healthy >= *settings.force_local_zone_min_size;
}

void compute_residual(ZoneRouting& routing, bool has_local_locality) {
  const auto& local = routing.local_percentage;
  const auto& upstream = routing.upstream_percentage;
  if (has_local_locality && local.front() > 0) {
    routing.local_percent_to_route = upstream.front() * scale / local.front();
  }
  std::uint64_t capacity = 0;
  for (std::size_t index = 0; index < upstream.size(); ++index) {
    const bool own = has_local_locality && index == 0;
    if (!own && upstream[index] > local[index]) {
      capacity += upstream[index] - local[index];
    }
    routing.residual_capacity.push_back(capacity);
  }
}

}  // namespace

std::uint64_t zone_basis(const ZoneCounts& zone, const ZoneSettings& settings) noexcept {
  return settings.locality_basis == config::LocalityBasis::healthy_hosts_weight ? zone.healthy_weight : zone.healthy;
}

ZoneSide count_zones(const HostSet& set, std::span<const Host> hosts) {
  ZoneSide side;
  side.has_local_locality = set.has_local_locality;
  for (std::size_t index = 0; index < set.localities.size(); ++index) {
    ZoneCounts zone{set.localities[index], set.all.of_locality(index).size(), set.healthy.of_locality(index).size(), 0};
    for (const config::HostIndex host : set.healthy.of_locality(index)) {
      zone.healthy_weight += hosts[host.value].weight;
    }
    side.localities.push_back(std::move(zone));
  }
  return side;
}

ZoneSettings zone_settings(const config::ZoneAwareLbConfig& config, const config::Runtime& runtime) {
  ZoneSettings settings;
  // A typed policy may have a value below 0, which Envoy's conversion to an unsigned integer turns into a huge number.
  const std::uint64_t enabled =
      config.routing_enabled < config::Percent{0.0} ? 100 : percent_to_integer(config.routing_enabled);
  settings.routing_enabled = std::min<std::uint64_t>(100, runtime.zone_routing_enabled.value_or(enabled));
  settings.min_cluster_size = runtime.zone_routing_min_cluster_size.value_or(config.min_cluster_size);
  settings.fail_traffic_on_panic = config.fail_traffic_on_panic;
  if (runtime.force_local_zone_min_size.value_or(0) > 0) {
    settings.force_local_zone_min_size = runtime.force_local_zone_min_size;
  } else if (config.force_local_zone) {
    settings.force_local_zone_min_size = config.force_local_zone->min_size;
  }
  settings.locality_basis = config.locality_basis;
  return settings;
}

ZoneRouting zone_routing(const ZoneSide& upstream, const ZoneSide& local, const ZoneSettings& settings,
                         config::EnvoyProfile profile) {
  const bool older = config::before(profile, 28);
  ZoneRouting routing;
  routing.reason = older ? older_obstacle(upstream, local, settings) : obstacle(upstream, local, settings);
  if (routing.reason != NoZoneRouting::applies) {
    return routing;
  }
  routing.scan_includes_boundary = older;
  compute_percentages(routing, upstream, local, settings, profile);
  if (routes_directly(routing, upstream, settings)) {
    routing.state = ZoneState::direct;
    return routing;
  }
  routing.state = ZoneState::residual;
  compute_residual(routing, upstream.has_local_locality);
  return routing;
}

std::vector<double> zone_shares(const ZoneRouting& routing) {
  const std::size_t localities = routing.upstream_percentage.size();
  std::vector<double> shares(localities, 0.0);
  if (routing.state == ZoneState::direct) {
    shares.front() = 1.0;
    return shares;
  }
  const std::uint64_t staying = std::min(scale, routing.local_percent_to_route);
  const double leaving = static_cast<double>(scale - staying) / static_cast<double>(scale);
  shares.front() = static_cast<double>(staying) / static_cast<double>(scale);
  const std::uint64_t last = routing.residual_capacity.back();
  std::uint64_t scanned = 0;
  for (std::size_t index = 0; index < localities; ++index) {
    if (last == 0) {
      shares[index] += leaving / static_cast<double>(localities);
      continue;
    }
    const std::uint64_t boundary = routing.residual_capacity[index] + (routing.scan_includes_boundary ? 1 : 0);
    const std::uint64_t end = std::max(scanned, std::min(last, boundary));
    shares[index] += leaving * static_cast<double>(end - scanned) / static_cast<double>(last);
    scanned = end;
  }
  return shares;
}

}  // namespace spillway::envoy
