// Hosts of a load assignment as they are compared, and those of one as it stands in a proxy's documents.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "models/config/cluster_load_assignment.hpp"
#include "models/documents/node.hpp"

namespace spillway::reports::held {

struct DumpHost {
  std::uint32_t priority = 0;
  config::Locality locality = {};
  std::uint32_t weight = 1;
  std::string health = {};
};

// By address, the first of equal ones.
using Hosts = std::map<std::string, DumpHost>;
[[nodiscard]] Hosts hosts_of(const config::ClusterLoadAssignment& assignment);

// Weights of localities, of those that have endpoints, by priority and locality.
using Place = std::tuple<std::uint32_t, config::Locality>;
[[nodiscard]] std::map<Place, std::uint32_t> weights_of(const config::ClusterLoadAssignment& assignment);

// "r1/z1/a", "no locality".
[[nodiscard]] std::string locality_words(const config::Locality& locality);
// "P0, r1/z1, weight 1, healthy".
[[nodiscard]] std::string host_words(const DumpHost& host);

// envoy.config.endpoint.v3.ClusterLoadAssignment, names that are looked up left as they are. What is no socket address
// has an empty one.
[[nodiscard]] config::ClusterLoadAssignment assignment_as_written(const documents::Node& assignment);

}  // namespace spillway::reports::held
