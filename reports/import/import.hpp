// What a proxy knows as a scenario file that a person would have written (docs/import.md).
//
//   std::string yaml = import_scenario({.proxies = {{{&scenario}}}, .rates = {{"backend", 120.0}}}).text;
//
// Zones come from localities, a service from each cluster, groups with a `count` from endpoints that are alike, the
// clients from the proxies' nodes, health as it was told. What is a guess has a comment that says so. Exact shares of
// the file are those of the clusters: `spillway share` of both agree, host by host or, where hosts are alike, as a
// whole.
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
  // Each a scenario of requests to one cluster, or of one described request by its route (read_envoy_documents.hpp): of
  // its first client. Described ones become routes.
  std::vector<const scenario::Scenario*> clusters = {};
  std::uint32_t concurrency = 0;  // workers; 0: not told
};

struct Input {
  std::vector<Proxy> proxies = {};
  std::map<std::string, double> rates = {};            // requests a second, by cluster, where they were counted
  std::set<std::string> at_least = {};                 // clusters of which counters were reset: they may have had more
  std::set<std::string> after_drops = {};              // clusters whose rates lack what their drop_overloads dropped
  observed::RatePhases phases = {};                    // instead of them, where a time is told for each count
  std::optional<double> rate = {};                     // of the others
  std::optional<std::chrono::nanoseconds> apart = {};  // how long they were counted
  std::map<std::string, std::string> traces = {};      // by cluster: the file that says when requests to it came
  std::vector<std::string> left_out = {};              // what the scenario does not have, with the reason
  std::string source = {};                             // what it was made from, for the first comment
  bool simulates = false;                              // mode requests, instead of exact
};

struct Imported {
  std::string text;                        // YAML
  std::vector<std::string> findings = {};  // what documents or counts contradict each other in
};

// A cluster that two proxies were told differently becomes a service for each of them, and a finding; one whose count
// the rates of its routes miss by more than 1 % is a finding too (rate_fit.hpp).
[[nodiscard]] Imported import_scenario(const Input& input);

}  // namespace spillway::reports::importing
