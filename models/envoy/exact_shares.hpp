// Where the first pick of a request goes, exactly: the expected share of each host over uniform 64-bit draws and seeds,
// requests in flight frozen.
//
// What else picks depend on is told by Circumstances. Where they keep a list's hosts from having a share each, the sum
// over those hosts still is exact: a joint share. Its rows then hold the shares at rest, as if nothing were in flight,
// no retry had moved a schedule and no host were in slow start.
//
//   ExactShares exact = exact_shares(*state);
//   exact.hosts[0].share;   // 0.14: the first host's part of the requests
//
//   const std::vector<WeightedHash> keys = {{numeric::xxhash64("user-1"), 3.0}, {numeric::xxhash64("user-2"), 1.0}};
//   exact_shares(*ring_state, {.hashes = keys});   // where three quarters and one quarter of the requests go
//
// A weighted schedule counts as the share of a pick at a uniformly drawn start: weight / sum. Random shares its one
// draw with the priority choice and is enumerated by residue classes. Zone-aware routing is the mixture of its
// integers. Hash policies: each key's own host, one hash for priority and slot; without keys the arcs of the ring or
// the slots of the table. Subsets: where the class of requests leads, a list of fallbacks weighted by the chance that
// those before it find no host. Source: docs/behaviour/envoy-before-pick.md 5, 7 to 11, envoy-host-pick.md 10, 12.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/active_requests.hpp"
#include "models/envoy/availability.hpp"

namespace spillway::envoy::policies::override_host {
class OverrideHosts;  // override_host.hpp
}  // namespace spillway::envoy::policies::override_host

namespace spillway::envoy::policies::subset {
class Criteria;  // subset.hpp
}  // namespace spillway::envoy::policies::subset

namespace spillway::envoy {

class ShareTrace;     // share_trace.hpp
struct ClusterState;  // cluster_state.hpp

struct HostShare {
  config::HostIndex host;
  config::Priority priority;
  Availability availability = Availability::healthy;
  std::uint32_t child = 0;  // position in an aggregate's list, 0 for a plain cluster
  double share = 0.0;       // above 0, or part of a joint share
  // 0: the share is exact. Else only the sum over all rows with this number is.
  std::uint32_t joint = 0;
  // The same if schedules go on in the middle of a round.
  std::uint32_t joint_if_carried = 0;
};

struct ExactShares {
  // By child, host and availability; sums to at most 1, the rest finds no host. A host may stand in several rows.
  std::vector<HostShare> hosts;
  bool sums_are_exact = true;  // false: joint shares are not exact either
  std::string basis;           // what had to be assumed; often empty
  std::string why_joint;       // why there are joint shares, if there are any

  // Whether every host has an exact share of its own.
  [[nodiscard]] bool closed_form() const noexcept;
  // Shares are of all requests, of which only this part comes to a pick.
  void keep(double part);
  // Hosts of the state without a share get a row of share 0.
  void add_all(const ClusterState& state);
  // From now on nothing is exact, not even sums.
  void join_all(std::string_view why);
  // Adds a row with share 0 for each host of the state that has none and of which `may_get` says that it may get
  // requests: what is left out has the exact share 0. O(hosts of the state).
  void add_possible(const ClusterState& state, const std::function<bool(std::uint32_t, config::HostIndex)>& may_get);
};

// What the state of a balancer does not tell about its picks.
struct Circumstances {
  bool loaded = false;        // requests may be in flight when another one comes
  bool retries = false;       // a request may be sent again, which moves schedules
  bool slow_start = false;    // a host may be in slow start
  bool load_reports = false;  // hosts report loads, and what is reported is not known
  // By host, numbered as in RequestContext::active_requests: where requests are in flight, hosts with the same number
  // are alike in everything that this depends on. Empty: no two hosts are.
  std::span<const std::uint32_t> alike = {};
  // By host, numbered likewise: the part of its weight that slow start leaves it at the moment of the pick
  // (SlowStartClock). Round robin and least request then have shares by these weights, as schedules have in the long
  // run. Empty: unknown.
  std::span<const double> slow_start_factors = {};
};

// The hash of some of the requests of a class; weights are relative.
struct WeightedHash {
  std::uint64_t hash = 0;
  double weight = 1.0;
};

// What the requests have in common whose shares are asked for. Workloads of several classes are mixtures.
struct RequestClass {
  ActiveRequests active_requests = {};                   // as in RequestContext
  std::span<const WeightedHash> hashes = {};             // empty: every hash is as likely as any other
  const policies::subset::Criteria* criteria = nullptr;  // as in RequestContext
  const policies::override_host::OverrideHosts* override_hosts = nullptr;  // as in RequestContext; not used up
  Circumstances circumstances = {};
};

// Linear in hosts, times localities under zone-aware routing, times hashes under a hash policy. `trace`, if not null,
// gets the steps that led there (share_trace.hpp); it changes no share.
[[nodiscard]] ExactShares exact_shares(const ClusterState& state, const RequestClass& requests,
                                       ShareTrace* trace = nullptr);

[[nodiscard]] inline ExactShares exact_shares(const ClusterState& state, ActiveRequests active_requests = {}) {
  return exact_shares(state, RequestClass{.active_requests = active_requests});
}

}  // namespace spillway::envoy
