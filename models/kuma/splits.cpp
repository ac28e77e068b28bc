#include "models/kuma/splits.hpp"

#include <algorithm>
#include <iterator>

namespace spillway::kuma {

namespace {

// Returns the model of the destination. In 2.14 a MeshService without a port is the value of kuma.io/service of that
// name.
DestinationModel model_of(const BackendRef& reference, config::KumaProfile profile) {
  const std::string_view kind = value_of(reference.targetRef.kind);
  if (kind == "MeshMultiZoneService") {
    return DestinationModel::mesh_multi_zone_service;
  }
  if (kind == "MeshExternalService") {
    return DestinationModel::mesh_external_service;
  }
  const bool names_port = reference.port || !value_of(reference.targetRef.sectionName).empty();
  const bool real = kind == "MeshService" && (names_port || profile == config::KumaProfile::head);
  return real ? DestinationModel::mesh_service : DestinationModel::tag;
}

}  // namespace

std::vector<Split> splits(std::span<const BackendRef> backendRefs, const BackendRef& destination,
                          config::KumaProfile profile) {
  if (backendRefs.empty()) {
    backendRefs = {&destination, 1};
  }
  double sum = 0.0;
  for (const BackendRef& reference : backendRefs) {
    sum += reference.weight.value_or(1);
  }
  std::vector<Split> parts;
  for (const BackendRef& reference : backendRefs) {
    const std::uint32_t weight = reference.weight.value_or(1);
    if (weight > 0) {
      const TargetRef& target = reference.targetRef;
      parts.push_back({model_of(reference, profile), std::string(value_of(target.name)),
                       std::string(value_of(target.namespace_)), reference.origin, target.labels.value_or(Tags{}),
                       target.tags.value_or(Tags{}), std::string(value_of(target.sectionName)), reference.port,
                       weight / sum, weight});
    }
  }
  return parts;
}

std::vector<Endpoint> of_subset(std::span<const Endpoint> endpoints, const Tags& tags) {
  std::vector<Endpoint> subset;
  std::copy_if(endpoints.begin(), endpoints.end(), std::back_inserter(subset),
               [&tags](const Endpoint& endpoint) { return has_all(endpoint.tags, tags); });
  return subset;
}

}  // namespace spillway::kuma
