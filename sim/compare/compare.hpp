// Predicted against observed: the shares that a proxy's configuration makes, beside what the proxy counted.
//
//   Comparison comparison = compare({.names = names, .read = read, .counts = {.before = &before, .after = &after}});
//   comparison.agrees();
//
// The health of hosts is what /clusters tells, where it is given; if it changed in between, the shares before and after
// are mixed in the parts that suit the counts best. Counts are judged by G-tests by host, zone and priority; all tests
// of a comparison together fail by accident with a chance of 1e-4 (Bonferroni). What does not fit is held against each
// likely reason. Deterministic. Linear in clusters and hosts, but for clusters that deviate: quadratic in their hosts.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace spillway::observed {
struct AccessLog;    // access_log.hpp
struct Clusters;     // clusters.hpp
struct RangeAnswer;  // prometheus_range.hpp
struct ServerInfo;   // server.hpp
struct Stats;        // stats.hpp
}  // namespace spillway::observed

namespace spillway::compare {

struct Comparison;  // comparison.hpp

// What was observed; null: not given. Counts are taken from the first of /clusters, hosts in /stats, Prometheus and the
// access log that is there. Without `before` they count since the proxy started.
struct Observed {
  const observed::Clusters* clusters_before = nullptr;
  const observed::Clusters* clusters_after = nullptr;
  const observed::Stats* stats_before = nullptr;
  const observed::Stats* stats_after = nullptr;
  const observed::RangeAnswer* range = nullptr;
  const observed::AccessLog* log = nullptr;
  const observed::ServerInfo* server = nullptr;
};

// A cluster of the configuration as a scenario of requests to it; none: it cannot be read, with the reason.
struct ClusterReading {
  std::optional<scenario::Scenario> scenario;
  std::string why = {};
  std::string assumed = {};  // what the documents do not say
  // Where routes bring metadata that choose other subsets: the same requests with theirs (route_subsets.hpp).
  std::vector<scenario::Scenario> other_ways = {};
  std::vector<std::string> notes = {};  // what is assumed of its requests
};

// What routes say of the clusters that they lead to.
struct RoutedClusters {
  std::set<std::string> named = {};          // by a route itself, not through an aggregate
  std::set<std::string> with_sessions = {};  // of whose requests some have a session that names their host
};

struct Input {
  std::vector<std::string> names = {};  // of the configuration's clusters, in its order
  std::function<ClusterReading(const std::string& name)> read = {};
  Observed observed = {};
  bool every_cluster = true;                    // `names` are all of the configuration
  std::function<RoutedClusters()> routed = {};  // asked once, where that decides; empty: nothing is known of routes
};

[[nodiscard]] Comparison compare(const Input& input);

}  // namespace spillway::compare
