#include "sim/scenario/pasted/gateway_policies.hpp"

#include <algorithm>

#include "models/documents/node_json.hpp"
#include "sim/scenario/pasted/backend_traffic_policy.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

// How closely a policy is attached to a rule; a larger one wins.
enum Attachment { none, gateway, listener, route, rule };

Attachment attachment(const Json& policy, const Json& of_route, const Json& of_rule) {
  Attachment closest = none;
  const std::string name_space = namespace_of(policy);
  for (const Json& target : targets_of(policy)) {
    const std::string section = text_of(target, "sectionName");
    if (target.contains("matchLabels") || target.contains("matchExpressions")) {
      const bool is_route = text_of(target, "kind") == text_of(of_route, "kind");
      const Labels labels = labels_of(child(child(of_route, "metadata"), "labels"));
      if (is_route && namespace_of(of_route) == name_space &&
          has_all(labels, labels_of(child(target, "matchLabels")))) {
        closest = std::max(closest, route);
      }
      continue;
    }
    if (text_of(target, "kind") == text_of(of_route, "kind")) {
      if (text_of(target, "name") == text_of(child(of_route, "metadata"), "name") &&
          namespace_of(of_route) == name_space && (section.empty() || section == text_of(of_rule, "name"))) {
        closest = std::max(closest, section.empty() ? route : rule);
      }
      continue;
    }
    for (const Json& parent : child(child(of_route, "spec"), "parentRefs")) {
      const std::string own = text_of(parent, "namespace");
      const std::string asked = text_of(parent, "sectionName");
      if (text_of(target, "kind") == "Gateway" && text_of(parent, "name") == text_of(target, "name") &&
          (own.empty() ? namespace_of(of_route) : own) == name_space &&
          (section.empty() || asked.empty() || section == asked)) {
        closest = std::max(closest, section.empty() ? gateway : listener);
      }
    }
  }
  return closest;
}

}  // namespace

std::vector<Json> targets_of(const Json& policy) {
  const Json& spec = child(policy, "spec");
  std::vector<Json> targets;
  for (const char* const key : {"targetRefs", "targetSelectors"}) {
    for (const Json& target : child(spec, key)) {
      targets.push_back(target);
    }
  }
  if (const Json& only = child(spec, "targetRef"); !only.empty()) {
    targets.push_back(only);
  }
  return targets;
}

std::optional<documents::Node> effective_policy(const MeshInventory& inventory, const Json& of_route,
                                                const Json& of_rule) {
  const documents::Node* closest = nullptr;
  const documents::Node* of_gateway = nullptr;
  Attachment best = none;
  Attachment best_of_gateway = none;
  for (const documents::Node& policy : inventory.traffic_policies) {
    const Attachment found = attachment(documents::json_of(policy), of_route, of_rule);
    const documents::Node* const spec = value_below(policy, {"spec"});
    if (spec != nullptr && found > best) {
      closest = spec;
      best = found;
    }
    if (spec != nullptr && found <= listener && found > best_of_gateway) {
      of_gateway = spec;
      best_of_gateway = found;
    }
  }
  if (closest == nullptr) {
    return std::nullopt;
  }
  const bool merges = best > listener && of_gateway != nullptr && closest->find("mergeType") != nullptr;
  return merges ? merged_spec(*of_gateway, *closest) : *closest;
}

std::vector<std::string> unattached_policies(const MeshInventory& inventory) {
  std::vector<std::string> lines;
  for (const documents::Node& node : inventory.traffic_policies) {
    const Json policy = documents::json_of(node);
    bool attached = false;
    for (const Json& one : inventory.gateway_routes) {
      for (const Json& part : child(child(one, "spec"), "rules")) {
        attached = attached || attachment(policy, one, part) != none;
      }
    }
    if (!attached) {
      lines.push_back("BackendTrafficPolicy `" + text_of(child(policy, "metadata"), "name") +
                      "` has no effect: no HTTPRoute or GRPCRoute here has its target");
    }
  }
  return lines;
}

}  // namespace spillway::scenario::pasted
