#include "sim/scenario/binding/envoy/places.hpp"

#include <cstdint>

#include "models/kuma/endpoint.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

// Returns a name that is not in use, and adds it. Names may contain slashes: `a/b` in region `c` meets `b` in region
// `c/a`.
std::string not_in(std::set<std::string>& names, const std::string& name) {
  std::string fresh = name;
  for (int number = 2; !names.insert(fresh).second; ++number) {
    fresh = name + " #" + std::to_string(number);
  }
  return fresh;
}

// Returns "region/zone/sub_zone".
std::string node_name(const config::Locality& locality) {
  if (locality.empty()) {
    return "-";
  }
  return locality.region + "/" + locality.zone + (locality.sub_zone.empty() ? "" : "/" + locality.sub_zone);
}

}  // namespace

config::NodeIndex Places::node_of(const config::Locality& locality) {
  const auto known = nodes_.find(locality);
  if (known != nodes_.end()) {
    return known->second;
  }
  const config::NodeIndex index{static_cast<std::uint32_t>(scenario_.nodes.size())};
  scenario_.nodes.push_back({node_name(locality), zone_of(locality), locality.sub_zone});
  nodes_.emplace(locality, index);
  return index;
}

void Places::make_names_unique() {
  std::map<std::string, std::uint32_t> regions;  // by name: the number of regions with a zone of it
  for (const Zone& zone : scenario_.zones) {
    ++regions[zone.name];
  }
  std::set<std::string> zone_names;
  for (Zone& zone : scenario_.zones) {
    if (regions[zone.name] > 1) {
      zone.name = name_with_region(zone.region, zone.name);
    }
    zone.name = not_in(zone_names, zone.name);
  }
  std::set<std::string> node_names;
  for (scenario::Node& node : scenario_.nodes) {
    node.name = not_in(node_names, node.name);
  }
}

config::ZoneIndex Places::zone_of(const config::Locality& locality) {
  const config::ZoneIndex next{static_cast<std::uint32_t>(scenario_.zones.size())};
  const auto [zone, fresh] = zones_.emplace(std::pair(locality.region, locality.zone), next);
  if (fresh) {
    scenario_.zones.push_back({locality.zone, locality.region, locality.zone});
  }
  return zone->second;
}

}  // namespace spillway::scenario::envoy_binding
