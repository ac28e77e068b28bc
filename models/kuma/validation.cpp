#include "models/kuma/validation.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "models/kuma/decimal.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/target_ref_validation.hpp"

namespace spillway::kuma {

namespace {

constexpr std::array<std::string_view, 6> release_top_kinds = {"Mesh",        "MeshSubset",        "MeshGateway",
                                                               "MeshService", "MeshServiceSubset", "Dataplane"};
// A gateway's policy without a load balancer may name the first three kinds; with a load balancer only the first.
constexpr std::array<std::string_view, 4> release_to_kinds = {"Mesh", "MeshService", "MeshMultiZoneService",
                                                              "MeshHTTPRoute"};

bool is_empty(const std::optional<std::vector<std::string>>& list) {
  return !list || list->empty();
}

// Collects the violations of one policy in Kuma's order.
class Validator {
 public:
  explicit Validator(config::KumaProfile profile) : head_(profile == config::KumaProfile::head), profile_(profile) {}

  std::vector<Violation> validate(const MeshLoadBalancingStrategy& spec) {
    if (spec.targetRef) {
      const auto kinds = head_ ? std::span<const std::string_view>(head_top_kinds)
                               : std::span<const std::string_view>(release_top_kinds);
      validate_target_ref(*spec.targetRef, "spec.targetRef", {.supported_kinds = kinds, .profile = profile_},
                          violations_);
    }
    const std::vector<To> items = spec.to.value_or(std::vector<To>{});
    for (std::size_t index = 0; index < items.size(); ++index) {
      to_item(items[index], at("spec", "to", index), top_level_kind(spec));
    }
    return std::move(violations_);
  }

 private:
  void add(std::string field, std::string message) { violations_.push_back({std::move(field), std::move(message)}); }

  TargetRefRules rules_for(const To& item, std::string_view top_kind) const {
    TargetRefRules rules{.profile = profile_};
    if (head_) {
      rules.supported_kinds = head_to_kinds;
      return rules;
    }
    const auto kinds = std::span<const std::string_view>(release_to_kinds);
    rules.supported_kinds = kinds;
    if (top_kind == "MeshGateway") {
      rules.supported_kinds = kinds.first(item.default_.loadBalancer ? 1 : 3);
      if (item.default_.loadBalancer) {
        rules.unsupported_kind = "value 'MeshGateway' is not supported, only Mesh is allowed if loadBalancer is set";
      }
    }
    return rules;
  }

  void to_item(const To& item, const std::string& path, std::string_view top_kind) {
    const TargetRef target = item.targetRef.value_or(TargetRef{});
    validate_target_ref(target, path + ".targetRef", rules_for(item, top_kind), violations_);
    if (!head_ && target.kind == "MeshExternalService" && top_kind != "Mesh") {
      add(path + ".targetRef.kind",
          "kind MeshExternalService is only allowed with targetRef.kind: Mesh as it is configured on the Zone Egress "
          "and shared by all clients in the mesh");
    }
    conf(item.default_, target, path + ".default");
  }

  void conf(const Conf& conf, const TargetRef& target, const std::string& path) {
    if (target.kind == "MeshHTTPRoute") {
      const std::string message =
          "field is not allowed when targetRef.kind is MeshHTTPRoute, only hashPolicies is supported";
      hash_policies(conf.hashPolicies, path);
      if (conf.loadBalancer) {
        add(path + ".loadBalancer", message);
      }
      if (conf.localityAwareness) {
        add(path + ".localityAwareness", message);
      }
      return;
    }
    if (conf.loadBalancer) {
      load_balancer(*conf.loadBalancer, path + ".loadBalancer");
    }
    if (conf.localityAwareness) {
      local_zone(conf.localityAwareness->localZone, path + ".localityAwareness.localZone");
      cross_zone(conf.localityAwareness->crossZone, target, path + ".localityAwareness.crossZone");
    }
    hash_policies(conf.hashPolicies, path);
    if (!head_ && conf.hashPolicies && conf.loadBalancer) {
      specified_twice(*conf.loadBalancer, path + ".loadBalancer");
    }
  }

  void specified_twice(const LoadBalancer& balancer, const std::string& path) {
    const std::string message = "hashPolicies already specified in the root level";
    if (balancer.ringHash && balancer.ringHash->hashPolicies) {
      add(path + ".ringHash.hashPolicies", message);
    }
    if (balancer.maglev && balancer.maglev->hashPolicies) {
      add(path + ".maglev.hashPolicies", message);
    }
  }

