// Finds the documents that a view was derived from, with their places.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "models/istio/cluster.hpp"
#include "models/istio/lint_parts.hpp"
#include "models/istio/locality_setting.hpp"
#include "models/istio/trail.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/views.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::scenario::istio_binding {

namespace {

// Returns the path of the effective locality setting for a port and subset, if the rule has it.
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

// Returns the path of `field` in the policy that sets it for a port and subset; empty if none does.
template <class Says>
std::string path_of_setting(const istio::DestinationRule& rule, const std::string& subset, std::uint32_t port,
                            const char* field, const Says& says) {
  std::string path;
  for (const istio::PolicySite& site : istio::sites_of(rule)) {
    if (says(*site.own) && (site.subset.empty() || site.subset == subset) && (site.port == 0 || site.port == port)) {
      path = site.path + field;
    }
  }
  return path;
}

bool needs_outlier_detection(const istio::EffectiveSetting& setting) {
  const auto* const locality = std::get_if<istio::LocalityLbSetting>(&setting.value);
  return locality != nullptr && locality->distribute.empty() && !setting.forced;
}

}  // namespace

std::shared_ptr<const istio::IstioTrail> Views::trail_of(const istio::ViewLintRequest& made) const {
  istio::IstioTrail trail;
  const istio::LocatedDocuments& documents = mesh_->documents;
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
      const istio::Origin& origin = documents.rules[position];
      trail.rules.push_back({origin.meta.name_space + "/" + origin.meta.name, origin.where});
    }
  }
  if (trail.setting.source == istio::SettingSource::rule && made.found.rule != nullptr) {
    const std::string path = setting_path(made.found.rule->rule, made.cluster->subset, made.port);
    trail.setting_at = kuma::place_of(*documents.rules[made.found.rule->from.front()].node, path);
  } else if (const auto mesh = documents.by_age.find(0);
             trail.setting.source == istio::SettingSource::mesh && mesh != documents.by_age.end()) {
    trail.setting_at = kuma::place_of(*mesh->second.node, "spec.meshConfig.localityLbSetting");
  }
  return std::make_shared<const istio::IstioTrail>(std::move(trail));
}

void Views::note_settings(config::ServiceIndex view, const istio::ViewLintRequest& made) {
  if (made.found.rule == nullptr) {
    return;
  }
  const documents::Node& document = *mesh_->documents.rules[made.found.rule->from.front()].node;
  const auto place = [&](const char* field, const auto& says) -> std::optional<Span> {
    const std::string path = path_of_setting(made.found.rule->rule, made.cluster->subset, made.port, field, says);
    return path.empty() ? std::nullopt : std::optional(kuma::place_of(document, path));
  };
  messages::SettingPlaces places{.names = {.max_ejection_percent = "maxEjectionPercent",
                                           .enforced_detection = "consecutive5xxErrors: 5",
                                           .max_requests = "http2MaxRequests",
                                           .health_checks = nullptr,
                                           .always_eject_one_host = false,
                                           .panic_threshold = false,
                                           .no_local_cluster =
                                               "istiod names a proxy's own cluster only with self-discovery: set the "
                                               "proxy's metadata ENABLE_SELF_DISCOVERY, and `local_cluster` here"}};
  places.max_ejection_percent = place(".outlierDetection.maxEjectionPercent", [](const istio::TrafficPolicy& policy) {
    return policy.outlierDetection && policy.outlierDetection->maxEjectionPercent > 0;
  });
  places.outlier_detection = places.max_ejection_percent;
  if (!places.outlier_detection) {
    places.outlier_detection = place(
        ".outlierDetection", [](const istio::TrafficPolicy& policy) { return policy.outlierDetection.has_value(); });
  }
  const auto balancer = [&](const char* field, const auto& says) {
    return place(field, [&](const istio::TrafficPolicy& policy) {
      return policy.loadBalancer.has_value() && says(*policy.loadBalancer);
    });
  };
  places.zone_aware = balancer(".loadBalancer.zoneAwareLbSetting", [](const istio::LoadBalancerSettings& own) {
    return own.zoneAwareLbSetting.has_value();
  });
  if (!made.cluster->zone_aware || made.cluster->zone_aware->routing_disabled) {
    places.zone_aware.reset();
  }
  places.lb_policy = balancer(".loadBalancer.consistentHash",
                              [](const istio::LoadBalancerSettings& own) { return own.consistentHash.has_value(); });
  places.no_hash =
      "a port that is not HTTP hashes the client's address at most (useSourceIp): headers, cookies and query "
      "parameters are not seen there";
  const auto limit = place(".connectionPool.http.http2MaxRequests", [](const istio::TrafficPolicy& policy) {
    return policy.connectionPool && policy.connectionPool->http && policy.connectionPool->http->http2MaxRequests > 0;
  });
  places.thresholds = {{.max_requests = limit}};
  const std::array written{places.outlier_detection, limit, places.lb_policy, places.zone_aware};
  const auto* const first =
      std::find_if(written.begin(), written.end(), [](const auto& one) { return one.has_value(); });
  if (first != written.end()) {
    places.whole = **first;
    setting_places_.emplace_back(view, std::move(places));
  }
}

}  // namespace spillway::scenario::istio_binding
