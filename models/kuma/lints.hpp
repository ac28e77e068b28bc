// Lints of policies that Kuma admits but that are unlikely to do what their author means.
//
//   for (const Lint& lint : lints(policy.spec, {.zones = {"zone-1", "zone-2"}, .profile = head})) {
//     warn(lint.field, lint.message);   // spec.to[0].default.localityAwareness: ...
//   }
//
// Fields are named as in validation.hpp. Precondition: validation admits the policies. Codes are stable. Source:
// docs/behaviour/kuma.md 7 to 10, 15. Linear in the policy, times the zones; failover_reach.hpp has the details.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

enum class LintCode : std::uint8_t {
  threshold_rounds_up,       // 51 to 99 act as 100, 34 to 49 as 50, and so on
  hash_with_affinity,        // a hash balancer, affinity tags and failover: no host on failover
  empty_locality_awareness,  // {} keeps other zones as failover
  cross_zone_without_rules,  // crossZone without failover rules cuts off the other zones
  unreachable_rule,          // earlier rules take every zone that it admits
  unknown_zone,              // a zone that does not exist
  failover_never_starts,     // nothing marks hosts unhealthy
  too_many_unweighted_tags,  // ten or more: default weights do not fit 32 bits
  repeated_affinity_key,     // only the first entry of a key can have endpoints
  disabled_has_no_effect,    // combined with localZone or crossZone
  none_does_not_stop,        // rules after None still admit zones
  repeated_zone,             // a zone that the same list, or an earlier rule, already has
  unknown_affinity_key,      // no dataplane has a tag or label of this key
  order_beats_weights,       // a tag after another one of less weight
  after_the_end,             // a failover rule for clients whose list has already ended
};

// Returns the name of a code, such as "threshold-rounds-up".
[[nodiscard]] std::string_view name_of(LintCode code);

struct Lint {
  LintCode code = LintCode::threshold_rounds_up;
  std::string field = {};
  std::string message = {};
  std::string key = {};  // of unknown_affinity_key
  std::string note = {};
  std::string help = {};

  friend bool operator==(const Lint&, const Lint&) = default;
};

struct LintContext {
  std::vector<std::string> zones = {};  // all existing zones; empty if unknown
  bool marks_unhealthy = true;  // true if a MeshHealthCheck, outlier detection or the scenario marks hosts unhealthy
  config::KumaProfile profile = config::KumaProfile::release_2_14;
  std::vector<bool> gets_rules = {};  // by item of `to`: another item gives failover rules to its `crossZone`
  // By item of `to`: its conf merged upon those of all items that cover its targets, as Kuma merges them. Empty if
  // there are none.
  std::vector<Conf> merged = {};
};

[[nodiscard]] std::vector<Lint> lints(const MeshLoadBalancingStrategy& spec, const LintContext& context);

// Returns only the lints unknown_affinity_key, which need all dataplanes. `keys` are those of the tags and labels of
// all dataplanes, clients included.
[[nodiscard]] std::vector<Lint> affinity_key_lints(const MeshLoadBalancingStrategy& spec,
                                                   const std::set<std::string, std::less<>>& keys,
                                                   std::size_t dataplanes);

}  // namespace spillway::kuma
