// Reads pick policies: lb_policy with its settings, or a typed load_balancing_policy. Reports what Envoy refuses of
// either.
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
  std::optional<config::LocalityConfigSpecifier> locality = {};  // set if a typed policy configures it
  bool cluster_provided = false;
};

// Reads lb_policy and the cluster's own fields that belong to it, including subsets.
[[nodiscard]] PickPolicy read_legacy_policy(const messages::Cluster& cluster, Diagnostics& problems);

// The first policy that Envoy knows. `policy` is nullopt if there is none, or if it is not supported, which is
// reported.
struct PolicyList {
  std::optional<PickPolicy> policy = {};
  std::vector<std::string> names = {};  // of all policies listed
  bool known = false;                   // one of them exists in Envoy
};
[[nodiscard]] PolicyList read_policy_list(const messages::LoadBalancingPolicy& written, Diagnostics& problems);

}  // namespace spillway::proxy
