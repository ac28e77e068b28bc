#include "models/envoy/policies/subset/subset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "models/envoy/host_set.hpp"

namespace spillway::envoy::policies::subset {

namespace {

constexpr std::string_view fallback_list_key = "fallback_list";

bool allows(CriteriaView criteria, std::string_view key) noexcept {
  return criteria.keys == nullptr ||
         std::binary_search(criteria.keys->begin(), criteria.keys->end(), key, std::less<>());
}

// Calls visit(field) for each criterion until it returns false.
template <class Visit>
void for_each_criterion(CriteriaView criteria, Visit visit) {
  if (criteria.values == nullptr) {
    return;
  }
  for (const config::Field& field : criteria.values->fields()) {
    if (allows(criteria, field.name) && !visit(field)) {
      return;
    }
  }
}

// Returns the paths of a host under a selector: one; with list_as_any one per combination of the lists' elements.
//
// As in Envoy, an empty list discards the keys before it, so a path may be shorter than the selector.
std::vector<std::vector<config::Field>> paths_of(const KeySet& keys, const config::Struct& metadata, bool list_as_any) {
  std::vector<std::vector<config::Field>> paths;
  for (const std::string& key : keys) {
    const config::Value* const value = metadata.find(key);
    if (value == nullptr) {
      return {};
    }
    const config::Value::List* const list = list_as_any ? value->as_list() : nullptr;
    const std::span<const config::Value> choices = list != nullptr ? std::span(*list) : std::span(value, 1);
    if (paths.empty()) {
      paths.emplace_back();
    }
    std::vector<std::vector<config::Field>> longer;
    for (const auto& path : paths) {
      for (const config::Value& choice : choices) {
        longer.push_back(path);
        longer.back().push_back({key, choice});
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

}  // namespace

KeySet key_set(std::vector<std::string> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

Criteria::Criteria(config::Struct requested) : requested_(std::move(requested)) {
  const config::Value* const given = requested_->find(fallback_list_key);
  if (given == nullptr) {
    return;
  }
  config::Struct base = *requested_;
  base.remove(fallback_list_key);
  const config::Value::List* const list = given->as_list();
  if (list == nullptr || list->empty()) {
    fallback_list_.emplace({base});
    return;
  }
  fallback_list_.emplace();
  for (const config::Value& element : *list) {
    config::Struct& attempt = fallback_list_->emplace_back(base);
    if (const config::Struct* const overrides = element.as_struct()) {
      attempt.merge(*overrides);
    }
  }
}

Selectors::Selectors(const Config& config) : tree_(1) {
  for (const Selector& selector : config.subset_selectors) {
    KeySet keys = key_set(selector.keys);
    if (keys.empty()) {
      continue;
    }
    store_fallback(selector, keys);
    entries_.push_back({std::move(keys), selector.single_host_per_subset});
  }
  most_keys_first_.resize(entries_.size());
  std::iota(most_keys_first_.begin(), most_keys_first_.end(), 0U);
  std::sort(most_keys_first_.begin(), most_keys_first_.end(), [this](std::uint32_t left, std::uint32_t right) {
    const std::size_t left_keys = entries_[left].keys.size();
    const std::size_t right_keys = entries_[right].keys.size();
    return left_keys != right_keys ? left_keys > right_keys : left < right;
  });
}

void Selectors::store_fallback(const Selector& selector, const KeySet& keys) {
  std::uint32_t node = 0;
  bool created = false;
  for (const std::string& key : keys) {
    const auto found = tree_[node].next.find(key);
    created = found == tree_[node].next.end();
    if (created) {
      const auto next = static_cast<std::uint32_t>(tree_.size());
      tree_[node].next.emplace(key, next);
      tree_.emplace_back();
      node = next;
    } else {
      node = found->second;
    }
  }
  if (created) {
    tree_[node].fallback = {selector.fallback_policy, key_set(selector.fallback_keys_subset)};
  }
}

const KeySet* Selectors::most_specific(CriteriaView criteria) const noexcept {
  for (const std::uint32_t position : most_keys_first_) {
    const KeySet& keys = entries_[position].keys;
    const bool all_asked_for = std::all_of(keys.begin(), keys.end(), [criteria](const std::string& key) {
      return criteria.values != nullptr && allows(criteria, key) && criteria.values->find(key) != nullptr;
    });
    if (all_asked_for) {
      return &keys;
    }
  }
  return nullptr;
}

const Selectors::Fallback* Selectors::fallback(CriteriaView criteria) const noexcept {
  const Node* node = tree_.empty() ? nullptr : tree_.data();
  bool any = false;
  for_each_criterion(criteria, [&](const config::Field& field) {
    any = true;
    if (node != nullptr) {
      const auto next = node->next.find(field.name);
      node = next == node->next.end() ? nullptr : &tree_[next->second];
    }
    return node != nullptr;
  });
  return any && node != nullptr ? &node->fallback : nullptr;
}

const Selectors::Fallback* Selectors::fallback(const KeySet& keys) const noexcept {
  const Node* node = tree_.empty() ? nullptr : tree_.data();
  for (std::size_t key = 0; node != nullptr && key < keys.size(); ++key) {
    const auto next = node->next.find(keys[key]);
    node = next == node->next.end() ? nullptr : &tree_[next->second];
  }
  return keys.empty() || node == nullptr ? nullptr : &node->fallback;
}

Directory::Directory(const Config& config, const Selectors& selectors, const PrioritySet& hosts) {
  if (hosts.endpoints == nullptr) {
    return;
  }
  for (const HostSet& set : hosts.host_sets) {
    for (const config::HostIndex host : set.all.hosts()) {
      const config::Struct& metadata = (*hosts.endpoints)[host.value].metadata;
      for (std::uint32_t selector = 0; selector < selectors.entries().size(); ++selector) {
        for (auto& path : paths_of(selectors.entries()[selector].keys, metadata, config.list_as_any)) {
          add(selectors, selector, std::move(path), host);
        }
      }
    }
  }
}

void Directory::add(const Selectors& selectors, std::uint32_t selector, std::vector<config::Field> path,
                    config::HostIndex host) {
  std::uint32_t node = 0;
  for (const config::Field& field : path) {
    const auto unused = static_cast<std::uint32_t>(nodes_.size());
    const auto [place, created] = nodes_[node].next[field.name].try_emplace(field.value, unused);
    node = place->second;
    if (created) {
      nodes_.emplace_back();
    }
  }
  std::optional<SubsetIndex>& index = nodes_[node].subset;
  if (!index) {
    index = SubsetIndex{static_cast<std::uint32_t>(subsets_.size())};
    const bool single_host = selectors.entries()[selector].single_host_per_subset;
    subsets_.push_back({.hosts = {}, .single_host = single_host, .path = std::move(path), .selector = selector});
  }
  Subset& subset = subsets_[index->value];
  if (subset.single_host && !subset.hosts.empty()) {
    ++subset.duplicates;
  } else if (subset.hosts.empty() || subset.hosts.back() != host) {  // a host may arrive by several paths in succession
    subset.hosts.push_back(host);
  }
}

const Directory::Node* Directory::step(const Node& node, std::string_view key,
                                       const config::Value& value) const noexcept {
  const auto values = node.next.find(key);
  if (values == node.next.end()) {
    return nullptr;
  }
  const auto next = values->second.find(value);
  return next == values->second.end() ? nullptr : &nodes_[next->second];
}

std::optional<SubsetIndex> Directory::find(CriteriaView criteria) const noexcept {
  const Node* node = nodes_.data();
  for_each_criterion(criteria, [&](const config::Field& field) {
    node = step(*node, field.name, field.value);
    return node != nullptr;
  });
  return node == nullptr ? std::nullopt : node->subset;
}

std::optional<SubsetIndex> Directory::find(std::span<const config::Field> path) const noexcept {
  const Node* node = nodes_.data();
  for (const config::Field& field : path) {
    node = step(*node, field.name, field.value);
    if (node == nullptr) {
      return std::nullopt;
    }
  }
  return node->subset;
}

bool matches(const config::Struct& wanted, const config::Struct& metadata, bool list_as_any) noexcept {
  return std::all_of(wanted.fields().begin(), wanted.fields().end(), [&](const config::Field& field) {
    const config::Value* const value = metadata.find(field.name);
    if (value == nullptr) {
      return false;
    }
    const config::Value::List* const list = list_as_any ? value->as_list() : nullptr;
    return list != nullptr ? std::find(list->begin(), list->end(), field.value) != list->end() : *value == field.value;
  });
}

Resolution resolve(const Config& config, const Selectors& selectors, const Directory& directory,
                   CriteriaView criteria) noexcept {
  using Kind = Resolution::Kind;
  // Each round of KEYS_SUBSET drops a key; Envoy refuses configurations in which it does not.
  for (std::size_t turn = 0; criteria.values != nullptr && turn <= criteria.values->size(); ++turn) {
    CriteriaView attempt = criteria;
    if (config.allow_redundant_keys) {
      if (const KeySet* const keys = selectors.most_specific(criteria)) {
        attempt.keys = keys;
      }
    }
    if (const auto found = directory.find(attempt)) {
      return {Kind::subset, *found};
    }
    const Selectors::Fallback* const fallback = selectors.fallback(attempt);
    const auto policy = fallback == nullptr ? SelectorFallbackPolicy::not_defined : fallback->policy;
    switch (policy) {
      case SelectorFallbackPolicy::not_defined:
        return {Kind::cluster_fallback, {}};
      case SelectorFallbackPolicy::no_fallback:
        return {Kind::none, {}};
      case SelectorFallbackPolicy::any_endpoint:
        return {Kind::any, {}};
      case SelectorFallbackPolicy::default_subset:
        return {Kind::default_subset, {}};
      case SelectorFallbackPolicy::keys_subset:
        break;
    }
    // keys_subset is a subset of the selector's keys, which are the attempt's; so it needs no intersection.
    criteria.keys = &fallback->keys_subset;
  }
  return {Kind::cluster_fallback, {}};
}

std::uint32_t scaled_locality_weight(std::uint32_t weight, std::size_t subset_hosts, std::size_t all_hosts) noexcept {
  if (all_hosts == 0) {
    return 0;
  }
  const auto product = static_cast<float>(weight * subset_hosts);
  return static_cast<std::uint32_t>(std::round(product / static_cast<float>(all_hosts)));
}

Refusal refusal(const Selector& selector) {
  const auto refused = [](const char* words) { return Reason{words, {"fallback_keys_subset", "keys"}}; };
  const bool by_keys = selector.fallback_policy == SelectorFallbackPolicy::keys_subset;
  if (!by_keys) {
    return selector.fallback_keys_subset.empty()
               ? std::nullopt
               : Refusal(refused("fallback_keys_subset can be set only for KEYS_SUBSET fallback_policy"));
  }
  if (selector.fallback_keys_subset.empty()) {
    return refused("fallback_keys_subset cannot be empty");
  }
  const auto sorted = [](std::vector<std::string> keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  };
  const auto keys = sorted(selector.keys);
  const auto subset = sorted(selector.fallback_keys_subset);
  if (!std::includes(keys.begin(), keys.end(), subset.begin(), subset.end())) {
    return refused("fallback_keys_subset must be a subset of selector keys");
  }
  return keys == subset ? Refusal(refused("fallback_keys_subset cannot be equal to keys")) : std::nullopt;
}

}  // namespace spillway::envoy::policies::subset
