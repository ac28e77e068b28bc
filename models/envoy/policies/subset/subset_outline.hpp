// The structure of a subset balancer, for people to look at: its selectors with what became of their fallbacks, and the
// tree of keys and values that lookups walk.
//
//   const SubsetOutline outline = outline_of(config, state->subsets->selectors, state->subsets->directory);
//   outline.keys[0].name;                      // "stage"
//   outline.keys[0].values[0].keys[0].name;    // "type": a further key of the selector {stage, type}
//
// Keys stand in byte order, values in the order in which the hosts bring them. Quadratic in the values of a key.
// Source: docs/behaviour/envoy-host-pick.md 12; the diagram of Envoy's subset load balancer document.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/envoy/policies/subset/subset.hpp"

namespace spillway::envoy::policies::subset {

struct SelectorOutline {
  KeySet keys;
  bool single_host_per_subset = false;
  SelectorFallbackPolicy fallback_policy = SelectorFallbackPolicy::not_defined;
  KeySet fallback_keys_subset;
  // The policy is written but has no effect: an earlier selector's keys begin with these, or are the same.
  bool fallback_is_lost = false;
  std::size_t subsets = 0;  // that this selector was the first to make
};

struct KeyOutline;

// One value of a key: the end of a subset's path, or a step towards longer ones, or both.
struct ValueOutline {
  config::Value value;
  std::optional<SubsetIndex> subset;
  std::vector<KeyOutline> keys;
};

struct KeyOutline {
  std::string name;
  std::vector<ValueOutline> values;
};

struct SubsetOutline {
  std::vector<SelectorOutline> selectors;  // in the order of the configuration, those without keys left out
  std::vector<KeyOutline> keys;            // the tree
};

[[nodiscard]] SubsetOutline outline_of(const Config& config, const Selectors& selectors, const Directory& directory);

}  // namespace spillway::envoy::policies::subset
