#include "models/kuma/mesh_tcp_route.hpp"

#include "models/kuma/policy_checks.hpp"

namespace spillway::kuma {

void merge_patch(TcpRouteConf& conf, const TcpRouteConf& patch) {
  conf.rules = patch.rules;
}

std::vector<Violation> validate(const MeshTCPRoute& policy, config::KumaProfile profile) {
  Violations schema;
  Violations violations;
  const TargetKinds kinds{.profile = profile, .routes = true};
  check_top_target(policy.targetRef, kinds, violations);
  const std::vector<TargetedItem<TcpRouteConf>> items = policy.to.value_or(std::vector<TargetedItem<TcpRouteConf>>{});
  for (std::size_t item = 0; item < items.size(); ++item) {
    const std::string path = at("spec", "to", item);
    check_to_target(items[item].targetRef, policy.targetRef, path + ".targetRef", kinds, violations);
    if (items[item].default_.rules.size() > 1) {
      schema.push_back({path + ".rules", "in body should have at most 1 items"});
    }
    for (std::size_t rule = 0; rule < items[item].default_.rules.size(); ++rule) {
      const std::string place = at(path, "rules", rule) + ".default";
      const auto references = items[item].default_.rules[rule].backendRefs.value_or(std::vector<BackendRef>{});
      if (references.empty()) {
        violations.push_back({place + ".backendRefs", "must be defined"});
      }
      for (std::size_t reference = 0; reference < references.size(); ++reference) {
        check_backend_ref(references[reference].targetRef, references[reference].port.has_value(),
                          at(place, "backendRefs", reference), profile, violations);
      }
    }
  }
  return schema.empty() ? violations : schema;
}

}  // namespace spillway::kuma
