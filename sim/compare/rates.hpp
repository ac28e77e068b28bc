// Requests a second that clients send to clusters, by what was counted between two moments that are `apart`.
//
//   CountedRates counted = counted_rates(observed, std::chrono::seconds{60}, {{"backend"}});
//   counted.rates.at("backend");
//
// Hosts and clusters count attempts that got a connection (upstream_rq_total). With those that got none
// (upstream_rq_pending_overflow, upstream_rq_pending_failure_eject, upstream_cx_none_healthy) and without retries,
// which clients do not send, they are the requests that were not dropped. All that were answered, whatever with, are
// upstream_rq_completed: the rate where they are more. The requests of an aggregate cluster are completed there, and
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

// A cluster that clients ask for.
struct AskedCluster {
  std::string name;
  std::vector<std::string> below = {};  // of an aggregate
};

struct CountedRates {
  std::map<std::string, double> rates;     // by cluster
  std::set<std::string> at_least = {};     // clusters of which counters were reset in between
  std::set<std::string> after_drops = {};  // of which attempts alone are known: no request that drop_overloads dropped
  std::optional<std::chrono::nanoseconds> since_restart = {};  // how long they were counted instead of all the time
};

// Of every cluster in /clusters, and of those that are asked for and those below them by /stats. Empty without two
// moments of one of them. An aggregate has a rate where /stats say what was completed; else that of the clusters below
// it contains it. Where the proxy was restarted and says how long ago, rates are those since then.
[[nodiscard]] CountedRates counted_rates(const Observed& observed, std::chrono::nanoseconds apart,
                                         const std::vector<AskedCluster>& asked);

}  // namespace spillway::compare
