// The OpenAPI schema of the policy, limited to what typed values can break: required fields, names, ranges, lengths.
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string_view>

#include "models/kuma/policy_paths.hpp"
#include "models/kuma/validation.hpp"

namespace spillway::kuma {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 9> release_kinds = {"Mesh",
                                                           "MeshSubset",
                                                           "MeshGateway",
                                                           "MeshService",
                                                           "MeshExternalService",
                                                           "MeshMultiZoneService",
                                                           "MeshServiceSubset",
                                                           "MeshHTTPRoute",
                                                           "Dataplane"};
constexpr std::array<std::string_view, 2> known_proxy_types = {"Sidecar", "Gateway"};
constexpr std::array<std::string_view, 4> to_zone_types = {"None", "Only", "Any", "AnyExcept"};
constexpr std::array<std::string_view, 5> balancers = {"RoundRobin", "LeastRequest", "RingHash", "Random", "Maglev"};
constexpr std::array<std::string_view, 2> hash_functions = {"XXHash", "MurmurHash2"};
constexpr std::array<std::string_view, 6> release_hash_types = {"Header",   "Cookie",         "Connection",
                                                                "SourceIP", "QueryParameter", "FilterState"};
constexpr std::array<std::string_view, 5> head_hash_types = {"Header", "Cookie", "Connection", "QueryParameter",
                                                             "FilterState"};
constexpr std::uint32_t largest_ring = 8000000;
constexpr std::uint32_t largest_maglev_table = 5000011;

class Schema {
 public:
  explicit Schema(config::KumaProfile profile) : head_(profile == config::KumaProfile::head) {}

  std::vector<Violation> check(const MeshLoadBalancingStrategy& spec) {
    if (spec.targetRef) {
      target_ref(*spec.targetRef, "spec.targetRef", head_ ? Names(head_top_kinds) : Names(release_kinds));
    }
    const std::vector<To> items = spec.to.value_or(std::vector<To>{});
    for (std::size_t index = 0; index < items.size(); ++index) {
      const std::string path = at("spec", "to", index);
      if (items[index].targetRef) {
        target_ref(*items[index].targetRef, path + ".targetRef", head_ ? Names(head_to_kinds) : Names(release_kinds));
      } else {
        require(path + ".targetRef");
      }
      conf(items[index].default_, path + ".default");
    }
    return std::move(violations_);
  }

 private:
  void add(std::string field, std::string message) { violations_.push_back({std::move(field), std::move(message)}); }
  void require(const std::string& path) { add(path, "in body is required"); }

  void one_of(const std::optional<std::string>& value, const std::string& path, Names names, bool required = true) {
    if (!value) {
      if (required) {
        require(path);
      }
      return;
    }
    if (std::find(names.begin(), names.end(), *value) == names.end()) {
      std::string list;
      for (const std::string_view name : names) {
        list += (list.empty() ? "" : " ") + std::string(name);
      }
      add(path, "in body should be one of [" + list + "]");
    }
  }

  void not_empty(const std::optional<std::string>& value, const std::string& path) {
    if (!value) {
      require(path);
    } else if (value->empty()) {
      add(path, "in body should be at least 1 chars long");
    }
  }

  void int32(const std::optional<std::uint32_t>& value, const std::string& path) {
    if (value && *value > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max())) {
      add("", "Checked value must be of type integer with format int32 in " + path);
    }
  }

  void range(const std::optional<std::uint32_t>& value, const std::string& path, std::uint32_t least,
             std::optional<std::uint32_t> most) {
    int32(value, path);
    if (value && *value < least) {
      add(path, "in body should be greater than or equal to " + std::to_string(least));
    }
    if (value && most && *value > *most) {
      add(path, "in body should be less than or equal to " + std::to_string(*most));
    }
  }

  void target_ref(const TargetRef& target, const std::string& path, Names kinds) {
    one_of(target.kind, path + ".kind", kinds);
    if (!head_ && target.proxyTypes) {
      for (std::size_t index = 0; index < target.proxyTypes->size(); ++index) {
        one_of((*target.proxyTypes)[index], at(path, "proxyTypes", index), known_proxy_types);
      }
    }
  }

