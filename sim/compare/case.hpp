// One cluster under test: its counts, and the facts about its configuration. For compare.cpp and the reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/compare/observation.hpp"
#include "sim/compare/prediction.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::compare {

class AskedThrough;
class Ground;    // fit.hpp
struct Mixture;  // fit.hpp

struct Case {
  scenario::Scenario scenario;
  Observation observation;                          // for an aggregate, of all children together
  std::vector<scenario::Scenario> other_ways = {};  // for requests whose routes choose other subsets
  std::optional<Observation> local_cluster = {};    // nullopt if the proxy has none, or reports nothing about it
  std::vector<PredictedHost> configured = {};       // with the configuration's weights and health
  EdsReport before = {};                            // from /clusters at the first time; `after` at the second
  EdsReport after = {};
  std::vector<Prediction> states = {};    // possible states in between
  std::vector<std::string> changed = {};  // addresses whose health or membership differs between the two times
  std::optional<std::uint64_t> retries = {};
  std::optional<std::uint64_t> ejections = {};
  std::optional<std::uint64_t> membership_changes = {};
  std::optional<std::uint64_t> check_failures = {};
  std::optional<std::uint64_t> logged = {};  // requests in the access log, if it was given in addition to counts
  std::map<std::string, std::uint64_t> logged_hosts = {};
  std::uint64_t unknown = 0;  // requests of hosts that are not in the configuration
  std::uint32_t concurrency = 0;
  bool one_moment = false;   // counts are since the proxy started, and earlier hosts are unknown
  std::string assumed = {};  // assumptions about the configuration where documents are incomplete

  [[nodiscard]] const std::vector<PredictedHost>& hosts() const noexcept { return states.front().hosts; }
};

// Returns the predictions for each path of the requests; those of Case::scenario come first.
[[nodiscard]] std::vector<Prediction> predict_ways(const Case& one, const EdsReport& reported);

// Returns counts by predicted host, in order. `unknown` receives the requests of hosts that are not in the
// configuration.
[[nodiscard]] std::vector<std::uint64_t> counts_of(const std::vector<PredictedHost>& hosts,
                                                   const Observation& observation, std::uint64_t* unknown = nullptr);

// Fills one row per host, zone and priority: shares of `base`, counts, and health at both times. A share that is exact
// only together with others is left out.
void fill_rows(ClusterComparison& result, const Case& one, const Ground& ground, const Mixture& base);

// Returns the first hosts whose health or membership changed: "10.0.0.1:80 healthy -> /failed_eds_health".
[[nodiscard]] std::string changed_text(const Case& one);

// Returns the settings of hosts that differ between configuration and proxy, in the order of the configuration.
[[nodiscard]] std::vector<Difference> differences_of(const Case& one);

// Returns an address that the configuration lists several times with different health; empty if there is none.
[[nodiscard]] std::string reported_twice(const Case& one);

// For counts that deviate without an observed reason: returns a possible cause that does not contradict the
// configuration, so that no verdict is possible. Empty if there is none.
[[nodiscard]] std::string nothing_to_say(const Case& one, const ClusterComparison& result, const AskedThrough& asked);

// A case whose counts are compared with the mixture of states that fits them best.
struct Tested {
  const Case& one;
  const Ground& ground;
  const Mixture& base;
  double threshold;  // counts fit a reason if their chance under it is at least this

  // Returns a reason by the chance of the counts under it. `seen`: it is visible in the data.
  [[nodiscard]] Reason reason(ReasonKind kind, double chance, bool seen, std::string text) const {
    return {kind, chance >= threshold, seen, chance, std::move(text)};
  }
};

// Tests each likely reason for deviating counts; those that explain the counts come first.
[[nodiscard]] std::vector<Reason> reasons_of(const Tested& tested);

// Attempts of retried requests: counts include them at hosts that were not picked first, and an access log omits them.
// nullopt if there are none.
[[nodiscard]] std::optional<Reason> retried_requests(const Tested& tested);

// Counters that were reset in between: all of them by a restart, or those of hosts with a decreased counter, which lost
// an unknown number of requests. nullopt if none was, or if a restart is known, since nothing is missing after it.
[[nodiscard]] std::optional<Reason> reset_counters(const Tested& tested);

// Returns hosts with more requests in the access log than counted: "700 of 10.0.0.2:80 where 500 were counted". The log
// is then of another time or proxy. Empty if there are none.
[[nodiscard]] std::string logged_beyond_counts(const Case& one);

// Requests that hosts counted but that are missing in this client's access log: they come from another client. nullopt
// if there is no log or nothing is missing.
[[nodiscard]] std::optional<Reason> requests_beyond_log(const Tested& tested);

// The result of testing whether a host got more than least request can give it.
struct MostPicked {
  std::size_t hosts = 0;
  double chance = 1.0;    // upper bound, for this many picks of any host
  std::string text = {};  // about the host furthest beyond its bound; empty if there is none
};

// Returns nullopt if picks are not made from randomly drawn hosts.
[[nodiscard]] std::optional<MostPicked> most_picked(const Case& one, const Ground& ground);

// Differences between the hosts in /clusters and those of the configuration, in the cluster and in the proxy's local
// cluster. nullopt if there are none except in weights.
[[nodiscard]] std::optional<Reason> held_otherwise(const Tested& tested);

// Picks that failed to connect, for hosts selected by `is_meant`; `words` follow the number of each. nullopt if there
// are none.
[[nodiscard]] std::optional<Reason> picks_without_connection(
    const Tested& tested, const std::string& words,
    const std::function<bool(std::size_t position, const ObservedHost& host)>& is_meant);

// For counts that fit: other signs that they differ from the prediction. A second client with the same picks is missing
// in this client's log. A dead host (reported healthy, failed connections and no request) may be hidden in a sum that
// is exact only as a whole.
[[nodiscard]] std::vector<Reason> traces_beside_counts(const Tested& tested);

}  // namespace spillway::compare
