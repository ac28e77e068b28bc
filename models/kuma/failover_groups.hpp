// The other zones that a client may fall back to, in order: crossZone.failover.
//
//   auto groups = failover_groups(conf, "zone-1", release_2_14);
//   find_group(groups, "zone-3")->priority;   // 2, if the second rule is the first to admit zone-3
//
// Rules are numbered over the whole list, so rules that do not concern the client leave gaps in the priorities. `None`
// admits nothing and does not stop the search. The profile `document` follows the design document literally: `None`
// ends the search, and only rules that concern the client are counted. There, a rule `AnyExcept` gives nothing to the
// clients of a zone that it names.
// Source: docs/behaviour/kuma.md 8, 15; Kuma's priority.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

enum class ToZoneType : std::uint8_t { none, only, any, any_except };

struct FailoverGroup {
  std::size_t rule = 0;  // in failover
  ToZoneType type = ToZoneType::none;
  std::set<std::string, std::less<>> zones = {};
  std::uint32_t priority = 0;

  friend bool operator==(const FailoverGroup&, const FailoverGroup&) = default;
};

// Returns the rules that concern a client of this zone, in order.
[[nodiscard]] std::vector<FailoverGroup> failover_groups(const Conf& conf, std::string_view client_zone,
                                                         config::KumaProfile profile);

[[nodiscard]] bool admits(const FailoverGroup& group, std::string_view zone);

// Returns the first group that admits the zone. Null if there is none: the zone's endpoints are dropped. Linear in the
// groups.
[[nodiscard]] const FailoverGroup* find_group(const std::vector<FailoverGroup>& groups, std::string_view zone);

// Returns "egress_" and eight characters of a hash of the rules. A sidecar puts all remote endpoints into this locality
// when the egress applies the rules in its place (2.14).
[[nodiscard]] std::string egress_zone(const std::vector<FailoverGroup>& groups);

}  // namespace spillway::kuma
