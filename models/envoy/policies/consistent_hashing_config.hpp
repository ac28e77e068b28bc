// The settings common to the hash policies (ring hash, maglev).
#pragma once

#include <cstdint>
#include <vector>

#include "models/envoy/refusal.hpp"
#include "models/envoy/routes/hash_policy.hpp"

namespace spillway::envoy::policies {

// envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig.
struct ConsistentHashingLbConfig {
  bool use_hostname_for_hashing = false;
  // Limit of a host's load in percent of the mean, rounded up; 0: none. At least 100 if Envoy validates it.
  std::uint32_t hash_balance_factor = 0;
  // If not empty, this list computes the hash instead of the route's hash policy.
  std::vector<routes::HashPolicy> hash_policy = {};

  friend bool operator==(const ConsistentHashingLbConfig&, const ConsistentHashingLbConfig&) = default;
};

template <class Release>
void hashing_in_release(Release& release, ConsistentHashingLbConfig& config) {
  release.take_back(config.hash_policy, {}, 35, "hash_policy of consistent_hashing_lb_config");
}

[[nodiscard]] Refusal refusal(const ConsistentHashingLbConfig& config, Form form);

}  // namespace spillway::envoy::policies
