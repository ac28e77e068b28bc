// The step of Kuma's policy that put an endpoint where it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spillway::kuma {

// The step that decided where an endpoint is, or that it was dropped.
enum class PlacedBy : std::uint8_t {
  base,             // the list before the policy; the policy has not touched it
  remote_priority,  // the step that puts other zones behind the client's (1), or beside it if disabled (0)
  affinity_tag,     // `rule` in localZone.affinityTags
  local_rest,       // the client's zone, but none of its affinity groups
  failover_rule,    // `rule` in crossZone.failover
  egress,           // another zone, left to the egress
  no_rule,          // dropped: no failover rule admits its zone
};

struct Placement {
  PlacedBy by = PlacedBy::base;
  std::size_t rule = 0;

  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace spillway::kuma
