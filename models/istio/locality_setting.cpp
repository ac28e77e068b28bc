#include "models/istio/locality_setting.hpp"

namespace spillway::istio {

namespace {

// Returns the first entry from the proxy's region; later entries from it do not count.
std::optional<std::size_t> entry_from(const std::string& region,
                                      const std::vector<LocalityLbSetting::Failover>& failover) {
  for (std::size_t entry = 0; entry < failover.size(); ++entry) {
    if (failover[entry].from == region) {
      return entry;
    }
  }
  return std::nullopt;
}

EffectiveSetting locality_or_off(const LocalityLbSetting& setting, SettingSource source) {
  EffectiveSetting effective{.source = source};
  if (setting.enabled.value_or(true)) {
    effective.value = setting;
  }
  return effective;
}

EffectiveSetting zone_aware_setting(const ZoneAwareLbSetting& setting, SettingSource source) {
  return {.value = setting, .source = source, .forced = setting.enabled.value_or(true)};
}

EffectiveSetting of_distribution(TrafficDistribution distribution) {
  LocalityLbSetting setting{.enabled = true, .failoverPriority = {network_label, region_label, zone_label}};
  if (distribution == TrafficDistribution::same_node) {
    setting.failoverPriority.insert(setting.failoverPriority.end(), {subzone_label, hostname_label});
  }
  return {.value = setting, .source = SettingSource::traffic_distribution, .forced = true};
}

EffectiveSetting setting_in_force(const TrafficPolicy* policy, const Service& service, const MeshConfig& mesh,
                                  const Switches& switches) {
  if (policy != nullptr && policy->loadBalancer) {
    const LoadBalancerSettings& balancer = *policy->loadBalancer;
    if (balancer.zoneAwareLbSetting && switches.zone_aware) {
      return zone_aware_setting(*balancer.zoneAwareLbSetting, SettingSource::rule);
    }
    if (balancer.localityLbSetting) {
      return locality_or_off(*balancer.localityLbSetting, SettingSource::rule);
    }
  }
  if (service.distribution != TrafficDistribution::any) {
    return of_distribution(service.distribution);
  }
  if (mesh.zoneAwareLbSetting && switches.zone_aware) {
    return zone_aware_setting(*mesh.zoneAwareLbSetting, SettingSource::mesh);
  }
  return mesh.localityLbSetting ? locality_or_off(*mesh.localityLbSetting, SettingSource::mesh) : EffectiveSetting{};
}

}  // namespace

EffectiveSetting effective_setting(const TrafficPolicy* policy, const Service& service, const MeshConfig& mesh,
                                   const Switches& switches) {
  EffectiveSetting setting = setting_in_force(policy, service, mesh, switches);
  setting.network_preferred = switches.network_preferred;
  return setting;
}

bool locality_matches(const config::Locality& locality, std::string_view pattern) {
  const config::Locality wanted = split_locality(pattern);
  const auto below = [](const std::string& part, const std::string& wanted_part) {
    return wanted_part.empty() || wanted_part == "*" || part == wanted_part;
  };
  return (wanted.region == "*" || locality.region == wanted.region) && below(locality.zone, wanted.zone) &&
         below(locality.sub_zone, wanted.sub_zone);
}

LocalityDistance distance(const config::Locality& proxy, const config::Locality& endpoint,
                          const std::vector<LocalityLbSetting::Failover>& failover) {
  if (proxy.region == endpoint.region) {
    if (proxy.zone != endpoint.zone) {
      return {.priority = 2};
    }
    return {.priority = proxy.sub_zone == endpoint.sub_zone ? 0U : 1U};
  }
  const auto entry = entry_from(proxy.region, failover);
  return {.priority = entry && failover[*entry].to != endpoint.region ? 4U : 3U, .entry = entry};
}

LocalityDistance region_distance(const config::Locality& proxy, const config::Locality& endpoint,
                                 const std::vector<LocalityLbSetting::Failover>& failover) {
  if (proxy.region == endpoint.region) {
    return {.priority = 0};
  }
  const auto entry = entry_from(proxy.region, failover);
  return {.priority = entry && failover[*entry].to == endpoint.region ? 1U : 2U, .entry = entry};
}

}  // namespace spillway::istio
