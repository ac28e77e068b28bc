// The load assignment that Kuma derives from an endpoint list, with the rule that placed each endpoint.
//
//   LoadAssignment base = group(endpoints);
//   base.localities[0].endpoints[0].endpoint;            // position in `endpoints`
//   to_envoy(base, endpoints, "backend").endpoints[0];   // what the Envoy models take
//
// Kuma writes fewer fields than Envoy has. An absent locality, weight or factor differs from zero and "", and that
// difference is kept here. Source: docs/behaviour/kuma.md 4, 6; Kuma's xds/envoy/endpoints/v3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/placement.hpp"

namespace spillway::kuma {

struct AssignedEndpoint {
  std::size_t endpoint = 0;  // position in the list that was grouped
  Placement placement = {};

  friend bool operator==(const AssignedEndpoint&, const AssignedEndpoint&) = default;
};

struct AssignedLocality {
  bool has_locality = false;  // if false, zone and sub_zone are meaningless
  std::string zone = {};
  std::string sub_zone = {};
  std::uint32_t priority = 0;
  std::optional<std::uint32_t> weight = {};
  std::vector<AssignedEndpoint> endpoints = {};

  friend bool operator==(const AssignedLocality&, const AssignedLocality&) = default;
};

struct LoadAssignment {
  std::vector<AssignedLocality> localities = {};
  std::optional<std::uint32_t> overprovisioning_factor = {};  // percent; nullopt means Envoy's 140
  std::vector<AssignedEndpoint> dropped = {};                 // in the order of the list

  friend bool operator==(const LoadAssignment&, const LoadAssignment&) = default;
};

// Groups by (zone, sub_zone, priority). Localities are in the byte order of zone and sub_zone joined, then by priority;
// endpoints are by address text, then by port. O(n log n).
[[nodiscard]] LoadAssignment group(std::span<const Endpoint> endpoints);

// An endpoint of a list with another locality than its own.
struct PlacedEndpoint {
  std::size_t endpoint = 0;  // position in the list
  std::optional<EndpointLocality> locality = {};
  Placement placement = {};
};
// Groups some endpoints of the list, each once, by their new localities.
[[nodiscard]] LoadAssignment group(std::span<const Endpoint> endpoints, std::span<const PlacedEndpoint> placed);

// Translates the assignment for Envoy: fields that are not written get Envoy's defaults. An address is "ip:port" or the
// endpoint's name.
[[nodiscard]] config::ClusterLoadAssignment to_envoy(const LoadAssignment& assignment,
                                                     std::span<const Endpoint> endpoints, std::string cluster_name);

// Returns the endpoints in the order in which to_envoy lists them: a position in the result is the HostIndex.
[[nodiscard]] std::vector<std::size_t> host_order(const LoadAssignment& assignment);

}  // namespace spillway::kuma
