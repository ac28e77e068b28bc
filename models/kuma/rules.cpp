#include "models/kuma/rules.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

#include "models/kuma/merge.hpp"
#include "models/kuma/references.hpp"
#include "models/kuma/targeting.hpp"

namespace spillway::kuma {

namespace {

std::string_view kind_of(const To& item) {
  return item.targetRef ? value_of(item.targetRef->kind) : std::string_view();
}

bool names_section(const std::optional<TargetRef>& target) {
  return target && target->sectionName && !target->sectionName->empty();
}

// Compares two references of one kind. Dataplanes by name precede those by labels (2.14), then those with sectionName
// precede those without.
int compare_dataplane_refs(const Policy& left, const Policy& right) {
  if (top_level_kind(left.spec) != "Dataplane") {
    return 0;
  }
  const auto by_name = [](const Policy& policy) { return !value_of(policy.spec.targetRef->name).empty(); };
  const auto by_labels = [](const Policy& policy) { return policy.spec.targetRef->labels.has_value(); };
  if (by_name(left) && by_labels(right)) {
    return 1;
  }
  if (by_labels(left) && by_name(right)) {
    return -1;
  }
  return static_cast<int>(names_section(left.spec.targetRef)) - static_cast<int>(names_section(right.spec.targetRef));
}

// Compares the attributes that both paths compare first.
int compare_attributes(const Policy& left, const Policy& right) {
  const int kinds = kind_rank(top_level_kind(left.spec)) - kind_rank(top_level_kind(right.spec));
  if (kinds != 0) {
    return kinds;
  }
  const int references = compare_dataplane_refs(left, right);
  return references != 0 ? references : origin_rank(left) - origin_rank(right);
}

// A MeshService by the name <service>_<namespace>_svc_<port>, as Kubernetes services were called before MeshService.
struct LegacyName {
  std::string_view name;
  std::string_view name_space;
  std::uint32_t port = 0;  // 0 means all
};

std::optional<LegacyName> parse_legacy_name(std::string_view text) {
  std::vector<std::string_view> segments;
  while (true) {
    const std::size_t end = text.find('_');
    segments.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      break;
    }
    text.remove_prefix(end + 1);
  }
  if (segments.size() != 3 && segments.size() != 4) {
    return std::nullopt;
  }
  LegacyName result{segments[0], segments[1]};
  if (segments.size() == 4) {
    const std::string_view port = segments[3];
    const auto parsed = std::from_chars(port.data(), port.data() + port.size(), result.port);
    if (parsed.ec != std::errc() || parsed.ptr != port.data() + port.size()) {
      return std::nullopt;
    }
  }
  return result;
}

bool names_resource(const TargetRef& target, const Tags& of_policy, const Destination& destination,
                    config::KumaProfile profile) {
  if (profile == config::KumaProfile::head) {
    return target.labels && has_all(destination.labels, *target.labels);
  }
  if (target.kind == "MeshService" && value_of(target.sectionName).empty()) {
    if (const auto legacy = parse_legacy_name(value_of(target.name))) {
      return value_of(destination.labels, namespace_label) == legacy->name_space &&
             value_of(destination.labels, display_name_label) == legacy->name &&
             (legacy->port == 0 || legacy->port == destination.port);
    }
  }
  return refers_to({value_of(target.name), value_of(target.namespace_), target.labels ? &*target.labels : nullptr},
                   reference_origin(of_policy), destination.name, destination.labels);
}

bool concerns(const To& item, const Tags& of_policy, const Destination& destination, config::KumaProfile profile) {
  const std::string_view kind = kind_of(item);
  if (kind == "Mesh") {
    return true;
  }
  if (kind != destination.kind || !names_resource(*item.targetRef, of_policy, destination, profile)) {
    return false;
  }
  const std::string_view section = value_of(item.targetRef->sectionName);
  return section.empty() || section == destination.port_name;
}

const std::vector<To>& items_of(const Policy& policy) {
  static const std::vector<To> none;
  return policy.spec.to ? *policy.spec.to : none;
}

std::optional<Rule> merged(std::span<const Policy> policies, std::vector<RuleOrigin> origins) {
  if (origins.empty()) {
    return std::nullopt;
  }
  Rule rule;
  for (const RuleOrigin& origin : origins) {
    merge_patch(rule.conf, items_of(policies[origin.policy])[origin.item].default_);
  }
  rule.origins = std::move(origins);
  return rule;
}

// Orders the least specific item first.
bool applies_before(std::span<const Policy> policies, const RuleOrigin& left, const RuleOrigin& right) {
  const Policy& left_policy = policies[left.policy];
  const Policy& right_policy = policies[right.policy];
  if (const int attributes = compare_attributes(left_policy, right_policy); attributes != 0) {
    return attributes < 0;
  }
  const To& left_item = items_of(left_policy)[left.item];
  const To& right_item = items_of(right_policy)[right.item];
  const auto section_rank = [](const To& item) {
    return kind_of(item) == "MeshService" && names_section(item.targetRef);
  };
  const auto specificity = [&](const Policy& policy, const To& item) {
    return std::tuple(role_rank(policy), kind_rank(kind_of(item)), section_rank(item));
  };
  const auto left_rank = specificity(left_policy, left_item);
  const auto right_rank = specificity(right_policy, right_item);
  if (left_rank != right_rank) {
    return left_rank < right_rank;
  }
  // The smallest name comes last.
  if (const int names = display_name(left_policy).compare(display_name(right_policy)); names != 0) {
    return names > 0;
  }
  return std::tie(left.policy, left.item) < std::tie(right.policy, right.item);
}

bool has_route_item(const Policy& policy) {
  const auto& items = items_of(policy);
  return std::any_of(items.begin(), items.end(), [](const To& item) { return kind_of(item) == "MeshHTTPRoute"; });
}

}  // namespace

