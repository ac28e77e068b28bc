#include "models/istio/rule_index.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "models/numeric/stable_sort.hpp"

namespace spillway::istio {

namespace {

constexpr const char* public_visibility = "*";
constexpr const char* private_visibility = ".";

// Returns the order of merging: rules with a selector first, then by age.
std::vector<std::size_t> merge_order(const std::vector<DestinationRule>& rules) {
  std::vector<std::size_t> order(rules.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  numeric::stable_sort(order, [&](std::size_t left, std::size_t right) {
    const bool left_selects = rules[left].workloadSelector.has_value();
    const bool right_selects = rules[right].workloadSelector.has_value();
    return left_selects != right_selects ? left_selects : is_older(rules[left].meta, rules[right].meta);
  });
  return order;
}

// Adds the parts of the newer rule: subsets of new names, and its policy if there is none yet.
void add_to(ConsolidatedRule& existing, const DestinationRule& rule, std::size_t position) {
  existing.from.push_back(position);
  const std::size_t before = existing.rule.subsets.size();
  for (const Subset& subset : rule.subsets) {
    const auto end = existing.rule.subsets.begin() + static_cast<std::ptrdiff_t>(before);
    const bool known =
        std::any_of(existing.rule.subsets.begin(), end, [&](const Subset& other) { return other.name == subset.name; });
    if (!known) {
      existing.rule.subsets.push_back(subset);
    }
  }
  if (!existing.rule.trafficPolicy) {
    existing.rule.trafficPolicy = rule.trafficPolicy;
  }
}

}  // namespace

bool is_older(const Meta& left, const Meta& right) {
  const auto rank = [](const Meta& meta) {
    const bool timed = meta.created.has_value();
    const std::string_view name = timed ? std::string_view(meta.name) : "";
    const std::string_view name_space = timed ? std::string_view(meta.name_space) : "";
    return std::tuple(!timed, meta.created.value_or(0), name, name_space, meta.age);
  };
  return rank(left) < rank(right);
}

RuleIndex::RuleIndex(const std::vector<DestinationRule>& rules, const MeshConfig& mesh) : root_(mesh.rootNamespace) {
  for (const std::size_t position : merge_order(rules)) {
    DestinationRule rule = rules[position];
    const std::string& owner = rule.meta.name_space;
    rule.host = resolve_short_name(rule.host, owner);
    std::set<std::string> export_to(rule.exportTo.begin(), rule.exportTo.end());
    if (rule.workloadSelector) {
      export_to = {private_visibility};
    }
    if (export_to.empty() || export_to.contains(public_visibility) || export_to.contains(private_visibility) ||
        export_to.contains(owner)) {
      merge(local_[owner], rule, position, export_to);
    }
    const auto& defaults = mesh.defaultDestinationRuleExportTo;
    const bool private_by_default =
        export_to.empty() && std::find(defaults.begin(), defaults.end(), private_visibility) != defaults.end();
    const bool private_only =
        private_by_default ||
        (export_to.size() == 1 && (export_to.contains(private_visibility) || export_to.contains(owner)));
    if (!private_only) {
      merge(exported_[owner], rule, position, export_to);
    } else if (owner == root_) {
      merge(root_local_, rule, position, export_to);
    }
  }
}

// Merges a rule as istiod does, even a rule with a selector next to one without: see mergeDestinationRule.
void RuleIndex::merge(Hosts& hosts, const DestinationRule& rule, std::size_t position,
                      const std::set<std::string>& export_to) {
  auto& list = (is_wildcard(rule.host) ? hosts.wildcard : hosts.specific)[rule.host];
  bool separate = true;
  for (ConsolidatedRule& existing : list) {
    separate = export_to != existing.export_to;
    const bool exported_further =
        !existing.export_to.empty() &&
        std::includes(export_to.begin(), export_to.end(), existing.export_to.begin(), existing.export_to.end());
    if (separate && !exported_further) {
      continue;
    }
    const auto& selector = rule.workloadSelector;
    const auto& other = existing.rule.workloadSelector;
    if (selector && other && *selector != *other) {
      separate = true;
      continue;
    }
    if (selector.has_value() == other.has_value()) {
      separate = false;
    }
    add_to(existing, rule, position);
  }
  if (separate) {
    list.push_back({rule, export_to, {position}});
  }
}

const std::vector<ConsolidatedRule>* RuleIndex::most_specific(const Hosts& hosts, const std::string& hostname) {
  if (const auto found = hosts.specific.find(hostname); found != hosts.specific.end()) {
    return &found->second;
  }
  const std::pair<const std::string, std::vector<ConsolidatedRule>>* longest = nullptr;
  for (const auto& entry : hosts.wildcard) {
    if (host_matches(hostname, entry.first) && (longest == nullptr || entry.first.size() > longest->first.size())) {
      longest = &entry;
    }
  }
  return longest == nullptr ? nullptr : &longest->second;
}

RuleIndex::Rules RuleIndex::local_rules(const std::string& name_space, const std::string& hostname) const {
  const Hosts* hosts = &root_local_;
  if (name_space != root_) {
    const auto found = local_.find(name_space);
    if (found == local_.end()) {
      return {};
    }
    hosts = &found->second;
  }
  Rules rules;
  if (const auto* const list = most_specific(*hosts, hostname)) {
    for (const ConsolidatedRule& rule : *list) {
      rules.push_back(&rule);
    }
  }
  return rules;
}

RuleIndex::Rules RuleIndex::exported_rules(const std::string& owner, const std::string& hostname,
                                           const std::string& client) const {
  const auto hosts = exported_.find(owner);
  if (hosts == exported_.end()) {
    return {};
  }
  Rules rules;
  if (const auto* const list = most_specific(hosts->second, hostname)) {
    for (const ConsolidatedRule& rule : *list) {
      if (rule.export_to.empty() || rule.export_to.contains(public_visibility) || rule.export_to.contains(client)) {
        rules.push_back(&rule);
      }
    }
  }
  return rules;
}

RuleIndex::Found RuleIndex::find(const Proxy& proxy, const std::string& hostname,
                                 const std::string& service_namespace) const {
  Found found{.step = RuleStep::proxy_namespace};
  Rules rules = local_rules(proxy.name_space, hostname);
  if (rules.empty()) {
    found.step = RuleStep::service_namespace;
    rules = exported_rules(service_namespace, hostname, proxy.name_space);
  }
  if (rules.empty()) {
    found.step = RuleStep::root_namespace;
    rules = exported_rules(root_, hostname, proxy.name_space);
  }
  for (const ConsolidatedRule* const rule : rules) {
    const auto& selector = rule->rule.workloadSelector;
    if (!selector) {
      found.rule = rule;
    } else if (rule->rule.meta.name_space == proxy.name_space && has_all(proxy.labels, *selector)) {
      found.rule = rule;
      return found;
    }
  }
  return found;
}

}  // namespace spillway::istio
