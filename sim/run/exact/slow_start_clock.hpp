// When the hosts of a cluster began slow start, as a class of clients was told: what the part of its weight that each
// of them has follows from, at any moment.
//
//   SlowStartClock clock(first_state);
//   clock.take(*after, now);              // the class is told of other hosts
//   clock.factors(*after, now + 12s);     // {1.0, 1.0, 0.2}: the third host came with `after`, the window is 60 s
//
// Only what is told counts. Checks of a proxy begin slow start anew at moments of the proxy's own.
// Source: docs/behaviour/envoy-host-pick.md 9.
#pragma once

#include <vector>

#include "models/health/slow_start.hpp"
#include "sim/run/nanoseconds.hpp"

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::run {

// Of the policy that picks from all hosts of the cluster by a schedule under slow start: round robin or least request
// since Envoy 1.25, without subsets. Null: there is no slow start, or one that this does not follow.
[[nodiscard]] const config::SlowStartConfig* followed_slow_start(const envoy::ClusterState& state);

class SlowStartClock {
 public:
  // A balancer takes its first hosts, which have been healthy for longer than any window.
  explicit SlowStartClock(const envoy::ClusterState& first);

  // Linear in the hosts of all lists.
  void take(const envoy::ClusterState& state, Nanoseconds now);

  // By HostIndex: between 0 and 1. Empty where followed_slow_start is null.
  [[nodiscard]] std::vector<double> factors(const envoy::ClusterState& state, Nanoseconds now) const;

 private:
  void refresh(const envoy::ClusterState& state, const health::HostTimes& times);

  health::SlowStart started_;
};

// By how many picks a schedule may lag behind weights that grow from `first` to `last` while it picks the host `picks`
// times: a host's next turn is by the weight that it had at its last one. `picks` turns at equal ratios are each late
// by half of what the weight grew by meanwhile: picks / 2 x ((last / first)^(1 / picks) - 1), which is ln(last / first)
// / 2 where there are many.
[[nodiscard]] double lag_of_schedule(double first, double last, double picks);

}  // namespace spillway::run
