// The one conf of any policy that a client has for a destination. All of Kuma's policies share one rule for which items
// reach the destination and in which order they apply (rules.hpp).
//
//   PolicySet<HealthCheckConf> checks(policies);
//   auto found = checks.of_resource(client, {.kind = "MeshService", .name = "backend"}, release_2_14);
//   found->conf;         // merged, the most specific item last
//   found->origins[0];   // the item that was applied first
//
// Precondition: `void merge_patch(Conf&, const Conf& patch)` is declared next to Conf. Source: docs/behaviour/kuma.md
// 3. The complexity of a look-up is that of rules.hpp plus the merging.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/client.hpp"
#include "models/kuma/rules.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

template <class Conf>
struct MergedConf {
  Conf conf = {};
  std::vector<RuleOrigin> origins = {};  // in the order in which they were applied
};

template <class Conf>
class PolicySet {
 public:
  explicit PolicySet(std::vector<TargetedPolicy<Conf>> policies) : policies_(std::move(policies)) {
    skeletons_.reserve(policies_.size());
    for (const TargetedPolicy<Conf>& policy : policies_) {
      skeletons_.push_back(skeleton_of(policy));
    }
  }

  [[nodiscard]] const std::vector<TargetedPolicy<Conf>>& policies() const noexcept { return policies_; }

  // Returns the conf for a real resource; nullopt if no item concerns it.
  [[nodiscard]] std::optional<MergedConf<Conf>> of_resource(const Client& client, const Destination& destination,
                                                            config::KumaProfile profile) const {
    return merged(resource_rule(skeletons_, client, destination, profile));
  }

  // Returns the conf for a value of the tag kuma.io/service (2.14).
  [[nodiscard]] std::optional<MergedConf<Conf>> of_tag(const Client& client, std::string_view service,
                                                       config::KumaProfile profile) const {
    return merged(tag_rule(skeletons_, client, service, profile));
  }

 private:
  // Returns a policy with the same targets and without any conf.
  static Policy skeleton_of(const TargetedPolicy<Conf>& policy) {
    Policy skeleton{.name = policy.name, .labels = policy.labels, .spec = {.targetRef = policy.targetRef, .to = {}}};
    if (policy.to) {
      skeleton.spec.to.emplace();
      for (const TargetedItem<Conf>& item : *policy.to) {
        skeleton.spec.to->push_back({.targetRef = item.targetRef, .default_ = {}});
      }
    }
    return skeleton;
  }

  [[nodiscard]] std::optional<MergedConf<Conf>> merged(std::optional<Rule> rule) const {
    if (!rule) {
      return std::nullopt;
    }
    MergedConf<Conf> result;
    for (const RuleOrigin& origin : rule->origins) {
      merge_patch(result.conf, (*policies_[origin.policy].to)[origin.item].default_);
    }
    result.origins = std::move(rule->origins);
    return result;
  }

  std::vector<TargetedPolicy<Conf>> policies_;
  std::vector<Policy> skeletons_;
};

}  // namespace spillway::kuma
