// Which documents made a view, with their places.
#include <memory>
#include <string>
#include <variant>

#include "models/istio/lint_parts.hpp"
#include "sim/scenario/istio/world.hpp"
#include "sim/scenario/kuma/field_path.hpp"

namespace spillway::scenario::istio_documents {

namespace {

// The path of the locality setting that counts for a port and subset, where the rule says it.
std::string setting_path(const istio::DestinationRule& rule, const std::string& subset, std::uint32_t port) {
  std::string path;
  for (const istio::PolicySite& site : istio::sites_of(rule)) {
    const auto& balancer = site.own->loadBalancer;
    if (balancer && (balancer->localityLbSetting || balancer->zoneAwareLbSetting) &&
        (site.subset.empty() || site.subset == subset) && (site.port == 0 || site.port == port)) {
      path = site.path + ".loadBalancer." + (balancer->zoneAwareLbSetting ? "zoneAwareLbSetting" : "localityLbSetting");
    }
  }
  return path;
}

bool needs_outlier_detection(const istio::EffectiveSetting& setting) {
  const auto* const locality = std::get_if<istio::LocalityLbSetting>(&setting.value);
  return locality != nullptr && locality->distribute.empty() && !setting.forced;
}

}  // namespace

std::shared_ptr<const IstioTrail> Views::trail_of(const istio::ViewLintRequest& made) const {
  IstioTrail trail;
  const Documents& documents = world_->documents;
  const istio::LoadAssignment& assignment = *made.cluster->assignment;
  trail.step = made.found.step;
  trail.setting = assignment.setting;
  trail.distribute_entry = assignment.distribute_entry;
  trail.client = made.proxy->locality;
  trail.left_out = assignment.left_out;
  trail.acts = !needs_outlier_detection(trail.setting) || (made.policy != nullptr && made.policy->outlierDetection);
  for (const istio::AssignedLocality& group : assignment.localities) {
    trail.groups.push_back(group.placement);
  }
  if (made.found.rule != nullptr) {
    for (const std::size_t position : made.found.rule->from) {
      const Origin& origin = documents.rules[position];
      trail.rules.push_back({origin.meta.name_space + "/" + origin.meta.name, origin.where});
    }
  }
  if (trail.setting.source == istio::SettingSource::rule && made.found.rule != nullptr) {
    const std::string path = setting_path(made.found.rule->rule, made.cluster->subset, made.port);
    trail.setting_at = kuma_documents::place_of(*documents.rules[made.found.rule->from.front()].node, path);
  } else if (const auto mesh = documents.by_age.find(0);
             trail.setting.source == istio::SettingSource::mesh && mesh != documents.by_age.end()) {
    trail.setting_at = kuma_documents::place_of(*mesh->second.node, "spec.meshConfig.localityLbSetting");
  }
  return std::make_shared<const IstioTrail>(std::move(trail));
}

}  // namespace spillway::scenario::istio_documents
