// What Envoy refuses of a cluster's balancing as a whole, and with which words: pure checks of what a document says.
// What it refuses of a pick policy is said by the policy (policies/<name>).
//
//   refusal(ring_hash::Config{.minimum_ring_size = 20, .maximum_ring_size = 10}, Form::typed);
//   // "ring hash: minimum_ring_size (20) > maximum_ring_size (10)"
//
// Messages name proto fields as Envoy does and leave out what it puts around them. One message at most: Envoy stops at
// the first.
//
// Source: docs/behaviour/envoy-host-pick.md 22, all of it tried on Envoy 1.40.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/refusal.hpp"
#include "models/envoy/stateful_session/session_state.hpp"

namespace spillway::envoy {

// What a cluster says of balancing as a whole.
struct ClusterDocument {
  std::string name = {};
  std::string type = "STATIC";            // STATIC, EDS, STRICT_DNS, LOGICAL_DNS, ORIGINAL_DST; empty: a cluster_type
  std::string lb_policy = "ROUND_ROBIN";  // not looked at with a load_balancing_policy
  bool has_load_balancing_policy = false;
  std::vector<std::string> policy_names = {};  // in load_balancing_policy
  bool policy_known = true;                    // one of them is a policy that exists
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

// Bounds of an assignment's fields; `hashing`: the policy is ring hash or maglev, which cannot add up weights beyond 32
// bits. Linear.
[[nodiscard]] Refusal refusal(const config::ClusterLoadAssignment& assignment, bool hashing);

// The sums of one priority that hash policies refuse. Of several entries of one locality the last weight counts; hosts
// are added up over all localities, whatever the message says (tried on Envoy 1.40).
struct WeightSums {
  std::uint64_t locality_weights = 0;
  std::uint64_t host_weights = 0;
};
[[nodiscard]] Refusal refusal(const WeightSums& priority);

// `name` is that of the cookie or header.
[[nodiscard]] Refusal refusal(SessionState state, const std::string& name);

}  // namespace spillway::envoy
