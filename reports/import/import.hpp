// What a proxy knows as a scenario file that a person would have written (docs/import.md).
//
//   std::string yaml = import_scenario({.clusters = {&scenario}, .rates = {{"backend", 120.0}}});
//
// Zones come from localities, a service from each cluster, groups with a `count` from endpoints that are alike, the
// client from the proxy's node, health as it was told. What is a guess has a comment that says so. Exact shares of the
// file are those of the clusters: `spillway share` of both agree, host by host or, where hosts are alike, as a whole.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace spillway::reports::importing {

struct Input {
  // Each a scenario of requests to one cluster (read_envoy_documents.hpp): its first client asks for its first service.
  std::vector<const scenario::Scenario*> clusters = {};
  std::map<std::string, double> rates = {};            // requests a second, by cluster, where they were counted
  std::optional<double> rate = {};                     // of the others
  std::optional<std::chrono::nanoseconds> apart = {};  // how long they were counted
  std::string source = {};                             // what it was made from, for the first comment
  std::uint32_t concurrency = 0;                       // workers of the proxy; 0: not told
};

[[nodiscard]] std::string import_scenario(const Input& input);

}  // namespace spillway::reports::importing
