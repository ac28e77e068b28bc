// How a rule of a MeshHTTPRoute or MeshTCPRoute divides requests over clusters.
//
//   auto parts = splits(rule.backendRefs, destination, release_2_14);
//   parts[0].share;                            // 0.5
//   of_subset(endpoints, parts[0].tags);       // the list that the part's own assignment starts from
//
// Each part is a cluster of its own, on which the policy of the destination that it leads to acts independently: one
// whose endpoints are all dropped keeps its share and fails, nothing is sent elsewhere.
// Source: docs/behaviour/kuma.md 11; Kuma's api/common/v1alpha1.BackendRef, xds/cache/cla.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"
#include "models/kuma/references.hpp"

namespace spillway::kuma {

struct BackendRef {
  TargetRef targetRef = {};
  std::optional<std::uint32_t> weight = {};  // absent: 1
  std::optional<std::uint32_t> port = {};
  ReferenceOrigin origin = {};  // of the policy

  friend bool operator==(const BackendRef&, const BackendRef&) = default;
};

// One weighted cluster of a route.
struct Split {
  DestinationModel model = DestinationModel::tag;
  std::string name = {};
  std::string name_space = {};
  ReferenceOrigin origin = {};
  Tags labels = {};  // that select the resource, if it is not named
  Tags tags = {};    // of a subset (2.14)
  std::string sectionName = {};
  std::optional<std::uint32_t> port = {};
  double share = 1.0;        // of the requests that take the rule
  std::uint32_t weight = 1;  // as it is written

  friend bool operator==(const Split&, const Split&) = default;
};

// In the order of the references; those of weight 0 are left out, and if nothing is left the requests fail. A rule
// without references leads to `destination`, its `to` target.
[[nodiscard]] std::vector<Split> splits(std::span<const BackendRef> backendRefs, const BackendRef& destination,
                                        config::KumaProfile profile);

// The endpoints that have all of the tags.
[[nodiscard]] std::vector<Endpoint> of_subset(std::span<const Endpoint> endpoints, const Tags& tags);

}  // namespace spillway::kuma
