// A proxy with the properties that policies and affinity use.
//
//   Client client{.zone = "zone-1", .inbounds = {{{"kuma.io/service", "web"}, {"k8s.io/node", "node-1"}}}};
//   affinity_value(client, "k8s.io/node", release_2_14);   // node-1
//
// Source: docs/behaviour/kuma.md 1, 6, 7.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/names.hpp"

namespace spillway::kuma {

enum class ProxyRole : std::uint8_t {
  sidecar,            // also a delegated gateway
  builtin_gateway,    // 2.14
  zone_egress,        // 2.14: has the policies of the whole mesh
  zone_proxy_egress,  // head: a dataplane whose listener routes out of the mesh
};

struct Client {
  std::string name = {};
  std::string zone = {};  // of the control plane that configures it
  Tags labels = {};
  std::vector<Tags> inbounds = {};  // the tags of each inbound
  Tags gateway_tags = {};           // of a gateway, which has no inbounds
  ProxyRole role = ProxyRole::sidecar;
  bool delegated_gateway = false;
  std::string gateway_name = {};  // of a builtin gateway: its MeshGateway
  // 2.14: the values of kuma.io/service for which the client has outbounds; nullopt if it has one for every value.
  std::optional<std::set<std::string, std::less<>>> outbounds = {};

  // Head: its Dataplane writes outbounds with port numbers, which names of ports in policies do not reach.
  bool outbounds_by_number = false;

  // True if the client has an outbound for the service. Policies shape the clusters of a value of kuma.io/service only
  // through its outbound; a service that is only the backend of a route has none.
  [[nodiscard]] bool has_outbound(std::string_view service) const { return !outbounds || outbounds->contains(service); }
};

// Returns the client's value for an affinity tag: the alphabetically first value over all its tags, else its label.
//
// In head a regular client has only labels, no tags; a delegated gateway has its gateway's tags. Linear in the
// inbounds.
[[nodiscard]] std::optional<std::string> affinity_value(const Client& client, std::string_view key,
                                                        config::KumaProfile profile);

}  // namespace spillway::kuma
