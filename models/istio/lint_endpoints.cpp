// Lints of endpoints: weights and localities of WorkloadEntries next to pods, and slices written by hand.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "models/istio/lint_parts.hpp"
#include "models/istio/lints.hpp"
#include "models/istio/registry.hpp"

namespace spillway::istio {

namespace {

bool is_from(const Endpoint& endpoint, const char* kind) {
  return endpoint.source.starts_with(kind);
}

const WorkloadEntry* entry_of(const Endpoint& endpoint, const Documents& documents) {
  const auto found = std::find_if(
      documents.workload_entries.begin(), documents.workload_entries.end(), [&](const WorkloadEntry& entry) {
        return endpoint.source == "WorkloadEntry " + entry.meta.name_space + "/" + entry.meta.name;
      });
  return found == documents.workload_entries.end() ? nullptr : &*found;
}

void lint_entries_beside_pods(const Service& service, const Documents& documents, std::vector<Lint>& lints) {
  const bool pods = std::any_of(service.endpoints.begin(), service.endpoints.end(),
                                [](const Endpoint& endpoint) { return is_from(endpoint, "Pod "); });
  if (!pods) {
    return;
  }
  for (const Endpoint& endpoint : service.endpoints) {
    const WorkloadEntry* const entry = is_from(endpoint, "WorkloadEntry ") ? entry_of(endpoint, documents) : nullptr;
    if (entry == nullptr) {
      continue;
    }
    if (entry->weight > 1) {
      lints.push_back({.number = 21,
                       .document = entry->meta.age,
                       .path = "spec.weight",
                       .message = "a pod of " + service.hostname + " counts 1: this one gets the requests of " +
                                  std::to_string(entry->weight) + " pods"});
    }
    const auto twin = std::find_if(service.endpoints.begin(), service.endpoints.end(), [&](const Endpoint& other) {
      return other.locality != endpoint.locality && split_locality(other.locality) == split_locality(endpoint.locality);
    });
    if (twin != service.endpoints.end()) {
      lints.push_back(
          {.number = 22,
           .document = entry->meta.age,
           .path = "spec.locality",
           .message = "a group separate from " + twin->locality +
                      " of the pods: where localities have weights, Envoy uses that of the last group alone; "
                      "write " +
                      twin->locality});
    }
  }
}

void lint_slice(const EndpointSlice& slice, std::vector<Lint>& lints) {
  for (std::size_t endpoint = 0; endpoint < slice.endpoints.size(); ++endpoint) {
    const EndpointSlice::Endpoint& written = slice.endpoints[endpoint];
    if (!written.ready.value_or(true) && !written.terminating) {
      lints.push_back({.number = 24,
                       .document = slice.meta.age,
                       .path = at("endpoints", endpoint) + ".conditions",
                       .message = "not ready and without `terminating`: it counts as terminating and is left out, not "
                                  "sent as UNHEALTHY"});
    }
  }
}

}  // namespace

void lint_endpoints(const LintRequest& request, std::vector<Lint>& lints) {
  if (!request.documents->workload_entries.empty()) {
    for (const Service& service : request.registry->services) {
      lint_entries_beside_pods(service, *request.documents, lints);
    }
  }
  for (const KubernetesCluster& cluster : request.documents->clusters) {
    for (const EndpointSlice& slice : cluster.slices) {
      lint_slice(slice, lints);
    }
  }
}

}  // namespace spillway::istio
