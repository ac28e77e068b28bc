// Computes how likely a request succeeds within n attempts if every pick is drawn with the same shares. It shows the
// gain of retries, with and without the predicate that excludes hosts already tried.
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

// A host and how it treats attempts.
struct RetryTarget {
  double share = 0.0;    // fraction of the picks
  double ok = 0.0;       // fraction of the attempts at this host
  double retried = 0.0;  // fraction that fails in a way that the policy retries
};

struct RetryRule {
  std::uint32_t attempts = 1;                           // the first one included
  bool previous_hosts = false;                          // true if the predicate is set
  std::uint32_t host_selection_retry_max_attempts = 1;  // limit on new picks while it rejects the host
};

// Returns the chances by number of attempts, from 1 on. Shares may add up to less than 1: the rest finds no host and is
// not retried. Identical hosts are merged; if there are still too many paths, the list ends early.
[[nodiscard]] std::vector<double> chances_of_success(const std::vector<RetryTarget>& targets, const RetryRule& rule);

}  // namespace spillway::reports::explain
