// The designs for zone egress that Kuma's design document compares.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spillway::kuma {

enum class EgressDesign : std::uint8_t {
  metadata,    // one cluster a service, endpoints chosen by metadata: no priorities of zones
  hashed_sni,  // a cluster for each set of rules that some client has
  mesh_scope,  // one cluster a service, rules of the whole mesh only: what was built
  aggregate,   // one cluster a service, and at each client one a zone
};

// The cost of a design for one service: clusters at the egress, and at each client.
struct ClusterCounts {
  std::size_t at_egress = 0;
  std::size_t at_client = 0;

  friend bool operator==(const ClusterCounts&, const ClusterCounts&) = default;
};

}  // namespace spillway::kuma
