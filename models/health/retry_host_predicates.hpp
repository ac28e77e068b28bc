// The predicates by which a retry skips hosts (retry_host_predicate of a retry policy).
//
//   RetryHostPredicates predicates(policy.retry_host_predicate);
//   predicates.on_host_attempted(first_pick);
//   balancer.choose(draw, context, [&](const envoy::Pick& pick) {     // with host_selection_retry_count attempts more
//     return predicates.rejects(pick, metadata_of(pick));
//   });
//
// One object serves one request. The first try rejects no host, because nothing was attempted before and Envoy allows
// it no more attempts (host_selection_retry_count). Linear in the predicates and the hosts attempted.
// Source: docs/behaviour/envoy-host-pick.md 5, 20; Envoy's extensions/retry/host.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "models/config/retry_policy.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/pick.hpp"

namespace spillway::health {

class RetryHostPredicates {
 public:
  // Lifetime: `predicates` must outlive this object.
  explicit RetryHostPredicates(std::span<const config::RetryHostPredicate> predicates) : predicates_(predicates) {}

  // Records an attempted host. Hosts are identified by index: a host that left and returned under another index is new.
  void on_host_attempted(const envoy::Pick& pick) { attempted_.emplace_back(pick.child, pick.host); }

  // True if a retry must skip the host. `lb_metadata` is its endpoint metadata of envoy.lb; null if it has none.
  [[nodiscard]] bool rejects(const envoy::Pick& pick, const config::Struct* lb_metadata) const;

 private:
  std::span<const config::RetryHostPredicate> predicates_;
  std::vector<std::pair<std::uint32_t, config::HostIndex>> attempted_;
};

// True if the host has every field of `match`, each with an equal value or a list that contains an equal element.
[[nodiscard]] bool matches_metadata(const config::Struct& match, const config::Struct& lb_metadata);

}  // namespace spillway::health
