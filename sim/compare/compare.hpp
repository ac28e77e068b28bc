// Compares the shares predicted from a proxy's configuration with the proxy's counts.
//
//   Comparison comparison = compare({.names = names, .read = read, .counts = {.before = &before, .after = &after}});
//   comparison.agrees();
//
// The health of hosts is that of /clusters, if given. If it changed in between, the shares before and after are mixed
// in the proportions that fit the counts best. Counts are tested with G-tests by host, zone and priority. All tests of
// a comparison together have a false-alarm chance of 1e-4 (Bonferroni). Deviations are tested against each likely
// reason. Deterministic. O(clusters + hosts), but quadratic in the hosts of clusters that deviate.
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

// The observed data; null if not given. Counts come from the first available of /clusters, hosts in /stats, Prometheus
// and the access log. Without `before`, they count since the proxy started.
struct Observed {
  const observed::Clusters* clusters_before = nullptr;
  const observed::Clusters* clusters_after = nullptr;
  const observed::Stats* stats_before = nullptr;
  const observed::Stats* stats_after = nullptr;
  const observed::RangeAnswer* range = nullptr;
  const observed::AccessLog* log = nullptr;
  const observed::ServerInfo* server = nullptr;
};

// A cluster of the configuration as a scenario of requests to it; nullopt if it cannot be read, with the reason in
// `why`.
struct ClusterReading {
  std::optional<scenario::Scenario> scenario;
  std::string why = {};
  std::string assumed = {};  // facts missing in the documents
  // Copies of the requests with other metadata, if routes add metadata that choose other subsets (route_subsets.hpp).
  std::vector<scenario::Scenario> other_ways = {};
  std::vector<std::string> notes = {};  // assumptions about its requests
};

// The targets of routes.
struct RoutedClusters {
  std::set<std::string> named = {};          // by a route itself, not through an aggregate
  std::set<std::string> with_sessions = {};  // some requests have a session that names their host
};

struct Input {
  std::vector<std::string> names = {};  // the configuration's clusters, in its order
  std::function<ClusterReading(const std::string& name)> read = {};
  Observed observed = {};
  bool every_cluster = true;                    // `names` are all of the configuration
  std::function<RoutedClusters()> routed = {};  // called at most once, if needed; empty if routes are unknown
};

[[nodiscard]] Comparison compare(const Input& input);

}  // namespace spillway::compare
