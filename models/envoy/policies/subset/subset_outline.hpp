// The structure of a subset balancer, for display: its selectors, with the fallbacks that are in effect, and the tree
// of keys and values that lookups walk.
//
//   const SubsetOutline outline = outline_of(config, state->subsets->selectors, state->subsets->directory);
//   outline.keys[0].name;                      // "stage"
//   outline.keys[0].values[0].keys[0].name;    // "type": a further key of the selector {stage, type}
//
// Keys are in byte order, values in the order of the hosts. Quadratic in the values of a key. Source:
// docs/behaviour/envoy-host-pick.md 12; the diagram of Envoy's subset load balancer document.
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
  // A fallback policy is written but without effect: an earlier selector has these keys, or begins with them.
  bool fallback_is_lost = false;
  std::size_t subsets = 0;  // number of subsets that this selector created
};

struct KeyOutline;

// One value of a key: the end of a subset's path, a step towards longer ones, or both.
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
  std::vector<SelectorOutline> selectors;  // in configured order, without those that have no keys
  std::vector<KeyOutline> keys;            // the tree
};

[[nodiscard]] SubsetOutline outline_of(const Config& config, const Selectors& selectors, const Directory& directory);

}  // namespace spillway::envoy::policies::subset
