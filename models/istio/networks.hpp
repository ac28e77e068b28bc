// Endpoints of other networks, reached through the gateways of their networks.
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

  // True if any network has a gateway; otherwise every endpoint is reached directly.
  [[nodiscard]] bool any() const { return scale_ != 0; }
  // Returns the factor of all weights: the least common multiple of the numbers of gateways per network and per
  // cluster.
  [[nodiscard]] std::uint32_t scale() const { return scale_; }
  // Returns the gateways of the cluster in the network, else the gateways of the network.
  [[nodiscard]] std::vector<const Network::Gateway*> to(const std::string& network, const std::string& cluster) const;

 private:
  const std::vector<Network>* networks_;
  std::uint32_t scale_ = 0;
};

// Returns the endpoints that the proxy gets for one group: the endpoints themselves, and gateways with the weights of
// the endpoints behind them.
[[nodiscard]] std::vector<AssignedEndpoint> through_gateways(const std::vector<const Endpoint*>& endpoints,
                                                             const Proxy& proxy, const NetworkGateways& gateways);

}  // namespace spillway::istio
