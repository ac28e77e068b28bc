// The endpoint list of every destination before the policy: the input of assign.hpp.
//
//   EndpointMap endpoints = endpoint_map(resources, "zone-1", release_2_14);
//   endpoints.at({.model = DestinationModel::tag, .name = "backend"});
//
// A remote zone is one endpoint for each of its ingress addresses. Its weight is the number of instances for a value of
// kuma.io/service, and 1 for real resources. Destinations without endpoints have no entry. Source:
// docs/behaviour/kuma.md 4; Kuma's xds/topology/outbound.go. Linear in the resources, times the dataplanes for each
// MeshService.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kuma/assign.hpp"
#include "models/kuma/endpoint.hpp"
#include "models/kuma/resources.hpp"

namespace spillway::kuma {

struct DestinationId {
  DestinationModel model = DestinationModel::tag;
  std::string name = {};
  std::string name_space = {};  // of a real resource: the label k8s.kuma.io/namespace
  std::string zone = {};        // of a MeshService of another zone, else the label kuma.io/zone of a real resource
  std::uint32_t port = 0;       // of a real resource

  friend auto operator<=>(const DestinationId&, const DestinationId&) = default;
};

using EndpointMap = std::map<DestinationId, std::vector<Endpoint>>;

// Returns the endpoint lists that proxies of `zone` have, in Kuma's order.
[[nodiscard]] EndpointMap endpoint_map(const MeshResources& resources, std::string_view zone,
                                       config::KumaProfile profile);

// Returns the endpoint lists that the egress of `zone` has: other zones and external services; in head external
// services only. All are at priority 0, except for the priorities that a MeshExternalService gives.
[[nodiscard]] EndpointMap egress_endpoint_map(const MeshResources& resources, std::string_view zone,
                                              config::KumaProfile profile);

// Returns the services that a zone ingress advertises: the tag sets of ready inbounds and how often each occurs, by
// mesh and tags. With filters (an experimental setting) only tags that begin with one of the filters count.
[[nodiscard]] std::vector<AvailableService> available_services(std::span<const Dataplane> dataplanes,
                                                               std::span<const std::string> tag_filters = {});

}  // namespace spillway::kuma
