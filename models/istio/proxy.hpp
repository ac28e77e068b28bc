// One proxy: what it says of itself, and what istiod takes it for.
//
//   Proxy proxy = known({.name_space = "shop", .locality = {"r1", "z1", ""}}, documents);
//   proxy.labels.at(region_label);   // "r1"
//
// Source: docs/behaviour/istio.md 1.1; istiod's pilot/pkg/xds/ads.go (setTopologyLabels), pilot/pkg/model/context.go.
#pragma once

#include <string>

#include "models/config/locality.hpp"
#include "models/istio/names.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

struct Proxy {
  std::string name_space = "default";
  config::Locality locality = {};  // of the bootstrap; then what istiod found
  Labels labels = {};              // that it reports; then with what istiod knows
  std::string node = {};
  std::string network = {};
  std::string cluster = default_cluster;
  std::string pod = {};  // its pod in that namespace; "": none that is known
  bool router = false;   // a gateway
};

// The proxy with its locality and labels as istiod completes them. O(pods + nodes).
[[nodiscard]] Proxy known(Proxy proxy, const Documents& documents);

// The locality of a pod: its own label, else its node's labels, always with two slashes then; "": none.
[[nodiscard]] std::string locality_of_pod(const Pod& pod, const KubernetesCluster& cluster);

}  // namespace spillway::istio
