// Adds the Kubernetes Services of every cluster, with the endpoints of their slices and the WorkloadEntries that they
// select.
//
// Source: docs/behaviour/istio.md 2; istiod's pilot/pkg/serviceregistry/kube/controller (endpointslice.go,
// endpoint_builder.go, controller.go).
#pragma once

#include <string>

#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

void add_kubernetes_services(const Documents& documents, Registry& registry);

// Returns the first setting among the Service's field, its annotation and its namespace's annotation.
// `namespace_annotations` is null if there is no such object.
[[nodiscard]] TrafficDistribution distribution_of(const std::string& field, const Labels& annotations,
                                                  const Labels* namespace_annotations);

// Returns the workload's network label, else the network of its registry.
[[nodiscard]] std::string network_of(const Labels& labels, const std::string& cluster, const Documents& documents);

// Returns the annotations of a namespace in the config cluster; null if the namespace is not among the documents.
[[nodiscard]] const Labels* annotations_of_namespace(const KubernetesCluster& cluster, const std::string& name_space);

// Returns an endpoint of a pod, without address and port.
[[nodiscard]] Endpoint endpoint_of_pod(const Pod& pod, const KubernetesCluster& cluster, const Documents& documents);

// Returns an endpoint of a WorkloadEntry or of one in a ServiceEntry, without port.
[[nodiscard]] Endpoint endpoint_of_entry(const WorkloadEntry& entry, const Documents& documents);

}  // namespace spillway::istio
