// Groups of pods that one workload makes from one template, in one locality: any of them can stand for another. Their
// numbers can be changed, as if a scheduler had started or stopped pods there.
//
//   std::vector<PodGroup> groups = pod_groups(documents);
//   groups[0].kind;                       // "Deployment"
//   groups[0].name;                       // "frontend", of the ReplicaSet frontend-7d9f
//   set_pods(groups, {4, 3, 3}, documents);
//
// Source: docs/behaviour/istio.md 2; the names of ReplicaSets and the label pod-template-hash are those of Kubernetes'
// Deployment controller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/istio/resources.hpp"

namespace spillway::istio {

struct PodGroup {
  std::string kind = {};  // of the workload; empty if the documents do not name it
  std::string name = {};  // of the workload; else the value of the label `app`, or the service that lists pods without
                          // labels, or the name of a pod without its number
  std::string name_space = {};
  std::string cluster = {};
  std::string locality = {};
  std::vector<std::string> pods = {};  // names, in the order of the documents
};

// Returns the groups in the order of their first pods. Pods of different labels are in different groups, except for
// labels that a controller gives to each pod or revision. Pods of DaemonSets and Jobs are in none.
[[nodiscard]] std::vector<PodGroup> pod_groups(const Documents& documents);

// Sets the number of each group's pods. The last ones go first. New ones are copies of the group's pods in turn, on
// their nodes and in their slices, with names and addresses of their own. Precondition: `groups` are those of
// `documents`; afterwards they have the new pods. Groups without pods stay as they are.
void set_pods(std::vector<PodGroup>& groups, const std::vector<std::uint32_t>& numbers, Documents& documents);

}  // namespace spillway::istio
