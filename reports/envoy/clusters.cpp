#include "reports/envoy/clusters.hpp"

#include <algorithm>
#include <cctype>

#include "models/envoy/api/cluster.hpp"
#include "models/envoy/api/endpoints.hpp"
#include "reports/envoy/addresses.hpp"
#include "reports/envoy/moment.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::envoy_export {
namespace {

bool hashes_hostnames(const envoy::Cluster& cluster) {
  const auto* const hashing = envoy::policies::consistent_hashing(cluster.lb_policy);
  return hashing != nullptr && hashing->use_hostname_for_hashing;
}

config::LbEndpoint exported_endpoint(config::LbEndpoint endpoint, const HostAtMoment& host,
                                     const LoopbackAddress& address, bool by_hostname) {
  if (!by_hostname && endpoint.metadata.find("hash_key") == nullptr && address.text() != endpoint.address) {
    endpoint.metadata.set("hash_key", endpoint.address);
  }
  endpoint.address = address.text();
  endpoint.health_status = host.reported;
  endpoint.load_balancing_weight = host.weight.value_or(endpoint.load_balancing_weight);
  return endpoint;
}

void add_hosts(Json& json, const ClusterInput& input, config::ServiceIndex index) {
  const scenario::Service& service = input.scenario.services[index.value];
  if (const Json type = cluster_type_json(service.cluster); !type.empty()) {
    json.add_members_of(type);
  } else if (is_eds(input, index)) {
    json.add("type", "EDS");
    json.add("eds_cluster_config",
             {{"eds_config", {{"path_config_source", {{"path", eds_file(service)}}}, {"resource_api_version", "V3"}}},
              {"service_name", service.name}});
  } else {
    json.add("type", "STATIC");
    json.add("load_assignment", load_assignment_json(input, index));
  }
}

}  // namespace

Json cluster_type_json(const envoy::Cluster& cluster) {
  return Json::of(messages::write_cluster_type(cluster));
}

Json cluster_settings_json(const envoy::Cluster& cluster) {
  return Json::of(messages::write_cluster(cluster));
}

bool is_eds(const ClusterInput& input, config::ServiceIndex service) {
  const envoy::Cluster& cluster = input.scenario.services[service.value].cluster;
  return input.moment.reported_over_time[service.value] && cluster.aggregate_clusters.empty() && !cluster.original_dst;
}

std::string eds_file(const scenario::Service& service) {
  std::string name = service.name;
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '-' && letter != '.'; }, '_');
  return "eds/" + name + ".json";
}

Json load_assignment_json(const ClusterInput& input, config::ServiceIndex index) {
  const scenario::Service& service = input.scenario.services[index.value];
  const config::ClusterLoadAssignment& assignment = service.load_assignment;
  const bool by_hostname = hashes_hostnames(service.cluster);
  messages::WholeLoadAssignment whole{service.name, {messages::policy_of(assignment)}};
  config::HostIndex host{0};
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    const auto& reported = input.moment.locality_weights[index.value];
    config::LocalityLbEndpoints& exported =
        whole.endpoints.emplace_back(group.locality, group.priority,
                                     reported.empty() ? group.load_balancing_weight : reported[whole.endpoints.size()]);
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      const HostAtMoment& now = input.moment.hosts[index.value][host.value];
      if (now.member) {
        exported.lb_endpoints.push_back(exported_endpoint(endpoint, now, input.addresses.of(index, host), by_hostname));
      }
      ++host.value;
    }
  }
  return message_json(whole);
}

Json cluster_json(const ClusterInput& input, config::ServiceIndex index) {
  const scenario::Service& service = input.scenario.services[index.value];
  Json json = {{"name", service.name}, {"connect_timeout", "1s"}};
  add_hosts(json, input, index);
  json.add_members_of(cluster_settings_json(service.cluster));
  return json;
}

Json eds_response_json(const ClusterInput& input, config::ServiceIndex service) {
  return {{"version_info", "1"},
          {"resources", Json::array({any_json("envoy.config.endpoint.v3.ClusterLoadAssignment",
                                              load_assignment_json(input, service))})}};
}

}  // namespace spillway::reports::envoy_export
