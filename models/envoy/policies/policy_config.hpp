// The configuration of a cluster's policy: a variant of all policies. A new policy is added here and in registry.hpp,
// at the same position.
#pragma once

#include <variant>

#include "models/envoy/policies/child_policy.hpp"
#include "models/envoy/policies/client_side_weighted_round_robin/config.hpp"
#include "models/envoy/policies/consistent_hashing_config.hpp"
#include "models/envoy/policies/least_request/config.hpp"
#include "models/envoy/policies/maglev/config.hpp"
#include "models/envoy/policies/override_host/config.hpp"
#include "models/envoy/policies/random/config.hpp"
#include "models/envoy/policies/ring_hash/config.hpp"
#include "models/envoy/policies/round_robin/config.hpp"
#include "models/envoy/policies/subset/config.hpp"

namespace spillway::envoy::policies {

using Config = std::variant<  //
    round_robin::Config,      // the first is the default
    random::Config, least_request::Config, ring_hash::Config, maglev::Config, subset::Config, override_host::Config,
    client_side_weighted_round_robin::Config>;

// The contents of a ChildPolicy.
struct PolicyConfig {
  Config config;
};

// Returns the policy inside this one; null if there is none.
[[nodiscard]] const Config* child_of(const Config& config);

// True if picks use the number of requests in flight, which then has to be counted: by the policy itself, by a bound on
// loads, or by a policy inside it.
[[nodiscard]] bool reads_active_requests(const Config& config);

// Returns the hash settings of the hash policy in this configuration, at any depth; null if there is none.
[[nodiscard]] const ConsistentHashingLbConfig* consistent_hashing(const Config& config);

}  // namespace spillway::envoy::policies
