#include "models/istio/pod_groups.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/istio/names.hpp"
#include "models/istio/proxy.hpp"

namespace spillway::istio {
namespace {

constexpr const char* hash_label = "pod-template-hash";
// Labels of single pods and revisions, by Kubernetes' controllers.
constexpr std::array<const char*, 4> passing_labels = {
    hash_label, "controller-revision-hash", "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"};
constexpr std::array<const char*, 3> naming_labels = {"app.kubernetes.io/name", "app", "k8s-app"};

struct Workload {
  std::string kind;
  std::string name;
};

// Returns the text before its last "-" and the word; empty if it does not end so.
std::string without_suffix(const std::string& text, const std::string& word) {
  const std::string suffix = "-" + word;
  return !word.empty() && text.size() > suffix.size() && text.ends_with(suffix)
             ? text.substr(0, text.size() - suffix.size())
             : std::string();
}

// By namespace and name of a pod: a Service that lists it.
using ServicesOfPods = std::map<std::pair<std::string_view, std::string_view>, std::string_view>;

ServicesOfPods services_of_pods(const KubernetesCluster& cluster) {
  ServicesOfPods services;
  for (const EndpointSlice& slice : cluster.slices) {
    const std::string& service = value_of(slice.meta.labels, service_name_label);
    for (const EndpointSlice::Endpoint& endpoint : slice.endpoints) {
      services.try_emplace(
          {endpoint.pod_namespace.empty() ? slice.meta.name_space : endpoint.pod_namespace, endpoint.pod}, service);
    }
  }
  return services;
}

// Returns the workload of a pod. The owner of a Deployment's pod is a ReplicaSet, named for it and the hash of its
// template.
Workload workload_of(const Pod& pod, const ServicesOfPods& services) {
  const auto& [kind, owner] = pod.meta.owner;
  const std::string& hash = value_of(pod.meta.labels, hash_label);
  if (kind == "ReplicaSet") {
    const std::string deployment = without_suffix(owner, hash);
    return deployment.empty() ? Workload{kind, owner} : Workload{"Deployment", deployment};
  }
  if (!kind.empty()) {
    return {kind, owner};
  }
  const std::size_t hash_at = hash.empty() ? std::string::npos : pod.meta.name.find("-" + hash);
  if (hash_at != std::string::npos && hash_at > 0) {
    return {"Deployment", pod.meta.name.substr(0, hash_at)};
  }
  for (const char* const label : naming_labels) {
    if (const std::string& name = value_of(pod.meta.labels, label); !name.empty()) {
      return {"", name};
    }
  }
  const auto service = services.find({pod.meta.name_space, pod.meta.name});
  if (pod.meta.labels.empty() && service != services.end() && !service->second.empty()) {
    return {"", std::string(service->second)};
  }
  const std::size_t end = pod.meta.name.find_last_not_of("0123456789");
  const bool is_numbered = end != std::string::npos && end > 0 && pod.meta.name[end] == '-';
  return {"", is_numbered ? pod.meta.name.substr(0, end) : pod.meta.name};
}

Labels lasting_labels(Labels labels) {
  for (const char* const label : passing_labels) {
    labels.erase(label);
  }
  return labels;
}

KubernetesCluster* cluster_named(Documents& documents, const std::string& name) {
  const auto found = std::find_if(documents.clusters.begin(), documents.clusters.end(),
                                  [&](const KubernetesCluster& cluster) { return cluster.name == name; });
  return found == documents.clusters.end() ? nullptr : &*found;
}

// Gives out names and addresses that no pod has.
class NewPods {
 public:
  explicit NewPods(const Documents& documents) {
    for (const KubernetesCluster& cluster : documents.clusters) {
      for (const Pod& pod : cluster.pods) {
        taken_.insert(pod.podIP);
        taken_.insert(pod.meta.name);
      }
    }
  }

