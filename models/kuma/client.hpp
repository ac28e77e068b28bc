// One proxy as policies and affinity see it.
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
  sidecar,            // and a delegated gateway
  builtin_gateway,    // 2.14
  zone_egress,        // 2.14: its policies are those of the whole mesh
  zone_proxy_egress,  // head: a dataplane whose listener leads out of the mesh
};

struct Client {
  std::string name = {};
  std::string zone = {};  // of the control plane that configures it
  Tags labels = {};
  std::vector<Tags> inbounds = {};  // the tags of each inbound
  Tags gateway_tags = {};           // of a gateway, which has no inbounds
  ProxyRole role = ProxyRole::sidecar;
  bool delegated_gateway = false;
  std::string gateway_name = {};  // of a builtin gateway: the MeshGateway that it runs
  // 2.14: the values of kuma.io/service that it has outbounds for. None: for all that there are.
  std::optional<std::set<std::string, std::less<>>> outbounds = {};

  // Policies shape the clusters of a value of kuma.io/service by way of the outbound for it: one that is only the
  // backend of a route has none.
  [[nodiscard]] bool has_outbound(std::string_view service) const { return !outbounds || outbounds->contains(service); }
};

// Where the client stands on an affinity tag: the alphabetically first value over all its tags, else its label.
//
// In head a regular client has no tags, only labels; a delegated gateway has its gateway's. Linear in the inbounds.
[[nodiscard]] std::optional<std::string> affinity_value(const Client& client, std::string_view key,
                                                        config::KumaProfile profile);

}  // namespace spillway::kuma
