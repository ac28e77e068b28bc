#include "reports/import/settings.hpp"

#include "models/documents/secrets.hpp"
#include "models/envoy/api/load_assignment.hpp"
#include "models/envoy/api/pick_policies.hpp"
#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/registry.hpp"
#include "reports/envoy/clusters.hpp"
#include "reports/import/yaml_text.hpp"

namespace spillway::reports::importing {
namespace {

using envoy_export::Json;

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
Json unlike(const Json& usual, const Json& said) {
  Json own = Json::object();
  for (const auto& [field, setting] : said.items()) {
    if (!usual.contains(field) || usual[field] != setting) {
      own[field] = setting;
    }
  }
  return own;
}

// Adds the policy under its deprecated name if that expresses all of it.
void add_policy(Json& own, const envoy::Cluster& cluster, const Json& typed) {
  const auto& locality = cluster.common_lb_config.locality_config_specifier;
  const char* name = nullptr;
  envoy::policies::for_each_policy([&]<class Policy>() {
    if constexpr (envoy::policies::HasLbPolicy<Policy>) {
      const auto usual =
          messages::write_load_balancing_policy(typename Policy::Config{}, config::LocalityConfigSpecifier{});
      const bool same = typed == json_of(usual);
      name = same ? Policy::settings.lb_policy : name;
    }
  });
  if (name != nullptr && locality.index() == 0) {
    own["lb_policy"] = name;
  } else {
    own["load_balancing_policy"] = typed;
  }
}

}  // namespace

Json own_settings(const envoy::Cluster& whole) {
  const envoy::Cluster cluster = without_secrets(whole);
  const Json usual = envoy_export::cluster_settings_json(envoy::Cluster{});
  const Json said = envoy_export::cluster_settings_json(cluster);
  Json own = Json::object();
  for (const auto& [key, value] : said.items()) {
    if (!usual.contains(key)) {
      own[key] = value;
    } else if (key == "common_lb_config" && usual[key] != value) {
      own[key] = unlike(usual[key], value);
    } else if (usual[key] != value) {
      add_policy(own, cluster, value);
    }
  }
  return own;
}

Json policy_json(const config::ClusterLoadAssignment& assignment) {
  return unlike(envoy_export::message_json(messages::LoadAssignmentPolicy{}),
                envoy_export::message_json(messages::policy_of(assignment)));
}

std::string runtime_text(const config::Runtime& runtime) {
  Json json = Json::object();
  for (const config::RuntimeKey& key : config::runtime_keys) {
    if (const auto& value = runtime.*key.value) {
      json[key.name] = *value;
    }
  }
  return json.empty() ? "" : "runtime: " + yaml_flow(json) + "\n";
}

}  // namespace spillway::reports::importing
