// A proxy: the properties that it reports, completed by those that istiod knows.
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
  config::Locality locality = {};  // of the bootstrap; after known(), as istiod found it
  Labels labels = {};              // as reported; after known(), with those that istiod adds
  std::string node = {};
  std::string network = {};
  std::string cluster = default_cluster;
  std::string pod = {};  // its pod in that namespace; "" if none is known
  bool router = false;   // a gateway
};

// Returns the proxy with its locality and labels as istiod completes them. O(pods + nodes).
[[nodiscard]] Proxy known(Proxy proxy, const Documents& documents);

// Returns the locality of a pod: its own label, else its node's labels, which always give two slashes. "" if there is
// none.
[[nodiscard]] std::string locality_of_pod(const Pod& pod, const KubernetesCluster& cluster);

}  // namespace spillway::istio
