// Requests a second that clients send to clusters, by what was counted between two moments that are `apart`.
//
//   CountedRates counted = counted_rates(observed, std::chrono::seconds{60}, {"backend"});
//   counted.rates.at("backend");
//
// Hosts and clusters count attempts. Of these retries are taken off where /stats count them, since clients do not send
// them; what is left lacks requests whose first attempt got no connection, so that the requests that were answered in
// the end (upstream_rq_completed) are the rate where they are more.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/compare/compare.hpp"

namespace spillway::compare {

struct CountedRates {
  std::map<std::string, double> rates;                         // by cluster
  std::set<std::string> at_least = {};                         // clusters of which counters were reset in between
  std::optional<std::chrono::nanoseconds> since_restart = {};  // how long they were counted instead of all the time
};

// Of every cluster in /clusters, and of `names` by /stats. Empty without two moments of one of them. Where the proxy
// was restarted and says how long ago, rates are those since then.
[[nodiscard]] CountedRates counted_rates(const Observed& observed, std::chrono::nanoseconds apart,
                                         const std::set<std::string>& names);

}  // namespace spillway::compare
