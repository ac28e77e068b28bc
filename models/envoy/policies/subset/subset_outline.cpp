#include "models/envoy/policies/subset/subset_outline.hpp"

#include <algorithm>

namespace spillway::envoy::policies::subset {

namespace {

ValueOutline& value_below(std::vector<KeyOutline>& keys, const config::Field& step) {
  auto key = std::lower_bound(keys.begin(), keys.end(), step.name,
                              [](const KeyOutline& left, const std::string& name) { return left.name < name; });
  if (key == keys.end() || key->name != step.name) {
    key = keys.insert(key, KeyOutline{step.name, {}});
  }
  const auto value = std::find_if(key->values.begin(), key->values.end(),
                                  [&step](const ValueOutline& known) { return known.value == step.value; });
  return value != key->values.end() ? *value : key->values.emplace_back(ValueOutline{step.value, std::nullopt, {}});
}

void add_path(std::vector<KeyOutline>& keys, const std::vector<config::Field>& path, SubsetIndex subset) {
  std::vector<KeyOutline>* below = &keys;
  for (std::size_t step = 0; step < path.size(); ++step) {
    ValueOutline& value = value_below(*below, path[step]);
    if (step + 1 == path.size()) {
      value.subset = subset;
    }
    below = &value.keys;
  }
}

}  // namespace

SubsetOutline outline_of(const Config& config, const Selectors& selectors, const Directory& directory) {
  SubsetOutline outline;
  for (const Selector& selector : config.subset_selectors) {
    if (selector.keys.empty()) {
      continue;
    }
    const std::size_t entry = outline.selectors.size();
    const KeySet& keys = selectors.entries()[entry].keys;
    const Selectors::Fallback* const kept = selectors.fallback(keys);
    const bool defined = selector.fallback_policy != SelectorFallbackPolicy::not_defined;
    const KeySet wanted = key_set(selector.fallback_keys_subset);
    outline.selectors.push_back(
        {.keys = keys,
         .single_host_per_subset = selector.single_host_per_subset,
         .fallback_policy = selector.fallback_policy,
         .fallback_keys_subset = wanted,
         .fallback_is_lost =
             defined && (kept == nullptr || kept->policy != selector.fallback_policy || kept->keys_subset != wanted)});
  }
  for (std::uint32_t index = 0; index < directory.subsets().size(); ++index) {
    const Directory::Subset& subset = directory.subsets()[index];
    ++outline.selectors[subset.selector].subsets;
    add_path(outline.keys, subset.path, {index});
  }
  return outline;
}

}  // namespace spillway::envoy::policies::subset
