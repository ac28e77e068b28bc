#include "sim/scenario/binding/kuma/policy_trails.hpp"

#include <fmt/format.h>

#include "models/kuma/affinity_groups.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/policy_conf.hpp"
#include "models/kuma/policy_trail.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

std::string target_text(const kuma::TargetedItem<kuma::Conf>& item) {
  if (!item.targetRef) {
    return "Mesh";
  }
  std::string text(kuma::value_of(item.targetRef->kind));
  if (item.targetRef->name) {
    text += " " + *item.targetRef->name;
  } else if (item.targetRef->labels) {
    for (const auto& [key, value] : *item.targetRef->labels) {
      text += " " + key + "=" + value;
    }
  }
  return item.targetRef->sectionName ? text + ":" + *item.targetRef->sectionName : text;
}

// Finds the fields of a merged conf in the items that it was merged from.
class Finder {
 public:
  Finder(const Policies& policies, const RuleOrigins& origins) : policies_(policies.strategies), origins_(origins) {}

  // Returns the field of the last item whose conf `sets` it.
  template <class Sets>
  [[nodiscard]] std::optional<kuma::PolicyConf::Field> field(const std::string& path, Sets sets) const {
    return policies_.last_of(origins_, path, sets);
  }

  // Returns the field of each element of a list, which always comes from one item.
  template <class Sets>
  [[nodiscard]] std::vector<kuma::PolicyConf::Field> elements(const std::string& path, std::size_t count,
                                                              Sets sets) const {
    std::vector<kuma::PolicyConf::Field> fields;
    for (std::size_t element = 0; element < count; ++element) {
      if (const auto found = field(fmt::format("{}[{}]", path, element), sets)) {
        fields.push_back(*found);
      }
    }
    return fields;
  }

 private:
  const PoliciesOf<kuma::Conf>& policies_;
  const RuleOrigins& origins_;
};

template <class T>
std::size_t size_of(const std::optional<std::vector<T>>& list) {
  return list ? list->size() : 0;
}

void find_locality_awareness(kuma::PolicyConf& into, const Finder& finder) {
  const auto& awareness = into.conf.localityAwareness;
  if (!awareness) {
    return;
  }
  const std::string path = "localityAwareness";
  into.locality_awareness =
      finder.field(path, [](const kuma::Conf& conf) { return conf.localityAwareness.has_value(); });
  into.disabled = finder.field(path + ".disabled", [](const kuma::Conf& conf) {
    return conf.localityAwareness && conf.localityAwareness->disabled;
  });
  into.affinity_tags = finder.elements(path + ".localZone.affinityTags",
                                       awareness->localZone ? size_of(awareness->localZone->affinityTags) : 0,
                                       [](const kuma::Conf& conf) {
                                         return conf.localityAwareness && conf.localityAwareness->localZone &&
                                                conf.localityAwareness->localZone->affinityTags;
                                       });
  into.failover =
      finder.elements(path + ".crossZone.failover", awareness->crossZone ? size_of(awareness->crossZone->failover) : 0,
                      [](const kuma::Conf& conf) {
                        return conf.localityAwareness && conf.localityAwareness->crossZone &&
                               conf.localityAwareness->crossZone->failover;
                      });
  into.failover_threshold = finder.field(path + ".crossZone.failoverThreshold.percentage", [](const kuma::Conf& conf) {
    return conf.localityAwareness && conf.localityAwareness->crossZone &&
           conf.localityAwareness->crossZone->failoverThreshold &&
           conf.localityAwareness->crossZone->failoverThreshold->percentage;
  });
}

kuma::PolicyConf find_conf(const Policies& policies, const ClusterConfs& confs) {
  kuma::PolicyConf conf{.conf = *confs.strategy};
  const Finder finder(policies, confs.strategy_origins);
  for (const kuma::RuleOrigin& origin : confs.strategy_origins) {
    const auto& strategies = policies.strategies;
    conf.items.push_back({strategies.policies()[origin.policy].name, origin.item, target_text(strategies.item(origin)),
                          strategies.place_of(origin, "")});
  }
  find_locality_awareness(conf, finder);
  conf.load_balancer = finder.field("loadBalancer", [](const kuma::Conf& of) { return of.loadBalancer.has_value(); });
  return conf;
}

}  // namespace

kuma::PolicyTrail PolicyTrails::of(const ClusterConfs& confs, config::ServiceIndex view, const kuma::Client& client) {
  kuma::PolicyTrail trail{.view = view};
  if (!confs.strategy) {
    return trail;
  }
  std::vector<std::pair<std::size_t, std::size_t>> origins;
  for (const kuma::RuleOrigin& origin : confs.strategy_origins) {
    origins.emplace_back(origin.policy, origin.item);
  }
  trail.affinity_groups = kuma::affinity_groups(*confs.strategy, client, policies_->profile);
  // Rules of the whole mesh at an egress come without origins.
  trail.conf = origins.empty() ? nullptr : known_[origins];
  if (trail.conf == nullptr) {
    trail.conf = std::make_shared<const kuma::PolicyConf>(find_conf(*policies_, confs));
    if (!origins.empty()) {
      known_[origins] = trail.conf;
    }
  }
  return trail;
}

}  // namespace spillway::scenario::kuma_binding
