// Cross-zone traffic through an egress as the design document draws it: one aggregate cluster a client over
// [in-zone, zone, zone ...], and at the egress one cluster whose endpoints each SNI selects by zone. Never built; it
// belongs to the profile `document`. Beside it, what the designs that the document rejects would do.
//
//   auto members = aggregate_members(input, "backend", "default");
//   members[1].sni;        // backend{mesh=default,kuma.io/zone=zone-1}
//   members[1].endpoints;  // what the egress may send it to
//
// Source: the design document (MADR 043), "Egress"; docs/behaviour/kuma.md 15.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kuma/assign.hpp"
#include "models/kuma/egress_design.hpp"
#include "models/kuma/load_assignment.hpp"

namespace spillway::kuma {

// One cluster of the aggregate, in order of preference.
struct AggregateMember {
  std::string cluster = {};                 // backend_in_zone, backend_zone-1
  std::string zone = {};                    // "" of the in-zone cluster
  std::string sni = {};                     // "" of the in-zone cluster: it does not pass the egress
  std::vector<std::size_t> endpoints = {};  // positions in the list

  friend bool operator==(const AggregateMember&, const AggregateMember&) = default;
};

// By the priorities of the document's assignment, and within one priority by zone. An aggregate is strict: zones that
// share a priority come one after the other here. The in-zone cluster stands first even if it has no endpoints.
[[nodiscard]] std::vector<AggregateMember> aggregate_members(const AssignInput& input, std::string_view service,
                                                             std::string_view mesh);

// For these clients of one service; `at_client` of the client with the most. Linear in the clients.
[[nodiscard]] ClusterCounts cluster_counts(EgressDesign design, std::span<const AssignInput> clients);

// Share of what leaves the zone by endpoint, while every endpoint is healthy: by weight over all that the client's
// rules admit (metadata), over those of its first rule that has any (hashed_sni), over those of the first rule of
// `whole_mesh` (mesh_scope; all if there is none), over the first zone (aggregate). Sums to 1, or is all zeros if
// nothing is admitted. By position in the list.
[[nodiscard]] std::vector<double> leaving_shares(EgressDesign design, const AssignInput& input,
                                                 const std::optional<Conf>& whole_mesh);

}  // namespace spillway::kuma
