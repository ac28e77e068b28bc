// Writes a proxy's configuration as a scenario file that a person could have written (docs/import.md).
//
//   std::string yaml = import_scenario({.proxies = {{{&scenario}}}, .rates = {{"backend", 120.0}}}).text;
//
// Zones come from localities, a service from each cluster, and groups with a `count` from similar endpoints. Clients
// come from the proxies' nodes, and health is as EDS reported it. Guesses are marked by a comment. Exact shares of the
// file are those of the clusters: `spillway share` of both agrees, host by host or, for identical hosts, in total.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/observed/rate_phases.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::importing {

struct Proxy {
  // Scenarios of requests to one cluster each, or of one described request by its route (read_envoy_documents.hpp), for
  // the scenario's first client. Described requests become routes.
  std::vector<const scenario::Scenario*> clusters = {};
  std::uint32_t concurrency = 0;  // number of workers; 0 if unknown
};

struct Input {
  std::vector<Proxy> proxies = {};
  std::map<std::string, double> rates = {};            // requests per second, by cluster, if counted
  std::set<std::string> at_least = {};                 // clusters whose counters were reset: a lower bound
  std::set<std::string> after_drops = {};              // clusters whose rates exclude drop_overloads
  observed::RatePhases phases = {};                    // instead of them, if each count has a time
  std::optional<double> rate = {};                     // of clusters without an entry in `rates`
  std::optional<std::chrono::nanoseconds> apart = {};  // the length of the count
  std::map<std::string, std::string> traces = {};      // by cluster: the file with the arrival times of its requests
  std::vector<std::string> left_out = {};              // parts missing from the scenario, with the reason
  std::string source = {};                             // named in the first comment
  bool simulates = false;                              // mode requests instead of exact
};

struct Imported {
  std::string text;                        // YAML
  std::vector<std::string> findings = {};  // contradictions among documents or counts
};

// Imports the proxies. A cluster that two proxies received differently becomes one service per proxy, and a finding. It
// is also a finding if the rates of a cluster's routes miss its count by more than 1 % (rate_fit.hpp).
[[nodiscard]] Imported import_scenario(const Input& input);

}  // namespace spillway::reports::importing
