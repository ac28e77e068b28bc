// One cluster on trial: what was counted of it, and what may be asked of its configuration. For compare.cpp and the
// reasons.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
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
  Observation observation;                          // of an aggregate: of its children together
  std::vector<scenario::Scenario> other_ways = {};  // of requests whose routes choose other subsets
  std::optional<Observation> local_cluster = {};    // none: the proxy has none, or tells nothing of it
  std::vector<PredictedHost> configured = {};       // with the weights and health that the configuration gives them
  EdsReport before = {};                            // as /clusters tells it at the two moments
  EdsReport after = {};
  std::vector<Prediction> states = {};    // what may have held in between
  std::vector<std::string> changed = {};  // addresses whose health or membership is not the same at both
  std::optional<std::uint64_t> retries = {};
  std::optional<std::uint64_t> ejections = {};
  std::optional<std::uint64_t> membership_changes = {};
  std::optional<std::uint64_t> check_failures = {};
  std::optional<std::uint64_t> logged = {};  // requests in the access log, where it was given beside counts
  std::map<std::string, std::uint64_t> logged_hosts = {};
  std::uint64_t unknown = 0;  // requests of hosts that the configuration does not have
  std::uint32_t concurrency = 0;
  bool one_moment = false;   // counts are since the proxy started, and nothing is known of the hosts before
  std::string assumed = {};  // of the configuration, where the documents do not say

  [[nodiscard]] const std::vector<PredictedHost>& hosts() const noexcept { return states.front().hosts; }
};

// By each way of its requests, those of Case::scenario first.
[[nodiscard]] std::vector<Prediction> predict_ways(const Case& one, const EdsReport& reported);

// Counts by predicted host, in their order; `unknown`: what hosts got that the configuration does not have.
[[nodiscard]] std::vector<std::uint64_t> counts_of(const std::vector<PredictedHost>& hosts,
                                                   const Observation& observation, std::uint64_t* unknown = nullptr);

// A row for each host, zone and priority: shares of `base`, counts, and health at both moments. A share that is exact
// only together with others is left out.
void fill_rows(ClusterComparison& result, const Case& one, const Ground& ground, const Mixture& base);

// "10.0.0.1:80 healthy -> /failed_eds_health", of the first hosts whose health or membership changed.
[[nodiscard]] std::string changed_text(const Case& one);

// What the configuration says of hosts and the proxy holds otherwise, in the order of the configuration.
[[nodiscard]] std::vector<Difference> differences_of(const Case& one);

// An address that the configuration lists several times, with another health; empty: there is none.
[[nodiscard]] std::string reported_twice(const Case& one);

// Of counts that deviate, where no reason was seen that explains them: what may have made them though the proxy does as
// configured, so that nothing can be said. Empty: nothing that is known of.
[[nodiscard]] std::string nothing_to_say(const Case& one, const ClusterComparison& result, const AskedThrough& asked);

// Each likely reason for counts that do not fit, tested; those that explain them first. `threshold`: the chance above
// which counts fit.
[[nodiscard]] std::vector<Reason> reasons_of(const Case& one, const Ground& ground, const Mixture& base,
                                             double threshold);

// Attempts of requests that were tried again: counts have them at hosts that were not picked first, an access log lacks
// them. Nothing: there are none.
[[nodiscard]] std::optional<Reason> retried_requests(const Case& one, const Ground& ground, const Mixture& base,
                                                     double threshold);

// Counters that began anew in between: all of them, as a restart makes them, or those of hosts of which a counter fell,
// which lost any number of requests. Nothing: none did, or a restart is known, since which nothing is missing.
[[nodiscard]] std::optional<Reason> reset_counters(const Case& one, const Ground& ground, const Mixture& base,
                                                   double threshold);

// "700 of 10.0.0.2:80 where 500 were counted": hosts of which the access log has more requests than were counted, so
// that it is of another time or proxy. Empty: there are none.
[[nodiscard]] std::string logged_beyond_counts(const Case& one);

// Requests that hosts counted and the access log of this client, given beside the counts, does not have: of another
// one. Nothing: there is no log, or it has them all.
[[nodiscard]] std::optional<Reason> requests_beyond_log(const Case& one, const Ground& ground, const Mixture& base,
                                                        double threshold);

// Whether a host got more than least request can give it.
struct MostPicked {
  std::size_t hosts = 0;
  double chance = 1.0;    // of so many picks of any host, at most
  std::string text = {};  // of the host that is furthest beyond its bound; empty: none is
};

// Nothing: picks are not made among hosts that are drawn.
[[nodiscard]] std::optional<MostPicked> most_picked(const Case& one, const Ground& ground);

// The hosts that /clusters shows instead of those of the configuration, in the cluster and in the proxy's local
// cluster. Nothing: they are the same, but for weights.
[[nodiscard]] std::optional<Reason> held_otherwise(const Case& one, double threshold);

// Picks of the hosts that are meant which failed to connect; `words` follow the number of each. Nothing: there are
// none.
[[nodiscard]] std::optional<Reason> picks_without_connection(
    const Case& one, const Ground& ground, const Mixture& base, double threshold, const std::string& words,
    const std::function<bool(std::size_t position, const ObservedHost& host)>& is_meant);

// Where the counts fit: what shows all the same that they are not what was predicted. A second client that picks as the
// first does is in no log of this one, and a dead host (called healthy, failed connections and no request) may be one
// of some whose sum alone is exact.
[[nodiscard]] std::vector<Reason> traces_beside_counts(const Case& one, const Ground& ground, const Mixture& base,
                                                       double threshold);

}  // namespace spillway::compare
