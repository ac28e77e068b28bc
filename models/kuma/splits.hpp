// The split of requests over clusters by a rule of a MeshHTTPRoute or MeshTCPRoute.
//
//   auto parts = splits(rule.backendRefs, destination, release_2_14);
//   parts[0].share;                            // 0.5
//   of_subset(endpoints, parts[0].tags);       // the list that the part's own assignment starts from
//
// Each part is a cluster of its own, and the policy of the part's destination acts on it independently. A part whose
// endpoints are all dropped keeps its share and fails; no request is sent elsewhere.
// Source: docs/behaviour/kuma.md 11; Kuma's xds/cache/cla.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/assign.hpp"
#include "models/kuma/backend_ref.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/references.hpp"

namespace spillway::kuma {

// A weighted cluster of a route.
struct Split {
  DestinationModel model = DestinationModel::tag;
  std::string name = {};
  std::string name_space = {};
  ReferenceOrigin origin = {};
  Tags labels = {};  // select the resource, if it is not named
  Tags tags = {};    // of a subset (2.14)
  std::string sectionName = {};
  std::optional<std::uint32_t> port = {};
  double share = 1.0;        // of the requests that match the rule
  std::uint32_t weight = 1;  // as written

  friend bool operator==(const Split&, const Split&) = default;
};

// Returns the parts in the order of the references. Parts of weight 0 are left out; if none is left, the requests fail.
// A rule without references routes to `destination`, its `to` target.
[[nodiscard]] std::vector<Split> splits(std::span<const BackendRef> backendRefs, const BackendRef& destination,
                                        config::KumaProfile profile);

// Returns the endpoints that have all of the tags.
[[nodiscard]] std::vector<Endpoint> of_subset(std::span<const Endpoint> endpoints, const Tags& tags);

}  // namespace spillway::kuma
