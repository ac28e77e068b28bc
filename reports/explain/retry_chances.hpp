// How likely a request succeeds within so many attempts, if every pick is drawn by the same shares: what retries gain,
// with the predicate that leaves out hosts that were tried and without.
//
//   const std::vector<RetryTarget> targets = {{.share = 0.5, .ok = 1.0}, {.share = 0.5, .retried = 1.0}};
//   chances_of_success(targets, {.attempts = 2});                           // 0.5, 0.75
//   chances_of_success(targets, {.attempts = 2, .previous_hosts = true});   // 0.5, 0.875: one new pick, then any
//
// Exact for random picks; a schedule gives a retry the host that comes next. Source: docs/behaviour/envoy-host-pick.md
// 5, 20.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway::reports::explain {

// A host.
struct RetryTarget {
  double share = 0.0;    // of the picks
  double ok = 0.0;       // of the attempts there
  double retried = 0.0;  // of them, that fail in a way that the policy tries again
};

struct RetryRule {
  std::uint32_t attempts = 1;                           // the first one included
  bool previous_hosts = false;                          // the predicate
  std::uint32_t host_selection_retry_max_attempts = 1;  // how often a pick is made anew while it rejects the host
};

// By attempts, from 1 on. Shares may add up to less than 1: no host is found for the rest, which is not tried again.
// Hosts that are alike are put together; where there are still too many ways to go, the list ends early.
[[nodiscard]] std::vector<double> chances_of_success(const std::vector<RetryTarget>& targets, const RetryRule& rule);

}  // namespace spillway::reports::explain
