// Reads hosts of a load assignment for comparison, and load assignments in a proxy's documents.
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

// Normalizes an address: IPv6 has several spellings.
[[nodiscard]] std::string address_key(const std::string& address);

// Hosts by address; the first of equal addresses counts.
using Hosts = std::map<std::string, DumpHost>;
[[nodiscard]] Hosts hosts_of(const config::ClusterLoadAssignment& assignment);

// Returns the weights of localities that have endpoints, by priority and locality.
using Place = std::tuple<std::uint32_t, config::Locality>;
[[nodiscard]] std::map<Place, std::uint32_t> weights_of(const config::ClusterLoadAssignment& assignment);

// Returns "r1/z1/a" or "no locality".
[[nodiscard]] std::string locality_words(const config::Locality& locality);
// Returns "P0, r1/z1, weight 1, healthy".
[[nodiscard]] std::string host_words(const DumpHost& host);

// Reads an envoy.config.endpoint.v3.ClusterLoadAssignment; host names are not resolved. An address that is not a socket
// address becomes empty.
[[nodiscard]] config::ClusterLoadAssignment assignment_as_written(const documents::Node& assignment);

}  // namespace spillway::reports::held
