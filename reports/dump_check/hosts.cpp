#include "reports/dump_check/hosts.hpp"

#include <array>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/routes/address.hpp"
#include "models/istio/names.hpp"

namespace spillway::reports::held {
namespace {

using documents::Node;
using proxy::find_value;
using proxy::text_at;

// Returns the health in words; no status is healthy.
std::string_view health_words(config::HealthStatus status) {
  constexpr std::array<std::string_view, 6> words = {"healthy",  "healthy",   "unhealthy",
                                                     "draining", "unhealthy", "degraded"};
  return words[static_cast<std::size_t>(status)];
}

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
    endpoint.address = istio::address_text(text_at(*at, "address"), number_in(*at, "port_value", 0));
  }
  return endpoint;
}

}  // namespace

std::string locality_words(const config::Locality& locality) {
  std::string text = locality.region;
  for (const std::string& part : {locality.zone, locality.sub_zone}) {
    text += part.empty() ? "" : "/" + part;
  }
  return text.empty() ? "no locality" : text;
}

std::string address_key(const std::string& address) {
  const auto parsed = envoy::routes::parse_ip_address(address);
  return parsed ? envoy::routes::text(*parsed) : address;
}

Hosts hosts_of(const config::ClusterLoadAssignment& assignment) {
  Hosts hosts;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      hosts.try_emplace(address_key(endpoint.address),
                        DumpHost{group.priority.value, group.locality, endpoint.load_balancing_weight,
                                 std::string(health_words(endpoint.health_status))});
    }
  }
  return hosts;
}

std::map<Place, std::uint32_t> weights_of(const config::ClusterLoadAssignment& assignment) {
  std::map<Place, std::uint32_t> weights;
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    if (!group.lb_endpoints.empty()) {
      weights[{group.priority.value, group.locality}] = group.load_balancing_weight.value_or(0);
    }
  }
  return weights;
}

std::string host_words(const DumpHost& host) {
  return fmt::format("P{}, {}, weight {}, {}", host.priority, locality_words(host.locality), host.weight, host.health);
}

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
