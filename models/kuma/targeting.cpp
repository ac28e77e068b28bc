#include "models/kuma/targeting.hpp"

#include <algorithm>
#include <array>

namespace spillway::kuma {

namespace {

// True if the policy applies in the client's zone. A producer's policy applies wherever its service is used. A client
// in a scenario counts as made by its zone.
bool selects_zone(const Policy& policy, const Client& client) {
  if (value_of(policy.labels, policy_role_label) == "producer" || value_of(client.labels, origin_label) == "global") {
    return true;
  }
  const std::string_view zone = value_of(policy.labels, zone_tag);
  return value_of(policy.labels, origin_label) != "zone" || zone.empty() || zone == client.zone;
}

bool selects_namespace(const Policy& policy, const Client& client) {
  const std::string_view role = value_of(policy.labels, policy_role_label);
  if (role != "consumer" && role != "workload-owner") {
    return true;
  }
  return policy.labels.contains(std::string(namespace_label)) &&
         value_of(policy.labels, namespace_label) == value_of(client.labels, namespace_label);
}

bool is_gateway(const Client& client) {
  return client.role == ProxyRole::builtin_gateway || client.delegated_gateway;
}

bool selects_proxy_type(const TargetRef& target, const Client& client) {
  if (!target.proxyTypes || target.proxyTypes->empty()) {
    return true;
  }
  const std::string_view type = is_gateway(client) ? "Gateway" : "Sidecar";
  return std::find(target.proxyTypes->begin(), target.proxyTypes->end(), type) != target.proxyTypes->end();
}

bool has_tags(const Client& client, const Tags& wanted) {
  return std::any_of(client.inbounds.begin(), client.inbounds.end(),
                     [&wanted](const Tags& inbound) { return has_all(inbound, wanted); }) ||
         (is_gateway(client) && has_all(client.gateway_tags, wanted));
}

bool selects_dataplane(const TargetRef& target, const Client& client, bool by_name) {
  if (client.role == ProxyRole::builtin_gateway) {
    return false;
  }
  if (target.labels) {
    return has_all(client.labels, *target.labels);
  }
  if (by_name && target.name && !target.name->empty()) {
    return *target.name == client.name &&
           (!target.namespace_ || *target.namespace_ == value_of(client.labels, namespace_label));
  }
  return true;
}

bool selects_service(const TargetRef& target, const Client& client, const Tags& tags) {
  Tags wanted = tags;
  wanted[std::string(service_tag)] = std::string(value_of(target.name));
  return has_tags(client, wanted);
}

}  // namespace

bool is_shadow(const Policy& policy) {
  return value_of(policy.labels, effect_label) == "shadow";
}

bool selects(const Policy& policy, const Client& client, config::KumaProfile profile) {
  // For traffic that leaves the mesh, a zone egress has the rules of all policies, whatever their targets
  // (EgressMatchedPolicies of Kuma 2.14's policies/core/matchers/egress.go).
  if (client.role == ProxyRole::zone_egress && profile != config::KumaProfile::head) {
    return !is_shadow(policy);
  }
  if (is_shadow(policy) || !selects_zone(policy, client) || !selects_namespace(policy, client)) {
    return false;
  }
  const TargetRef target = policy.spec.targetRef.value_or(TargetRef{});
  const std::string_view kind = top_level_kind(policy.spec);
  const bool head = profile == config::KumaProfile::head;
  if (kind == "Mesh") {
    return head || selects_proxy_type(target, client);
  }
  if (kind == "Dataplane") {
    return selects_dataplane(target, client, !head);
  }
  if (head) {
    return false;
  }
  if (kind == "MeshSubset") {
    return selects_proxy_type(target, client) && has_tags(client, target.tags.value_or(Tags{}));
  }
  if (kind == "MeshService") {
    return selects_service(target, client, {});
  }
  if (kind == "MeshServiceSubset") {
    return selects_service(target, client, target.tags.value_or(Tags{}));
  }
  return kind == "MeshGateway" && client.role == ProxyRole::builtin_gateway && target.name == client.gateway_name &&
         has_all(client.gateway_tags, target.tags.value_or(Tags{}));
}

int origin_rank(const Policy& policy) {
  const std::string_view origin = value_of(policy.labels, origin_label);
  if (origin == "global") {
    return 0;
  }
  return origin == "zone" ? 2 : 1;
}

int role_rank(const Policy& policy) {
  const std::string_view role = value_of(policy.labels, policy_role_label);
  if (role == "producer") {
    return 1;
  }
  if (role == "consumer") {
    return 2;
  }
  return role == "workload-owner" ? 3 : 0;
}

int kind_rank(std::string_view kind) {
  constexpr std::array<std::string_view, 9> ascending = {
      "Mesh",         "Dataplane",           "MeshSubset",           "MeshGateway",
      "MeshService",  "MeshExternalService", "MeshMultiZoneService", "MeshServiceSubset",
      "MeshHTTPRoute"};
  const auto* const found = std::find(ascending.begin(), ascending.end(), kind);
  return found == ascending.end() ? 0 : static_cast<int>(found - ascending.begin()) + 1;
}

}  // namespace spillway::kuma