  void conf(const Conf& conf, const std::string& path) {
    hash_policies(conf.hashPolicies, path);
    if (conf.loadBalancer) {
      load_balancer(*conf.loadBalancer, path + ".loadBalancer");
    }
    if (conf.localityAwareness) {
      locality_awareness(*conf.localityAwareness, path + ".localityAwareness");
    }
  }

  void load_balancer(const LoadBalancer& balancer, const std::string& path) {
    one_of(balancer.type, path + ".type", balancers);
    if (balancer.leastRequest) {
      range(balancer.leastRequest->choiceCount, path + ".leastRequest.choiceCount", 2, std::nullopt);
    }
    if (balancer.ringHash) {
      one_of(balancer.ringHash->hashFunction, path + ".ringHash.hashFunction", hash_functions, false);
      range(balancer.ringHash->minRingSize, path + ".ringHash.minRingSize", 1, largest_ring);
      range(balancer.ringHash->maxRingSize, path + ".ringHash.maxRingSize", 1, largest_ring);
      nested_hash_policies(balancer.ringHash->hashPolicies, path + ".ringHash");
    }
    if (balancer.maglev) {
      range(balancer.maglev->tableSize, path + ".maglev.tableSize", 1, largest_maglev_table);
      nested_hash_policies(balancer.maglev->hashPolicies, path + ".maglev");
    }
  }

  // Checks the nested hash policies. Head no longer has the field, and drops unknown fields silently.
  void nested_hash_policies(const std::optional<std::vector<HashPolicy>>& policies, const std::string& path) {
    if (!head_) {
      hash_policies(policies, path);
    }
  }

  void hash_policies(const std::optional<std::vector<HashPolicy>>& policies, const std::string& path) {
    if (!policies) {
      return;
    }
    for (std::size_t index = 0; index < policies->size(); ++index) {
      const HashPolicy& policy = (*policies)[index];
      const std::string entry = at(path, "hashPolicies", index);
      one_of(policy.type, entry + ".type", head_ ? Names(head_hash_types) : Names(release_hash_types));
      if (policy.header) {
        not_empty(policy.header->name, entry + ".header.name");
      }
      if (policy.cookie) {
        not_empty(policy.cookie->name, entry + ".cookie.name");
      }
      if (policy.queryParameter) {
        not_empty(policy.queryParameter->name, entry + ".queryParameter.name");
      }
      if (policy.filterState) {
        not_empty(policy.filterState->key, entry + ".filterState.key");
      }
    }
  }

  void locality_awareness(const LocalityAwareness& awareness, const std::string& path) {
    if (awareness.localZone && awareness.localZone->affinityTags) {
      const std::vector<AffinityTag>& tags = *awareness.localZone->affinityTags;
      for (std::size_t index = 0; index < tags.size(); ++index) {
        const std::string tag = at(path + ".localZone", "affinityTags", index);
        if (!tags[index].key) {
          require(tag + ".key");
        }
        int32(tags[index].weight, tag + ".weight");
      }
    }
    if (!awareness.crossZone) {
      return;
    }
    const std::vector<Failover> rules = awareness.crossZone->failover.value_or(std::vector<Failover>{});
    for (std::size_t index = 0; index < rules.size(); ++index) {
      failover(rules[index], at(path + ".crossZone", "failover", index));
    }
    if (awareness.crossZone->failoverThreshold && !awareness.crossZone->failoverThreshold->percentage) {
      require(path + ".crossZone.failoverThreshold.percentage");
    }
  }

  void failover(const Failover& rule, const std::string& path) {
    if (rule.from && !rule.from->zones) {
      require(path + ".from.zones");
    }
    if (rule.to) {
      one_of(rule.to->type, path + ".to.type", to_zone_types);
    } else {
      require(path + ".to");
    }
  }

  bool head_;
  std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> schema_violations(const MeshLoadBalancingStrategy& spec, config::KumaProfile profile) {
  return Schema(profile).check(spec);
}

}  // namespace spillway::kuma
