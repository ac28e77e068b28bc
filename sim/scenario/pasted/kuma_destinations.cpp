#include "sim/scenario/pasted/kuma_destinations.hpp"

#include <fmt/format.h>
#include <utility>

#include "sim/scenario/pasted/dataplane_zones.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr const char* display_name = "kuma.io/display-name";

Json service_document(const KumaDestination& destination, const char* kind, Json spec, const std::string& zone) {
  Json labels(destination.labels);
  labels[display_name] = destination.name;
  if (!zone.empty()) {
    labels[zone_tag] = zone;
  }
  if (destination.name_space.empty()) {
    return {{"type", kind},
            {"name", destination.name},
            {"mesh", destination.mesh},
            {"labels", labels},
            {"spec", std::move(spec)}};
  }
  labels["kuma.io/mesh"] = destination.mesh;
  return {{"apiVersion", "kuma.io/v1alpha1"},
          {"kind", kind},
          {"metadata", {{"name", destination.name}, {"namespace", destination.name_space}, {"labels", labels}}},
          {"spec", std::move(spec)}};
}

}  // namespace

std::string KumaDestination::called_from(const std::string& zone) const {
  if (!multi_zone) {
    return name + ".svc." + zone;
  }
  return name + ".mzsvc" + (ports.size() > 1 ? ":" + child(ports.front(), "port").dump() : "");
}

bool is_real_destination(const Json& reference) {
  const std::string kind = text_of(reference, "kind");
  if (kind != "MeshService") {
    return kind == "MeshMultiZoneService";
  }
  for (const char* const key : {"labels", "namespace", "sectionName", "port"}) {
    if (reference.contains(key)) {
      return true;
    }
  }
  return false;
}

std::vector<Json> documents_of(const KumaDestination& destination, const std::map<std::string, std::size_t>& pods,
                               const std::vector<std::string>& affinity_keys, std::size_t& addresses) {
  std::vector<Json> all;
  Json ports(destination.ports);
  if (ports.empty()) {
    ports = Json::array({{{"port", destination.port}, {"name", "http"}, {"appProtocol", "http"}}});
  }
  if (destination.multi_zone && !destination.is_written) {
    Labels members = destination.labels;
    members[display_name] = destination.name;
    all.push_back(service_document(destination, "MeshMultiZoneService",
                                   {{"selector", {{"meshService", {{"matchLabels", members}}}}}, {"ports", ports}},
                                   ""));
  }
  for (const auto& [zone, count] : pods) {
    all.push_back(service_document(
        destination, "MeshService",
        {{"selector", {{"dataplaneTags", {{service_tag, destination.name}}}}}, {"ports", ports}}, zone));
    for (std::size_t number = 1; number <= count; ++number) {
      Json tags{{service_tag, destination.name}, {zone_tag, zone}, {"kuma.io/protocol", "http"}};
      for (const std::string& key : affinity_keys) {
        if (key != zone_tag) {
          tags[key] = fmt::format("{}-{}", zone, number);
        }
      }
      Json inbounds = Json::array();
      for (const Json& port : ports) {
        inbounds.push_back({{"port", child(port, "port")}, {"tags", tags}});
      }
      ++addresses;
      constexpr std::size_t in_block = 250;
      all.push_back({{"type", "Dataplane"},
                     {"name", fmt::format("{}-{}-{}", destination.name, zone, number)},
                     {"mesh", destination.mesh},
                     {"networking",
                      {{"address", fmt::format("10.{}.{}.{}", 200 + addresses / in_block / in_block,
                                               addresses / in_block % in_block, 1 + addresses % in_block)},
                       {"inbound", inbounds}}}});
    }
  }
  return all;
}

}  // namespace spillway::scenario::pasted
