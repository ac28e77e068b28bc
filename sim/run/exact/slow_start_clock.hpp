// The times at which the hosts of a cluster began slow start, as EDS reported to a class of clients. They determine, at
// any time, which part of its weight each host has.
//
//   SlowStartClock clock(first_state);
//   clock.take(*after, now);              // the class is told of other hosts
//   clock.factors(*after, now + 12s);     // {1.0, 1.0, 0.2}: the third host came with `after`, the window is 60 s
//
// Only EDS counts. Checks of a proxy restart slow start at that proxy's own times.
// Source: docs/behaviour/envoy-host-pick.md 9.
#pragma once

#include <vector>

#include "models/envoy/forward.hpp"
#include "models/health/slow_start.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::run {

// Returns the slow start of a policy that picks from all hosts of the cluster by a schedule: round robin or least
// request since Envoy 1.25, without subsets. Null if there is no slow start, or one that SlowStartClock does not
// follow.
[[nodiscard]] const config::SlowStartConfig* followed_slow_start(const envoy::ClusterState& state);

class SlowStartClock {
 public:
  // Starts with a balancer's first hosts, which have been healthy for longer than any window.
  explicit SlowStartClock(const envoy::ClusterState& first);

  // Adds hosts that are new in `state`. O(hosts of all lists).
  void take(const envoy::ClusterState& state, Nanoseconds now);

  // Returns factors between 0 and 1, by HostIndex. Empty if followed_slow_start() is null.
  [[nodiscard]] std::vector<double> factors(const envoy::ClusterState& state, Nanoseconds now) const;

 private:
  void refresh(const envoy::ClusterState& state, const health::HostTimes& times);

  health::SlowStart started_;
};

// Returns by how many picks a schedule may lag behind weights that grow from `first` to `last` while it picks the host
// `picks` times. A host's next turn depends on the weight that it had at its last one. With `picks` turns at equal
// ratios, each is late by half of the weight's growth meanwhile: picks / 2 x ((last / first)^(1 / picks) - 1). That
// tends to ln(last / first) / 2 for many picks.
[[nodiscard]] double lag_of_schedule(double first, double last, double picks);

}  // namespace spillway::run
