// Cross-zone traffic through an egress as the design document describes it: one aggregate cluster per client over
// [in-zone, zone, zone ...], and one cluster at the egress, whose endpoints each SNI selects by zone. This was never
// built; it belongs to the profile `document`. Also computes the results of the designs that the document rejects.
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

// A cluster of the aggregate, in order of preference.
struct AggregateMember {
  std::string cluster = {};                 // backend_in_zone, backend_zone-1
  std::string zone = {};                    // "" for the in-zone cluster
  std::string sni = {};                     // "" for the in-zone cluster, which does not pass the egress
  std::vector<std::size_t> endpoints = {};  // positions in the list

  friend bool operator==(const AggregateMember&, const AggregateMember&) = default;
};

// Returns the members ordered by the priorities of the document's assignment, and by zone within one priority. An
// aggregate is strict: zones that share a priority come one after the other here. The in-zone cluster is first even if
// it has no endpoints.
[[nodiscard]] std::vector<AggregateMember> aggregate_members(const AssignInput& input, std::string_view service,
                                                             std::string_view mesh);

// Returns the counts for these clients of one service; `at_client` is that of the client with the most clusters. Linear
// in the clients.
[[nodiscard]] ClusterCounts cluster_counts(EgressDesign design, std::span<const AssignInput> clients);

// Returns each endpoint's share of the traffic that leaves the zone while every endpoint is healthy, by position in the
// list. Shares are by weight over these endpoints: all that the client's rules admit (metadata); those of its first
// rule that has any (hashed_sni); those of the first rule of `whole_mesh`, or all if there is none (mesh_scope); those
// of the first zone (aggregate). The shares sum to 1, or are all zero if nothing is admitted.
[[nodiscard]] std::vector<double> leaving_shares(EgressDesign design, const AssignInput& input,
                                                 const std::optional<Conf>& whole_mesh);

}  // namespace spillway::kuma
