#include "sim/plan/alike.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/numeric/hash.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {
namespace {

namespace policies = envoy::policies;

// True if the policy distinguishes hosts only by their weights.
bool blind_to_names(const envoy::Cluster& cluster) {
  return !cluster.original_dst && policies::visit_policy(cluster.lb_policy, []<class Policy>(const auto&) {
    return requires { Policy::blind_to_names; };
  });
}

// EDS reports about each host so far, by service and host. Each entry is a hash of the changes and of their contents; 0
// if there is no report. Texts instead of hashes would take seconds for 1,000 changes of 10,000 hosts.
using EdsReport = std::vector<std::vector<std::uint64_t>>;

EdsReport reported_of(const scenario::Scenario& scenario) {
  EdsReport reported(scenario.services.size());
  const auto note = [&](config::ServiceIndex service, config::HostIndex host, std::uint64_t position,
                        std::uint64_t what) {
    std::vector<std::uint64_t>& hosts = reported[service.value];
    hosts.resize(scenario.services[service.value].hosts.size(), 0);
    const std::array<std::uint64_t, 2> change{position, what};
    hosts[host.value] = numeric::xxhash64({reinterpret_cast<const char*>(change.data()), sizeof change},
                                          hosts[host.value]);  // NOLINT: bytes of numbers
  };
  for (std::size_t position = 0; position < scenario.changes.size(); ++position) {
    std::visit(
        [&](const auto& effect) {
          if constexpr (requires { effect.hosts; }) {
            for (const auto& entry : effect.hosts) {
              if constexpr (requires { entry.second; }) {
                note(effect.service, entry.first, position, 1 + static_cast<std::uint64_t>(entry.second));
              } else {
                note(effect.service, entry, position, 0);
              }
            }
          }
        },
        scenario.changes[position].effect);
  }
  return reported;
}

std::string key_of(const scenario::Scenario& scenario, const scenario::Endpoint& endpoint) {
  const scenario::Node& node = scenario.nodes[endpoint.node.value];
  std::string key = fmt::format("{} {} {} {} {} {}", node.zone.value, node.sub_zone, endpoint.service_time.count(),
                                endpoint.request_bytes, endpoint.response_bytes, endpoint.price.value_or(-1.0));
  // Endpoints that share a node's cores are alike only if they are on the same node.
  const std::optional<scenario::Servers>& servers = endpoint.servers;
  key += servers ? fmt::format(" own {} {} {}", servers->cores, servers->queue.value_or(UINT32_MAX),
                               static_cast<int>(servers->discipline))
                 : fmt::format(" node {}", node.servers ? endpoint.node.value : 0);
  for (const auto* tags : {&node.labels, &endpoint.tags}) {
    for (const auto& [name, value] : *tags) {
      key += fmt::format(" {}={}", name, value);
    }
  }
  return key + fmt::format(" {}", static_cast<const void*>(endpoint.variation.get()));
}

}  // namespace

Alike::Alike(const scenario::Scenario& scenario)
    : class_(scenario.endpoints.size()), services_(scenario.endpoints.size()) {
  std::vector<std::string> keys(scenario.endpoints.size());
  const EdsReport reported = reported_of(scenario);
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    const scenario::Service& service = scenario.services[index];
    std::uint32_t host = 0;
    for (const config::LocalityLbEndpoints& locality : service.load_assignment.endpoints) {
      for (const config::LbEndpoint& lb_endpoint : locality.lb_endpoints) {
        const scenario::Host& of = service.hosts[host];
        if (!service.as_view && !of.forwards_to) {
          services_[of.endpoint.value].push_back({index});
          std::string& key = keys[of.endpoint.value];
          key += fmt::format("{} {} {} {} ", index, locality.priority.value, lb_endpoint.load_balancing_weight,
                             static_cast<int>(lb_endpoint.health_status));
          if (!blind_to_names(service.cluster) || !lb_endpoint.metadata.empty()) {
            key += fmt::format("host {} ", host);
          }
          if (!reported[index].empty()) {
            key += fmt::format("told {:x} ", reported[index][host]);
          }
        }
        ++host;
      }
    }
  }
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t index = 0; index < scenario.endpoints.size(); ++index) {
    if (services_[index].empty()) {
      continue;
    }
    endpoints_.push_back({index});
    const std::string key = keys[index] + key_of(scenario, scenario.endpoints[index]);
    class_[index] = known.try_emplace(key, static_cast<std::uint32_t>(known.size())).first->second;
  }
}

bool Alike::serves(config::EndpointIndex endpoint, config::ServiceIndex service) const noexcept {
  const auto& services = services_[endpoint.value];
  return std::find(services.begin(), services.end(), service) != services.end();
}

}  // namespace spillway::plan
