// The exact shares of a request's first pick: each host's expected share over uniform 64-bit draws and seeds, with
// requests in flight frozen.
//
// Circumstances describe what else picks depend on. They can make the shares of a list's single hosts unknown while the
// sum over these hosts is still exact: a joint share. Its rows then hold the shares of an idle system: nothing in
// flight, no schedule moved by a retry, no host in slow start.
//
//   ExactShares exact = exact_shares(*state);
//   exact.hosts[0].share;   // 0.14: the first host's part of the requests
//
//   const std::vector<WeightedHash> keys = {{numeric::xxhash64("user-1"), 3.0}, {numeric::xxhash64("user-2"), 1.0}};
//   exact_shares(*ring_state, {.hashes = keys});   // where three quarters and one quarter of the requests go
//
// A weighted schedule counts as the share of a pick at a uniformly drawn start: weight / sum. Random shares its one
// draw with the priority choice and is enumerated by residue classes. Zone-aware routing is the mixture of its
// integers. Hash policies: each key's own host, with one hash for priority and slot; without keys, the arcs of the ring
// or the slots of the table. Subsets: the subset that the class of requests selects. A list of fallbacks is weighted by
// the chance that earlier entries find no host.
// Source: docs/behaviour/envoy-before-pick.md 5, 7 to 11, envoy-host-pick.md 10, 12.
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
class Criteria;  // criteria.hpp
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
  // 0 if the share is exact; otherwise only the sum over all rows with this number is exact.
  std::uint32_t joint = 0;
  // As `joint`, but for schedules that continue in the middle of a round.
  std::uint32_t joint_if_carried = 0;
};

struct ExactShares {
  // One row per child, host and availability; sums to at most 1, because some requests find no host. A host may have
  // several rows.
  std::vector<HostShare> hosts;
  bool sums_are_exact = true;  // false: joint shares are not exact either
  std::string basis;           // assumptions made; often empty
  std::string why_joint;       // the reason for joint shares; empty if there are none

  // True if every host has an exact share of its own.
  [[nodiscard]] bool closed_form() const noexcept;
  // Scales the shares to all requests, of which only `part` reaches a pick.
  void keep(double part);
  // Adds a row with share 0 for each host of the state without a row.
  void add_all(const ClusterState& state);
  // Marks everything as inexact, even sums.
  void join_all(std::string_view why);
  // Adds a row with share 0 for each host of the state without a row that may get requests according to `may_get`.
  // Hosts left out have the exact share 0. O(hosts of the state).
  void add_possible(const ClusterState& state, const std::function<bool(std::uint32_t, config::HostIndex)>& may_get);
};

// Conditions that affect picks but are not part of a balancer's state.
struct Circumstances {
  bool loaded = false;        // requests may be in flight when another arrives
  bool retries = false;       // a request may be sent again, which moves schedules
  bool slow_start = false;    // a host may be in slow start
  bool load_reports = false;  // hosts report loads, whose values are unknown
  // By host, numbered as in RequestContext::active_requests. If requests are in flight, hosts with equal numbers are
  // equal in everything that affects their in-flight counts. Empty if all hosts differ.
  std::span<const std::uint32_t> alike = {};
  // By host, numbered as `alike`: the factor by which slow start scales the host's weight at the time of the pick
  // (SlowStartClock). Round robin and least request then have shares by these weights, as schedules have in the long
  // run. Empty if unknown.
  std::span<const double> slow_start_factors = {};
};

// A hash of some requests of a class. Weights are relative.
struct WeightedHash {
  std::uint64_t hash = 0;
  double weight = 1.0;
};

// The properties that the requests have in common. Workloads of several classes are mixtures.
struct RequestClass {
  ActiveRequests active_requests = {};                                     // as in RequestContext
  std::span<const WeightedHash> hashes = {};                               // if empty, every hash is equally likely
  const policies::subset::Criteria* criteria = nullptr;                    // as in RequestContext
  const policies::override_host::OverrideHosts* override_hosts = nullptr;  // as in RequestContext; not consumed
  Circumstances circumstances = {};
};

// Returns the shares. Linear in hosts, times localities under zone-aware routing, times hashes under a hash policy.
// `trace`, if not null, receives the steps (share_trace.hpp); it changes no share.
[[nodiscard]] ExactShares exact_shares(const ClusterState& state, const RequestClass& requests,
                                       ShareTrace* trace = nullptr);

[[nodiscard]] inline ExactShares exact_shares(const ClusterState& state, ActiveRequests active_requests = {}) {
  return exact_shares(state, RequestClass{.active_requests = active_requests});
}

}  // namespace spillway::envoy
