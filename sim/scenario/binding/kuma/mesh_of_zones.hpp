// The resources of a mesh as the control plane of each zone has them.
//
//   MeshOfZones mesh(contents, scenario, ready);
//   kuma::EndpointMap endpoints = kuma::endpoint_map(mesh.in(zone), "zone-1", profile);
//
// Source: docs/behaviour/kuma.md 1, 4.
#pragma once

#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/resources.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario::kuma_binding {

struct KumaMesh;         // kuma_mesh.hpp
struct PlacedDataplane;  // kuma_mesh.hpp

// Readiness of endpoints, by EndpointIndex.
using Ready = std::vector<bool>;

// The resources that the control planes of the zones have while these endpoints are ready. What all zones have in
// common, such as the services that each ingress advertises, is derived once.
class MeshOfZones {
 public:
  // Dataplanes by zone, in the order of the documents.
  using PlacedByZone = std::vector<std::vector<const PlacedDataplane*>>;

  // Lifetime: the arguments must outlive this object. Linear in the dataplanes.
  MeshOfZones(const KumaMesh& contents, const Scenario& scenario, const Ready& ready);

  // Returns the resources of a zone, until the next call. They include its own ingresses, which its proxies ignore.
  // Linear in the zone's dataplanes and in the egresses.
  [[nodiscard]] const kuma::MeshResources& in(config::ZoneIndex zone);

  [[nodiscard]] const Ready& ready() const noexcept { return ready_; }

 private:
  const KumaMesh* contents_;
  Ready ready_;
  PlacedByZone placed_;
  kuma::MeshResources resources_;
};

}  // namespace spillway::scenario::kuma_binding
