// The configuration of any policy, as a cluster has it. The policies themselves are in registry.hpp; a new one is
// listed in both, in the same place.
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

// True if picks under this configuration read the number of requests in flight, which then has to be counted: the
// policy itself, a bound on loads, or a policy inside it.
[[nodiscard]] bool reads_active_requests(const Config& config);

// Returns the settings of hashing, wherever in this configuration its hash policy is; null if it has none.
[[nodiscard]] const ConsistentHashingLbConfig* consistent_hashing(const Config& config);

}  // namespace spillway::envoy::policies
