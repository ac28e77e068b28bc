// Endpoints of other networks behind the gateways of these.
//
// Source: docs/behaviour/istio.md 9; istiod's pilot/pkg/xds/endpoints/ep_filters.go (EndpointsByNetworkFilter).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/istio/proxy.hpp"
#include "models/istio/registry.hpp"
#include "models/istio/resources.hpp"

namespace spillway::istio {

struct AssignedEndpoint;

class NetworkGateways {
 public:
  explicit NetworkGateways(const std::vector<Network>& networks);

  // Whether any network has a gateway; else every endpoint is reached directly.
  [[nodiscard]] bool any() const { return scale_ != 0; }
  // What weights are multiplied by: the least common multiple of the numbers of gateways per network and per cluster.
  [[nodiscard]] std::uint32_t scale() const { return scale_; }
  // Those of the cluster in the network, else those of the network.
  [[nodiscard]] std::vector<const Network::Gateway*> to(const std::string& network, const std::string& cluster) const;

 private:
  const std::vector<Network>* networks_;
  std::uint32_t scale_ = 0;
};

// What the proxy gets for the endpoints of one group: they themselves, and gateways with the weights of those behind.
[[nodiscard]] std::vector<AssignedEndpoint> through_gateways(const std::vector<const Endpoint*>& endpoints,
                                                             const Proxy& proxy, const NetworkGateways& gateways);

}  // namespace spillway::istio
