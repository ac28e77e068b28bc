// What was counted of a cluster between two moments of one proxy.
//
//   Observation observation = observe(before, after, "backend");
//
// Hosts are joined by their address; one that is listed several times counts as one. A host of which a counter is lower
// afterwards came anew in between: then its counters count from there. Of a proxy that was restarted all do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/numeric/stable_sort.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/observed/access_log.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/stats.hpp"

namespace spillway::compare {

struct ObservedHost {
  std::string address;
  std::uint64_t requests = 0;
  std::uint64_t connect_failures = 0;  // picks that got no connection, which are no requests
  std::uint64_t errors = 0;
  std::optional<std::uint64_t> total = {};    // requests since its counters began
  bool came_anew = false;                     // one of its counters is lower than before
  std::optional<observed::Host> before = {};  // none: unknown to the proxy then, or only counts are known
  std::optional<observed::Host> after = {};
};

struct Observation {
  std::string cluster;
  std::vector<ObservedHost> hosts = {};  // by address
  bool reset = false;                    // a counter began anew in between
  bool restarted = false;                // all counters did, as far as is known
  bool held = false;                 // whether hosts are told with weights, localities and health, not by counts alone
  bool last_attempts_alone = false;  // as an access log counts
  std::uint64_t earlier_attempts = 0;  // of these requests, where the log says how many attempts each took

  [[nodiscard]] std::uint64_t requests() const noexcept {
    std::uint64_t sum = 0;
    for (const ObservedHost& host : hosts) {
      sum += host.requests;
    }
    return sum;
  }
  // The first of this address; null: there is none. Logarithmic.
  [[nodiscard]] const ObservedHost* find(const std::string& address) const noexcept {
    const auto found =
        std::lower_bound(hosts.begin(), hosts.end(), address,
                         [](const ObservedHost& host, const std::string& of) { return host.address < of; });
    return found != hosts.end() && found->address == address ? &*found : nullptr;
  }
  // After hosts were added; those of one address stay as they stand.
  void sort_hosts() {
    numeric::stable_sort(
        hosts, [](const ObservedHost& one, const ObservedHost& other) { return one.address < other.address; });
  }
};

// Both may be null: a cluster that the proxy does not know at that moment, or before it started. With /stats of the two
// moments (null: not given) a restart in between is known.
[[nodiscard]] Observation observe(const observed::Cluster* before, const observed::Cluster* after,
                                  const std::string& name, const observed::Stats* stats_before = nullptr,
                                  const observed::Stats* stats_after = nullptr);

// What an access log counted, by the cluster that it names or else by addresses that belong to one cluster alone
// (`clusters_of`: by address, the clusters that hold it). Retried requests count at their last host
// alone.
[[nodiscard]] std::map<std::string, Observation> observe(
    const observed::AccessLog& log, const std::map<std::string, std::vector<std::string>>& clusters_of);

// The requests that it leaves out, because their address belongs to no cluster or to several.
[[nodiscard]] UnassignedRequests unassigned_of(const observed::AccessLog& log,
                                               const std::map<std::string, std::vector<std::string>>& clusters_of);

// What a range query over rq_total of endpoints counted (labels envoy_cluster_name or cluster_name, and
// envoy_endpoint_address or endpoint_address), all its proxies together.
[[nodiscard]] std::map<std::string, Observation> observe(const observed::RangeAnswer& answer);

// Whether the proxy's uptime fell between the two moments: every counter began at 0 in between. False: not known.
[[nodiscard]] bool was_restarted(const observed::Stats* before, const observed::Stats* after);

// Whether statistics of the cluster began at 0 in between: a restart is known, or its count of requests fell.
[[nodiscard]] bool began_anew(const observed::Stats* before, const observed::Stats* after, const std::string& cluster);

// By how much a statistic of the cluster grew, since a reset if there was one; none: one of the two does not say.
[[nodiscard]] std::optional<std::uint64_t> growth(const observed::Stats* before, const observed::Stats* after,
                                                  const std::string& cluster, std::string_view statistic);

}  // namespace spillway::compare
