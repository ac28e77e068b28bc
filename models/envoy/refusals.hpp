// Checks for which Envoy refuses a cluster's balancing as a whole, with Envoy's messages: pure functions of a document.
// Refusals of a pick policy are in policies/<name>.
//
//   refusal(ring_hash::Config{.minimum_ring_size = 20, .maximum_ring_size = 10}, Form::typed);
//   // "ring hash: minimum_ring_size (20) > maximum_ring_size (10)"
//
// Messages name proto fields as Envoy does, without the text that Envoy adds around them. At most one message is
// returned, because Envoy stops at the first.
//
// Source: docs/behaviour/envoy-host-pick.md 22, all verified on Envoy 1.40.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/refusal.hpp"
#include "models/envoy/stateful_session/filter.hpp"

namespace spillway::envoy {

// The parts of a cluster document that concern balancing as a whole.
struct ClusterDocument {
  std::string name = {};
  std::string type = "STATIC";            // STATIC, EDS, STRICT_DNS, LOGICAL_DNS, ORIGINAL_DST; empty if a cluster_type
  std::string lb_policy = "ROUND_ROBIN";  // ignored with a load_balancing_policy
  bool has_load_balancing_policy = false;
  std::vector<std::string> policy_names = {};  // in load_balancing_policy
  bool policy_known = true;                    // one of policy_names exists
  bool has_lb_subset_config = false;
  bool locality_weight_aware = false;
  bool has_zone_aware_lb_config = false;
  bool has_locality_weighted_lb_config = false;
  bool has_consistent_hashing_lb_config = false;
  bool use_hostname_for_hashing = false;  // in common_lb_config
  bool has_load_assignment = false;
  bool use_http_header = false;  // of original_dst_lb_config
  std::string http_header_name = {};
};
[[nodiscard]] Refusal refusal(const ClusterDocument& document);

// Checks bounds of an assignment's fields. `hashing`: the policy is ring hash or maglev, which cannot sum weights
// beyond 32 bits. Linear.
[[nodiscard]] Refusal refusal(const config::ClusterLoadAssignment& assignment, bool hashing);

// The sums of one priority that hash policies check. For several entries of one locality the last weight counts. Host
// weights are summed over all localities, although the error message says otherwise (verified on Envoy 1.40).
struct WeightSums {
  std::uint64_t locality_weights = 0;
  std::uint64_t host_weights = 0;
};
[[nodiscard]] Refusal refusal(const WeightSums& priority);

// Checks a session state. `name` is the name of the cookie or header.
[[nodiscard]] Refusal refusal(SessionState state, const std::string& name);

}  // namespace spillway::envoy