std::optional<Rule> resource_rule(std::span<const Policy> policies, const Client& client,
                                  const Destination& destination, config::KumaProfile profile) {
  std::vector<RuleOrigin> origins;
  bool named = destination.kind != "MeshHTTPRoute";
  for (std::size_t policy = 0; policy < policies.size(); ++policy) {
    if (!selects(policies[policy], client, profile)) {
      continue;
    }
    const std::vector<To>& items = items_of(policies[policy]);
    for (std::size_t item = 0; item < items.size(); ++item) {
      if (concerns(items[item], policies[policy].labels, destination, profile)) {
        origins.push_back({policy, item});
        named = named || kind_of(items[item]) == destination.kind;
      }
    }
  }
  if (!named) {
    return std::nullopt;
  }
  std::sort(origins.begin(), origins.end(), [policies](const RuleOrigin& left, const RuleOrigin& right) {
    return applies_before(policies, left, right);
  });
  return merged(policies, std::move(origins));
}

std::vector<std::size_t> in_tag_order(std::span<const Policy> policies) {
  std::vector<std::size_t> order(policies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [policies](std::size_t left_position, std::size_t right_position) {
    const Policy& left = policies[left_position];
    const Policy& right = policies[right_position];
    if (const int attributes = compare_attributes(left, right); attributes != 0) {
      return attributes < 0;
    }
    const auto listener_tags = [](const Policy& policy) {
      return top_level_kind(policy.spec) == "MeshGateway" && policy.spec.targetRef->tags
                 ? policy.spec.targetRef->tags->size()
                 : std::size_t{0};
    };
    const auto left_rank = std::tuple(listener_tags(left), role_rank(left));
    const auto right_rank = std::tuple(listener_tags(right), role_rank(right));
    if (left_rank != right_rank) {
      return left_rank < right_rank;
    }
    const int names = display_name(left).compare(display_name(right));
    return names != 0 ? names > 0 : left_position < right_position;
  });
  return order;
}

std::optional<Rule> tag_rule(std::span<const Policy> policies, const Client& client, std::string_view service,
                             config::KumaProfile profile) {
  std::vector<RuleOrigin> origins;
  for (const std::size_t policy : in_tag_order(policies)) {
    if (!selects(policies[policy], client, profile) || has_route_item(policies[policy])) {
      continue;
    }
    const std::vector<To>& items = items_of(policies[policy]);
    for (std::size_t item = 0; item < items.size(); ++item) {
      const std::string_view kind = kind_of(items[item]);
      if (kind == "Mesh" || (kind == "MeshService" && value_of(items[item].targetRef->name) == service)) {
        origins.push_back({policy, item});
      }
    }
  }
  return merged(policies, std::move(origins));
}

}  // namespace spillway::kuma