  void load_balancer(const LoadBalancer& balancer, const std::string& path) {
    if (!head_ && balancer.type == "RingHash" && balancer.ringHash) {
      hash_policies(balancer.ringHash->hashPolicies, path + ".ringHash");
    }
    if (!head_ && balancer.type == "Maglev" && balancer.maglev) {
      hash_policies(balancer.maglev->hashPolicies, path + ".maglev");
    }
    if (balancer.type == "LeastRequest" && balancer.leastRequest && balancer.leastRequest->activeRequestBias) {
      const auto bias = parse_decimal(*balancer.leastRequest->activeRequestBias);
      if (!bias) {
        add(path + ".leastRequest.activeRequestBias", "string must be a valid number");
      } else if (bias->sign < 0) {
        add(path + ".leastRequest.activeRequestBias", "must be greater or equal then: 0");
      }
    }
  }

  void local_zone(const std::optional<LocalZone>& zone, const std::string& path) {
    if (!zone || !zone->affinityTags) {
      return;
    }
    const std::vector<AffinityTag>& tags = *zone->affinityTags;
    std::size_t weighted = 0;
    for (std::size_t index = 0; index < tags.size(); ++index) {
      const std::string tag = at(path, "affinityTags", index);
      if (value_of(tags[index].key).empty()) {
        add(tag + ".key", "must not be empty");
      }
      weighted += tags[index].weight ? 1 : 0;
      if (tags[index].weight == 0U) {
        add(tag + ".weight", "must be greater than 0");
      }
    }
    if (weighted > 0 && weighted != tags.size()) {
      add(path + ".affinityTags", "all or none affinity tags should have weight");
    }
  }

  void cross_zone(const std::optional<CrossZone>& zone, const TargetRef& target, const std::string& path) {
    if (!zone) {
      return;
    }
    const bool real_service = !value_of(target.sectionName).empty() || (target.labels && !target.labels->empty());
    if (target.kind == "MeshService" && real_service) {
      add(path, "must not be set: MeshService traffic is local");
    }
    const std::vector<Failover> rules = zone->failover.value_or(std::vector<Failover>{});
    for (std::size_t index = 0; index < rules.size(); ++index) {
      failover(rules[index], at(path, "failover", index));
    }
    if (zone->failoverThreshold) {
      percentage(zone->failoverThreshold->percentage.value_or(IntOrString{0}), path + ".failoverThreshold.percentage");
    }
  }

  void failover(const Failover& rule, const std::string& path) {
    if (rule.from && is_empty(rule.from->zones)) {
      add(path + ".from.zones", "must not be empty");
    } else if (rule.from) {
      for (std::size_t index = 0; index < rule.from->zones->size(); ++index) {
        if ((*rule.from->zones)[index].empty()) {
          add(at(path + ".from", "zones", index), "must not be empty");
        }
      }
    }
    const ToZone to = rule.to.value_or(ToZone{});
    const std::string type(value_of(to.type));
    if (type == "Any" || type == "None") {
      if (!is_empty(to.zones)) {
        add(path + ".to.zones", "must be empty when type is " + type);
      }
    } else if (type == "Only" || type == "AnyExcept") {
      if (is_empty(to.zones)) {
        add(path + ".to.zones", "must not be empty when type is " + type);
      }
    } else {
      add(path + ".to.type", "unrecognized type");
    }
  }

  void percentage(const IntOrString& number, const std::string& path) {
    const auto decimal = parse_decimal(number);
    if (!decimal) {
      add(path, "string must be a valid number");
    } else if (decimal->sign < 0 || decimal->above_hundred) {
      add(path, "must be in inclusive range [0.0, 100.0]");
    } else if (decimal->sign == 0) {
      add(path, "must be greater than 0");
    }
  }

  void hash_policies(const std::optional<std::vector<HashPolicy>>& policies, const std::string& path) {
    if (!policies) {
      return;
    }
    for (std::size_t index = 0; index < policies->size(); ++index) {
      hash_policy((*policies)[index], at(path, "hashPolicies", index));
    }
  }

  void hash_policy(const HashPolicy& policy, const std::string& path) {
    const std::string_view type = value_of(policy.type);
    const auto define = [&](const char* body, bool present) {
      if (!present) {
        add(path + "." + body, "must be defined");
      }
    };
    if (type == "Header") {
      define("header", policy.header.has_value());
    } else if (type == "Cookie") {
      define("cookie", policy.cookie.has_value());
      if (policy.cookie && policy.cookie->path && !policy.cookie->path->starts_with('/')) {
        add(path + ".cookie.path", "must be an absolute path");
      }
    } else if (type == "QueryParameter") {
      define("queryParameter", policy.queryParameter.has_value());
    } else if (type == "FilterState") {
      define("filterState", policy.filterState.has_value());
    } else if (type == "Connection" || (type == "SourceIP" && !head_)) {
      define("connection", policy.connection.has_value());
    } else if (head_) {
      add(path + ".type", "unrecognized type");
    }
  }

  bool head_;
  config::KumaProfile profile_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> validate(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile) {
  return Validator(profile).validate(spec);
}

std::vector<Violation> admit(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile) {
  std::vector<Violation> schema = schema_violations(spec, profile);
  return schema.empty() ? validate(spec, profile) : schema;
}

}  // namespace spillway::kuma
