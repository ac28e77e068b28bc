// An entry of a destination's endpoint list, before and after the policy.
//
// An endpoint's zone is the value of the tag kuma.io/zone in its metadata, independent of its locality.
// Source: docs/behaviour/kuma.md 1, 4; Kuma's core/xds.Endpoint.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/config/profile.hpp"
#include "models/kuma/names.hpp"

namespace spillway::kuma {

struct EndpointLocality {
  std::string zone = {};
  std::string sub_zone = {};
  std::uint32_t priority = 0;
  std::uint32_t weight = 0;  // 0 if none is written

  friend bool operator==(const EndpointLocality&, const EndpointLocality&) = default;
};

struct Endpoint {
  std::string address = {};
  std::uint32_t port = 0;    // 0 if `address` is a generated name or the path of a socket
  std::uint32_t weight = 0;  // 0 if none is written, which Envoy reads as 1
  Tags tags = {};            // head: the labels of the dataplane
  Tags labels = {};          // 2.14: sent in addition to the tags
  std::optional<EndpointLocality> locality = {};
  bool external = false;  // outside the mesh

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// Returns "address:port", or only the address if there is no port.
[[nodiscard]] inline std::string to_text(const Endpoint& endpoint) {
  return endpoint.port == 0 ? endpoint.address : endpoint.address + ":" + std::to_string(endpoint.port);
}

// Returns the endpoint's zone, "" without the tag. Head has folded the labels into the metadata.
[[nodiscard]] inline std::string_view zone_of(const Endpoint& endpoint, config::KumaProfile profile) {
  const std::string_view zone = value_of(endpoint.tags, zone_tag);
  return zone.empty() && profile == config::KumaProfile::head ? value_of(endpoint.labels, zone_tag) : zone;
}

// Returns the value of an affinity key: tags first, then labels. nullopt if neither has the key.
[[nodiscard]] inline std::optional<std::string_view> affinity_value(const Endpoint& endpoint, const std::string& key) {
  for (const Tags* const tags : {&endpoint.tags, &endpoint.labels}) {
    if (const auto found = tags->find(key); found != tags->end()) {
      return found->second;
    }
  }
  return std::nullopt;
}

}  // namespace spillway::kuma
