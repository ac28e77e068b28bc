#include "reports/import/settings.hpp"

#include "models/documents/node_edit.hpp"
#include "models/documents/secrets.hpp"
#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/registry.hpp"
#include "reports/import/yaml_text.hpp"

namespace spillway::reports::importing {
namespace {

using documents::Member;
using documents::Node;

// Removes secrets: payloads of checks may hold passwords, and their queries tokens. No simulated result depends on
// either.
envoy::Cluster without_secrets(envoy::Cluster cluster) {
  for (config::HealthCheck& check : cluster.health_checks) {
    if (auto* const http = std::get_if<config::HttpHealthCheck>(&check.health_checker)) {
      http->path = documents::without_secret_query(http->path);
      http->send.clear();
    } else if (auto* const tcp = std::get_if<config::TcpHealthCheck>(&check.health_checker)) {
      tcp->send.clear();
    }
  }
  return cluster;
}

// Returns the fields that differ from their defaults.
Node unlike(const Node& usual, const Node& said) {
  Node own = documents::make_object();
  for (const Member& field : said.members) {
    const Member* const known = usual.find(field.key);
    if (known == nullptr || !same_json(known->value, field.value)) {
      own.members.push_back(field);
    }
  }
  return own;
}

// Adds the policy under its deprecated name if that expresses all of it.
void add_policy(Node& own, const envoy::Cluster& cluster, const Node& typed) {
  const auto& locality = cluster.common_lb_config.locality_config_specifier;
  const char* name = nullptr;
  envoy::policies::for_each_policy([&]<class Policy>() {
    if constexpr (envoy::policies::HasLbPolicy<Policy>) {
      const auto usual =
          messages::write_load_balancing_policy(typename Policy::Config{}, config::LocalityConfigSpecifier{});
      const bool same = same_json(typed, usual);
      name = same ? Policy::settings.lb_policy : name;
    }
  });
  if (name != nullptr && locality.index() == 0) {
    member(own, "lb_policy") = documents::make_node(name);
  } else {
    member(own, "load_balancing_policy") = typed;
  }
}

}  // namespace

Node own_settings(const envoy::Cluster& whole) {
  const envoy::Cluster cluster = without_secrets(whole);
  const Node usual = messages::write_cluster(envoy::Cluster{});
  const Node said = messages::write_cluster(cluster);
  Node own = documents::make_object();
  for (const Member& of : said.members) {
    const Member* const known = usual.find(of.key);
    if (known == nullptr) {
      member(own, of.key) = of.value;
    } else if (same_json(known->value, of.value)) {
      continue;
    } else if (of.key == "common_lb_config") {
      member(own, of.key) = unlike(known->value, of.value);
    } else {
      add_policy(own, cluster, of.value);
    }
  }
  return own;
}

Node own_policy(const config::ClusterLoadAssignment& assignment) {
  return unlike(messages::write_message(messages::LoadAssignmentPolicy{}),
                messages::write_message(messages::policy_of(assignment)));
}

std::string runtime_text(const config::Runtime& runtime) {
  Node values;
  for (const config::RuntimeKey& key : config::runtime_keys) {
    if (const auto& value = runtime.*key.value) {
      member(values, key.name) = documents::make_node(*value);
    }
  }
  return is_empty(values) ? "" : "runtime: " + yaml_flow(values) + "\n";
}

}  // namespace spillway::reports::importing
