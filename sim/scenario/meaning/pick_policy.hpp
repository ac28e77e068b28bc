// What a written policy says: lb_policy with its settings, or a typed load_balancing_policy, each with what Envoy
// refuses of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/envoy/routes/hash_policy.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/written/cluster.hpp"
#include "sim/scenario/written/hash_policy.hpp"

namespace spillway::scenario::meaning {

struct PickPolicy {
  envoy::policies::Config config = {};
  std::optional<config::LocalityConfigSpecifier> locality = {};  // where a typed policy says it
  bool cluster_provided = false;
};

// lb_policy and the cluster's own fields that go with it, subsets included.
[[nodiscard]] PickPolicy read_legacy_policy(const written::Cluster& cluster, Diagnostics& problems);

// The first policy that Envoy knows; none: it knows none, or it is one that is not supported, which is reported.
struct PolicyList {
  std::optional<PickPolicy> policy = {};
  std::vector<std::string> names = {};  // of all that are listed
  bool known = false;                   // one of them is Envoy's
};
[[nodiscard]] PolicyList read_policy_list(const written::LoadBalancingPolicy& written, Diagnostics& problems);

[[nodiscard]] config::ZoneAwareLbConfig read_zone_aware(const written::ZoneAwareLbConfig& written);

// None if it is not given; an expression that cannot be read is reported.
[[nodiscard]] std::optional<envoy::routes::RegexRewrite> read_regex_rewrite(
    const grammar::Field<written::RegexMatchAndSubstitute>& field, Diagnostics& problems);

// One hash policy; a regular expression that cannot be read is reported.
[[nodiscard]] envoy::routes::HashPolicy read_hash_policy(const written::HashPolicy& written, Diagnostics& problems);

}  // namespace spillway::scenario::meaning