  Pod copy_of(const Pod& pod, const std::string& workload) {
    Pod copy = pod;
    do {
      copy.meta.name = workload + "-added-" + std::to_string(++names_[workload]);
    } while (!taken_.insert(copy.meta.name).second);
    do {
      ++addresses_;
      // Class E: no network uses these addresses.
      copy.podIP = "240." + std::to_string(addresses_ >> 16U & 255U) + "." + std::to_string(addresses_ >> 8U & 255U) +
                   "." + std::to_string(addresses_ & 255U);
    } while (!taken_.insert(copy.podIP).second);
    return copy;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::uint32_t> names_;
  std::uint32_t addresses_ = 0;
};

bool is_of(const EndpointSlice::Endpoint& endpoint, const EndpointSlice& slice, const Pod& pod) {
  const std::string& name_space = endpoint.pod_namespace.empty() ? slice.meta.name_space : endpoint.pod_namespace;
  return endpoint.pod == pod.meta.name && name_space == pod.meta.name_space;
}

void add_copy(KubernetesCluster& cluster, std::size_t original, Pod copy) {
  for (EndpointSlice& slice : cluster.slices) {
    const auto listed = std::find_if(slice.endpoints.begin(), slice.endpoints.end(),
                                     [&](const auto& of) { return is_of(of, slice, cluster.pods[original]); });
    if (listed != slice.endpoints.end()) {
      EndpointSlice::Endpoint endpoint = *listed;
      endpoint.pod = copy.meta.name;
      endpoint.addresses = {copy.podIP};
      slice.endpoints.insert(std::next(listed), std::move(endpoint));
    }
  }
  cluster.pods.insert(std::next(cluster.pods.begin(), static_cast<std::ptrdiff_t>(original) + 1), std::move(copy));
}

void remove(KubernetesCluster& cluster, std::size_t position) {
  for (EndpointSlice& slice : cluster.slices) {
    std::erase_if(slice.endpoints, [&](const auto& of) { return is_of(of, slice, cluster.pods[position]); });
  }
  cluster.pods.erase(std::next(cluster.pods.begin(), static_cast<std::ptrdiff_t>(position)));
}

// Returns the position of the group's pod in its cluster; the number of pods if it is missing.
std::size_t position_of(const KubernetesCluster& cluster, const PodGroup& group, const std::string& pod) {
  return static_cast<std::size_t>(
      std::find_if(cluster.pods.begin(), cluster.pods.end(),
                   [&](const Pod& of) { return of.meta.name == pod && of.meta.name_space == group.name_space; }) -
      cluster.pods.begin());
}

}  // namespace

std::vector<PodGroup> pod_groups(const Documents& documents) {
  constexpr std::array<std::string_view, 3> not_scaled = {"DaemonSet", "Job", "Node"};
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, Labels>;
  std::map<Key, std::size_t> known;
  std::vector<PodGroup> groups;
  for (const KubernetesCluster& cluster : documents.clusters) {
    const ServicesOfPods services = services_of_pods(cluster);
    for (const Pod& pod : cluster.pods) {
      const Workload of = workload_of(pod, services);
      const std::string locality = locality_of_pod(pod, cluster);
      if (std::find(not_scaled.begin(), not_scaled.end(), of.kind) != not_scaled.end()) {
        continue;
      }
      Labels labels = lasting_labels(pod.meta.labels);
      const bool by_labels = of.kind.empty() && !labels.empty();
      const auto [place, is_new] = known.try_emplace({cluster.name, pod.meta.name_space, of.kind,
                                                      by_labels ? std::string() : of.name, locality, std::move(labels)},
                                                     groups.size());
      if (is_new) {
        groups.push_back({of.kind, of.name, pod.meta.name_space, cluster.name, locality, {}});
      }
      groups[place->second].pods.push_back(pod.meta.name);
    }
  }
  return groups;
}

void set_pods(std::vector<PodGroup>& groups, const std::vector<std::uint32_t>& numbers, Documents& documents) {
  NewPods fresh(documents);
  for (std::size_t index = 0; index < groups.size(); ++index) {
    PodGroup& group = groups[index];
    KubernetesCluster* const cluster = cluster_named(documents, group.cluster);
    if (cluster == nullptr || group.pods.empty()) {
      continue;
    }
    const std::size_t originals = group.pods.size();
    for (std::size_t copies = 0; group.pods.size() < numbers[index]; ++copies) {
      // Each copy stands behind its original, and the copies of one original in reverse order.
      const std::size_t original = position_of(*cluster, group, group.pods[copies % originals]);
      Pod copy = fresh.copy_of(cluster->pods[original], group.name);
      group.pods.push_back(copy.meta.name);
      add_copy(*cluster, original, std::move(copy));
    }
    while (group.pods.size() > numbers[index]) {
      remove(*cluster, position_of(*cluster, group, group.pods.back()));
      group.pods.pop_back();
    }
  }
}

}  // namespace spillway::istio
