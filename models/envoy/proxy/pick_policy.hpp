// What a written policy says: lb_policy with its settings, or a typed load_balancing_policy, each with what Envoy
// refuses of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config/common_lb_config.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/policies/policy_config.hpp"

namespace spillway::messages {
struct Cluster;              // cluster.hpp
struct LoadBalancingPolicy;  // policies.hpp
}  // namespace spillway::messages

namespace spillway::proxy {

struct PickPolicy {
  envoy::policies::Config config = {};
  std::optional<config::LocalityConfigSpecifier> locality = {};  // where a typed policy says it
  bool cluster_provided = false;
};

// lb_policy and the cluster's own fields that go with it, subsets included.
[[nodiscard]] PickPolicy read_legacy_policy(const messages::Cluster& cluster, Diagnostics& problems);

// The first policy that Envoy knows; none: it knows none, or it is one that is not supported, which is reported.
struct PolicyList {
  std::optional<PickPolicy> policy = {};
  std::vector<std::string> names = {};  // of all that are listed
  bool known = false;                   // one of them is Envoy's
};
[[nodiscard]] PolicyList read_policy_list(const messages::LoadBalancingPolicy& written, Diagnostics& problems);

}  // namespace spillway::proxy
