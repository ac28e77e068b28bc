// The counts of a cluster between two times of one proxy.
//
//   Observation observation = observe(before, after, "backend");
//
// Hosts are joined by their address; one that is listed several times counts as one. A host with a decreased counter
// was added again in between, and its counters count from there. After a restart of the proxy, this is so for all
// hosts.
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
  std::uint64_t connect_failures = 0;  // picks without a connection, which are not requests
  std::uint64_t errors = 0;
  std::optional<std::uint64_t> total = {};    // requests since its counters were reset
  bool came_anew = false;                     // a counter decreased
  std::optional<observed::Host> before = {};  // nullopt if unknown to the proxy then, or if only counts are known
  std::optional<observed::Host> after = {};
};

struct Observation {
  std::string cluster;
  std::vector<ObservedHost> hosts = {};  // by address
  bool reset = false;                    // a counter was reset in between
  bool restarted = false;                // all counters were reset, if known
  bool held = false;                     // hosts have weights, localities and health, not only counts
  bool last_attempts_alone = false;      // requests are known by their last host only, as in an access log
  std::uint64_t earlier_attempts = 0;    // of these requests, if the log has their number of attempts

  [[nodiscard]] std::uint64_t requests() const noexcept {
    std::uint64_t sum = 0;
    for (const ObservedHost& host : hosts) {
      sum += host.requests;
    }
    return sum;
  }
  // Returns the first host of this address; null if there is none. O(log n).
  [[nodiscard]] const ObservedHost* find(const std::string& address) const noexcept {
    const auto found =
        std::lower_bound(hosts.begin(), hosts.end(), address,
                         [](const ObservedHost& host, const std::string& of) { return host.address < of; });
    return found != hosts.end() && found->address == address ? &*found : nullptr;
  }
  // Sorts hosts after some were added; hosts of one address keep their order.
  void sort_hosts() {
    numeric::stable_sort(
        hosts, [](const ObservedHost& one, const ObservedHost& other) { return one.address < other.address; });
  }
};

// Returns the counts between the two times. `before` or `after` is null if the proxy does not know the cluster then or
// has not started. With /stats of both times (null if not given), a restart in between is detected.
[[nodiscard]] Observation observe(const observed::Cluster* before, const observed::Cluster* after,
                                  const std::string& name, const observed::Stats* stats_before = nullptr,
                                  const observed::Stats* stats_after = nullptr);

// Returns the counts of an access log by cluster: the one it names, else the only cluster with the address.
// `clusters_of` maps addresses to their clusters. Retried requests count only at their last host.
[[nodiscard]] std::map<std::string, Observation> observe(
    const observed::AccessLog& log, const std::map<std::string, std::vector<std::string>>& clusters_of);

// Returns the requests that are left out because their address belongs to no cluster or to several.
[[nodiscard]] UnassignedRequests unassigned_of(const observed::AccessLog& log,
                                               const std::map<std::string, std::vector<std::string>>& clusters_of);

// Returns the counts of a range query over rq_total of endpoints, all its proxies together. Labels are
// envoy_cluster_name or cluster_name, and envoy_endpoint_address or endpoint_address.
[[nodiscard]] std::map<std::string, Observation> observe(const observed::RangeAnswer& answer);

// True if the proxy's uptime decreased between the two times: every counter restarted at 0. False if unknown.
[[nodiscard]] bool was_restarted(const observed::Stats* before, const observed::Stats* after);

// True if the cluster's statistics restarted at 0 in between: a restart is known, or its count of requests decreased.
[[nodiscard]] bool began_anew(const observed::Stats* before, const observed::Stats* after, const std::string& cluster);

// Returns the increase of a cluster's statistic, since a reset if there was one; nullopt if it is missing at one time.
[[nodiscard]] std::optional<std::uint64_t> growth(const observed::Stats* before, const observed::Stats* after,
                                                  const std::string& cluster, std::string_view statistic);

}  // namespace spillway::compare
