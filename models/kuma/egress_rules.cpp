#include "models/kuma/egress_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "models/kuma/merge.hpp"
#include "models/kuma/rules.hpp"
#include "models/kuma/targeting.hpp"

namespace spillway::kuma {

namespace {

using Subset = std::vector<SubsetTag>;

struct Item {
  Subset clients;
  const Conf* conf = nullptr;
};

bool concerns(const To& item, const Tags& service_tags) {
  if (!item.targetRef) {
    return false;
  }
  const TargetRef& target = *item.targetRef;
  const std::string_view kind = value_of(target.kind);
  const bool named = value_of(target.name) == value_of(service_tags, service_tag);
  const bool tagged = has_all(service_tags, target.tags.value_or(Tags{}));
  return kind == "Mesh" || (kind == "MeshSubset" && tagged) || (kind == "MeshService" && named) ||
         (kind == "MeshServiceSubset" && named && tagged);
}

// Returns the clients of a policy as tags; nullopt if tags cannot describe them.
std::optional<Subset> clients_of(const Policy& policy) {
  const std::string_view kind = top_level_kind(policy.spec);
  if (kind == "Mesh") {
    return Subset{};
  }
  if (kind != "MeshSubset" && kind != "MeshService" && kind != "MeshServiceSubset") {
    return std::nullopt;
  }
  const TargetRef& target = *policy.spec.targetRef;
  Subset subset;
  if (kind != "MeshSubset") {
    subset.push_back({std::string(service_tag), std::string(value_of(target.name))});
  }
  if (kind != "MeshService" && target.tags) {
    for (const auto& [key, value] : *target.tags) {
      subset.push_back({key, value});
    }
  }
  std::sort(subset.begin(), subset.end());
  return subset;
}

std::vector<Item> items_for(std::span<const Policy> policies, const Tags& service_tags) {
  std::vector<Item> items;
  for (const std::size_t position : in_tag_order(policies)) {
    const Policy& policy = policies[position];
    const auto clients = clients_of(policy);
    if (is_shadow(policy) || !clients || !policy.spec.to) {
      continue;
    }
    for (const To& item : *policy.spec.to) {
      if (concerns(item, service_tags)) {
        items.push_back({*clients, &item.default_});
      }
    }
  }
  return items;
}

// True if all clients with tag `inner` have tag `outer`.
bool implies(const SubsetTag& inner, const SubsetTag& outer) {
  if (inner.negated == outer.negated) {
    return inner.value == outer.value;
  }
  return outer.negated && inner.value != outer.value;
}

bool contains(const Subset& outer, const Subset& inner) {
  return std::all_of(outer.begin(), outer.end(), [&inner](const SubsetTag& tag) {
    bool found = false;
    for (const SubsetTag& candidate : inner) {
      if (candidate.key == tag.key) {
        found = true;
        if (!implies(candidate, tag)) {
          return false;
        }
      }
    }
    return found;
  });
}

// True if a client may be in both subsets.
bool intersect(const Subset& left, const Subset& right) {
  return std::none_of(left.begin(), left.end(), [&right](const SubsetTag& tag) {
    return std::any_of(right.begin(), right.end(),
                       [&tag](const SubsetTag& other) { return other.key == tag.key && other.value != tag.value; });
  });
}

void add_rule(const Subset& subset, const std::vector<Item>& items, std::vector<EgressRule>& rules) {
  EgressRule rule{subset};
  bool relevant = false;
  for (const Item& item : items) {
    if (contains(item.clients, subset)) {
      merge_patch(rule.conf, *item.conf);
      relevant = true;
    }
  }
  if (relevant) {
    rules.push_back(std::move(rule));
  }
}

using Nodes = std::vector<std::size_t>;

// Finds all maximal sets of items of which any two may share a client (Bron and Kerbosch).
void find_cliques(const std::vector<Item>& items, const Nodes& clique, Nodes candidates, Nodes excluded,
                  std::vector<Nodes>& found) {
  if (candidates.empty() && excluded.empty()) {
    found.push_back(clique);
    return;
  }
  while (!candidates.empty()) {
    const std::size_t node = candidates.front();
    const auto neighbours = [&items, node](const Nodes& nodes) {
      Nodes kept;
      for (const std::size_t other : nodes) {
        if (other != node && intersect(items[node].clients, items[other].clients)) {
          kept.push_back(other);
        }
      }
      return kept;
    };
    Nodes larger = clique;
    larger.push_back(node);
    find_cliques(items, larger, neighbours(candidates), neighbours(excluded), found);
    candidates.erase(candidates.begin());
    excluded.push_back(node);
  }
}

// Returns the cliques in Kuma's order: by the positions of their items as text, descending. Positions ascend within
// each clique.
std::vector<Nodes> cliques_of(const std::vector<Item>& items) {
  Nodes all(items.size());
  for (std::size_t position = 0; position < all.size(); ++position) {
    all[position] = position;
  }
  std::vector<Nodes> cliques;
  find_cliques(items, {}, all, {}, cliques);
  const auto text = [](const Nodes& clique) {
    std::string joined;
    for (const std::size_t node : clique) {
      joined += (joined.empty() ? "" : ":") + std::to_string(node);
    }
    return joined;
  };
  std::sort(cliques.begin(), cliques.end(),
            [&text](const Nodes& left, const Nodes& right) { return text(left) > text(right); });
  return cliques;
}

// A key and the values that the items name; the choice after the last value is "none of them".
struct Dimension {
  std::string key;
  std::vector<std::string> values;
};

std::vector<Dimension> dimensions_of(const std::vector<Item>& items, const Nodes& clique) {
  std::set<SubsetTag> tags;
  for (const std::size_t node : clique) {
    tags.insert(items[node].clients.begin(), items[node].clients.end());
  }
  std::vector<Dimension> dimensions;
  for (const SubsetTag& tag : tags) {
    if (dimensions.empty() || dimensions.back().key != tag.key) {
      dimensions.push_back({tag.key, {}});
    }
    dimensions.back().values.push_back(tag.value);
  }
  return dimensions;
}

Subset subset_of(const std::vector<Dimension>& dimensions, const Nodes& choices) {
  Subset subset;
  for (std::size_t dimension = 0; dimension < dimensions.size(); ++dimension) {
    const auto& [key, values] = dimensions[dimension];
    if (choices[dimension] < values.size()) {
      subset.push_back({key, values[values.size() - choices[dimension] - 1]});
      continue;
    }
    for (const std::string& value : values) {
      subset.push_back({key, value, true});
    }
  }
  return subset;
}

// Adds the rule of every combination. Kuma counts with the first key as the lowest digit and handles the combination of
// all zeros last.
void add_combinations(const std::vector<Dimension>& dimensions, const std::vector<Item>& items,
                      std::vector<EgressRule>& rules) {
  Nodes choices(dimensions.size(), 0);
  bool carried = false;
  while (!carried) {
    carried = true;
    for (std::size_t dimension = 0; dimension < choices.size() && carried; ++dimension) {
      carried = ++choices[dimension] > dimensions[dimension].values.size();
      if (carried) {
        choices[dimension] = 0;
      }
    }
    add_rule(subset_of(dimensions, choices), items, rules);
  }
}

std::size_t positive_tags(const Subset& subset) {
  return static_cast<std::size_t>(
      std::count_if(subset.begin(), subset.end(), [](const SubsetTag& tag) { return !tag.negated; }));
}

// Sorts rules by their number of positive tags, the most first. Stable.
std::vector<EgressRule> most_specific_first(const std::vector<EgressRule>& rules) {
  std::size_t most = 0;
  for (const EgressRule& rule : rules) {
    most = std::max(most, positive_tags(rule.when));
  }
  std::vector<EgressRule> sorted;
  for (std::size_t tags = most + 1; tags-- > 0;) {
    for (const EgressRule& rule : rules) {
      if (positive_tags(rule.when) == tags) {
        sorted.push_back(rule);
      }
    }
  }
  return sorted;
}

}  // namespace

std::vector<EgressRule> egress_rules(std::span<const Policy> policies, const Tags& service_tags) {
  const std::vector<Item> items = items_for(policies, service_tags);
  std::set<std::string> keys;
  for (const Item& item : items) {
    for (const SubsetTag& tag : item.clients) {
      keys.insert(tag.key);
    }
  }
  std::vector<EgressRule> rules;
  if (keys.size() <= 1) {
    std::set<Subset> seen;
    for (const Item& item : items) {
      if (seen.insert(item.clients).second) {
        add_rule(item.clients, items, rules);
      }
    }
  } else {
    for (const Nodes& clique : cliques_of(items)) {
      add_combinations(dimensions_of(items, clique), items, rules);
    }
  }
  return most_specific_first(rules);
}

std::optional<Conf> whole_mesh_conf(std::span<const EgressRule> rules) {
  const auto found = std::find_if(rules.begin(), rules.end(), [](const EgressRule& rule) { return rule.when.empty(); });
  return found == rules.end() ? std::nullopt : std::optional(found->conf);
}

}  // namespace spillway::kuma
