#include "models/istio/proxy.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace spillway::istio {

namespace {

const std::string& first_of(const Labels& labels, const char* name, const char* old_name) {
  const std::string& value = value_of(labels, name);
  return value.empty() ? value_of(labels, old_name) : value;
}

template <class Object>
const Object* named(const std::vector<Object>& objects, const std::string& name) {
  const auto found =
      std::find_if(objects.begin(), objects.end(), [&](const Object& object) { return object.meta.name == name; });
  return found == objects.end() ? nullptr : &*found;
}

// Replaces the labels that the proxy reports by its pod's labels, if the registry contains the pod.
void take_pod(Proxy& proxy, const Documents& documents) {
  for (const KubernetesCluster& cluster : documents.clusters) {
    for (const Pod& pod : cluster.pods) {
      if (cluster.name == proxy.cluster && pod.meta.name == proxy.pod && pod.meta.name_space == proxy.name_space) {
        proxy.labels = augmented(pod.meta.labels, "", locality_of_pod(pod, cluster), "", "");
      }
    }
  }
}

}  // namespace

std::string locality_of_pod(const Pod& pod, const KubernetesCluster& cluster) {
  if (const std::string& label = locality_of(pod.meta.labels); !label.empty()) {
    return with_slashes(label);
  }
  const Node* const node = named(cluster.nodes, pod.nodeName);
  if (node == nullptr) {
    return "";
  }
  const std::string& region = first_of(node->meta.labels, region_label, old_region_label);
  const std::string& zone = first_of(node->meta.labels, zone_label, old_zone_label);
  const std::string& sub_zone = value_of(node->meta.labels, subzone_label);
  if (region.empty() && zone.empty() && sub_zone.empty()) {
    return "";
  }
  return region + "/" + zone + "/" + sub_zone;
}

Proxy known(Proxy proxy, const Documents& documents) {
  if (!proxy.pod.empty()) {
    take_pod(proxy, documents);
  }
  const auto given = [&](const char* label) { return proxy.labels.contains(label); };
  if (given(region_label) || given(zone_label) || given(subzone_label)) {
    proxy.locality = {value_of(proxy.labels, region_label), value_of(proxy.labels, zone_label),
                      value_of(proxy.labels, subzone_label)};
  } else if (const std::string& label = locality_of(proxy.labels); !label.empty()) {
    proxy.locality = split_locality(label);
  }
  const std::string locality = proxy.locality.region + "/" + proxy.locality.zone + "/" + proxy.locality.sub_zone;
  proxy.labels = augmented(std::move(proxy.labels), proxy.cluster, locality, proxy.node, proxy.network);
  return proxy;
}

}  // namespace spillway::istio
