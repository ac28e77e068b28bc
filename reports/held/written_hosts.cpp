#include "reports/held/written_hosts.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/scenario/envoy/kinds.hpp"

namespace spillway::reports::held {
namespace {

using scenario::document::Node;
using scenario::envoy_documents::find_value;
using scenario::envoy_documents::text_at;

std::uint32_t number_in(const Node& object, const char* key, std::uint32_t otherwise) {
  const Node* const value = find_value(object, key);
  return value == nullptr ? otherwise : static_cast<std::uint32_t>(value->magnitude);
}

config::HealthStatus health_in(const Node& endpoint) {
  constexpr std::array<std::pair<std::string_view, config::HealthStatus>, 5> names = {
      {{"HEALTHY", config::HealthStatus::healthy},
       {"UNHEALTHY", config::HealthStatus::unhealthy},
       {"DRAINING", config::HealthStatus::draining},
       {"TIMEOUT", config::HealthStatus::timeout},
       {"DEGRADED", config::HealthStatus::degraded}}};
  const std::string written = text_at(endpoint, "health_status");
  for (const auto& [name, status] : names) {
    if (name == written) {
      return status;
    }
  }
  return config::HealthStatus::unknown;
}

config::LbEndpoint endpoint_in(const Node& written) {
  config::LbEndpoint endpoint;
  endpoint.health_status = health_in(written);
  endpoint.load_balancing_weight = number_in(written, "load_balancing_weight", 1);
  const Node* at = &written;
  for (const char* const key : {"endpoint", "address", "socket_address"}) {
    at = at == nullptr ? nullptr : find_value(*at, key);
  }
  if (at != nullptr) {
    endpoint.address = text_at(*at, "address") + ":" + std::to_string(number_in(*at, "port_value", 0));
  }
  return endpoint;
}

}  // namespace

config::ClusterLoadAssignment assignment_as_written(const Node& assignment) {
  config::ClusterLoadAssignment made;
  made.cluster_name = text_at(assignment, "cluster_name");
  const Node* const groups = find_value(assignment, "endpoints");
  for (std::size_t i = 0; groups != nullptr && i < groups->items.size(); ++i) {
    const Node& written = groups->items[i];
    config::LocalityLbEndpoints& group = made.endpoints.emplace_back();
    group.priority = config::Priority{number_in(written, "priority", 0)};
    if (find_value(written, "load_balancing_weight") != nullptr) {
      group.load_balancing_weight = number_in(written, "load_balancing_weight", 0);
    }
    if (const Node* const place = find_value(written, "locality")) {
      group.locality = {text_at(*place, "region"), text_at(*place, "zone"), text_at(*place, "sub_zone")};
    }
    const Node* const endpoints = find_value(written, "lb_endpoints");
    for (std::size_t host = 0; endpoints != nullptr && host < endpoints->items.size(); ++host) {
      group.lb_endpoints.push_back(endpoint_in(endpoints->items[host]));
    }
  }
  return made;
}

}  // namespace spillway::reports::held
