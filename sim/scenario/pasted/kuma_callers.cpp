#include "sim/scenario/pasted/kuma_callers.hpp"

#include <algorithm>

#include "sim/scenario/pasted/dataplane_zones.hpp"

namespace spillway::scenario::pasted {

std::vector<KumaCallers> kuma_callers(const std::vector<Labels>& inbounds, const std::vector<std::string>& zones,
                                      const std::string& from) {
  std::vector<KumaCallers> all;
  for (const Labels& tags : inbounds) {
    const auto service = tags.find(service_tag);
    const auto zone = tags.find(zone_tag);
    if (service == tags.end() || service->second != from || zone == tags.end()) {
      continue;
    }
    const auto known = std::find_if(all.begin(), all.end(), [&](const KumaCallers& one) { return one.tags == tags; });
    if (known != all.end()) {
      ++known->count;
    } else {
      all.push_back({.zone = zone->second, .tags = tags});
    }
  }
  const bool from_zone = std::find(zones.begin(), zones.end(), from) != zones.end();
  for (const std::string& zone : all.empty() ? zones : std::vector<std::string>{}) {
    if (!from_zone || zone == from) {
      all.push_back({.zone = zone});
    }
  }
  return all;
}

}  // namespace spillway::scenario::pasted
