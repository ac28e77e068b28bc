// Rates [requests/s] of clients to clusters, from counts at two times that are `apart`.
//
//   CountedRates counted = counted_rates(observed, std::chrono::seconds{60}, {{"backend"}});
//   counted.rates.at("backend");
//
// Hosts and clusters count attempts with a connection (upstream_rq_total). Attempts without one are in
// upstream_rq_pending_overflow, upstream_rq_pending_failure_eject and upstream_cx_none_healthy. The sum minus retries,
// which clients do not send, is the number of requests that were not dropped. upstream_rq_completed counts all
// responses of any kind; it is used if it is larger. Requests of an aggregate cluster are completed at the aggregate;
// attempts are counted by the clusters below it.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace spillway::compare {

struct Observed;  // compare.hpp

// A cluster that clients request.
struct AskedCluster {
  std::string name;
  std::vector<std::string> below = {};  // members of an aggregate
};

struct CountedRates {
  std::map<std::string, double> rates;     // by cluster
  std::set<std::string> at_least = {};     // clusters with counters reset in between
  std::set<std::string> after_drops = {};  // only attempts are known: requests dropped by drop_overloads are missing
  std::optional<std::chrono::nanoseconds> since_restart = {};  // length of the counted time after a restart
};

// Returns the rates of every cluster in /clusters. For requested clusters and those below them, /stats are used. Empty
// without two times of either. An aggregate has a rate only if /stats contain completed requests; otherwise its
// requests are part of the rates of the clusters below. After a restart of the proxy with a known time, rates are since
// the restart.
[[nodiscard]] CountedRates counted_rates(const Observed& observed, std::chrono::nanoseconds apart,
                                         const std::vector<AskedCluster>& asked);

}  // namespace spillway::compare
