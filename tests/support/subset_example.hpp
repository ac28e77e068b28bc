// The example of Envoy's subset document: hosts e1 to e7, four selectors and a default subset.
//
// Source: docs/behaviour/envoy-before-pick.md 15.13.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/policies/subset/subset.hpp"

namespace spillway::support::subset_example {

using Pairs = std::vector<std::pair<std::string, std::string>>;

inline config::Struct structure(const Pairs& pairs) {
  config::Struct result;
  for (const auto& [key, value] : pairs) {
    result.set(key, value);
  }
  return result;
}

// The example cluster of the subset document: e1 to e7.
inline config::ClusterLoadAssignment example_hosts() {
  config::ClusterLoadAssignment result;
  auto& hosts = result.endpoints.emplace_back().lb_endpoints;
  const auto add = [&hosts](const std::string& name, const Pairs& pairs) {
    hosts.push_back({.address = name, .metadata = structure(pairs)});
  };
  add("e1", {{"stage", "prod"}, {"version", "1.0"}, {"type", "std"}, {"xlarge", "true"}});
  add("e2", {{"stage", "prod"}, {"version", "1.0"}, {"type", "std"}});
  add("e3", {{"stage", "prod"}, {"version", "1.1"}, {"type", "std"}});
  add("e4", {{"stage", "prod"}, {"version", "1.1"}, {"type", "std"}});
  add("e5", {{"stage", "prod"}, {"version", "1.0"}, {"type", "bigmem"}});
  add("e6", {{"stage", "prod"}, {"version", "1.1"}, {"type", "bigmem"}});
  add("e7", {{"stage", "dev"}, {"version", "1.2-pre"}, {"type", "std"}});
  return result;
}

inline envoy::policies::subset::Config example_config() {
  envoy::policies::subset::Config config;
  config.fallback_policy = envoy::policies::subset::FallbackPolicy::default_subset;
  config.default_subset = structure({{"stage", "prod"}, {"version", "1.0"}, {"type", "std"}});
  for (const auto& keys : std::vector<std::vector<std::string>>{
           {"stage", "type"}, {"stage", "version"}, {"version"}, {"xlarge", "version"}}) {
    config.subset_selectors.emplace_back().keys = keys;
  }
  return config;
}

}  // namespace spillway::support::subset_example
