#include "reports/envoy/listeners.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reports/envoy/addresses.hpp"
#include "reports/envoy/clusters.hpp"
#include "reports/envoy/moment.hpp"

namespace spillway::reports::envoy_export {
namespace {

Json connection_manager_json(const std::string& name, Json virtual_host, Json filters, bool check_clusters = true) {
  Json routes = {{"name", name}, {"virtual_hosts", Json::array({std::move(virtual_host)})}};
  if (!check_clusters) {
    routes.add("validate_clusters", false);
  }
  const Json manager = {{"stat_prefix", name},
                        {"generate_request_id", false},
                        {"route_config", std::move(routes)},
                        {"http_filters", std::move(filters)}};
  return extension_json("envoy.filters.network.http_connection_manager",
                        "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", manager);
}

Json router_json() {
  return extension_json("envoy.filters.http.router", "envoy.extensions.filters.http.router.v3.Router");
}

Json header_to_add(const char* name, const char* value) {
  return {{"header", {{"key", name}, {"value", value}}}, {"append_action", "OVERWRITE_IF_EXISTS_OR_ADD"}};
}

Json fails_route_json(const Behaviour& behaviour) {
  constexpr double million = 1e6;
  return {{"match",
           {{"prefix", "/"},
            {"runtime_fraction",
             {{"default_value", {{"numerator", std::lround(behaviour.fails * million)}, {"denominator", "MILLION"}}},
              {"runtime_key", "spillway.unset"}}}}},
          {"direct_response", {{"status", behaviour.status}}}};
}

Json check_route_json(const Behaviour& behaviour) {
  constexpr std::uint32_t unavailable = 503;
  constexpr std::uint32_t ok = 200;
  const scenario::CheckAnswer answer = behaviour.check_answer;
  const std::uint32_t status = answer == scenario::CheckAnswer::status      ? behaviour.check_status
                               : answer == scenario::CheckAnswer::unhealthy ? unavailable
                                                                            : ok;
  Json route = {{"match",
                 {{"prefix", "/"},
                  {"headers", Json::array({{{"name", "user-agent"}, {"string_match", {{"exact", "Envoy/HC"}}}}})}}},
                {"direct_response", {{"status", status}}}};
  if (answer == scenario::CheckAnswer::degraded) {
    route.add("response_headers_to_add", Json::array({header_to_add("x-envoy-degraded", "true")}));
  } else if (answer == scenario::CheckAnswer::immediate_health_check_fail) {
    route.add("response_headers_to_add", Json::array({header_to_add("x-envoy-immediate-health-check-fail", "true")}));
  }
  return route;
}

Json upstream_filters_json(const Behaviour& behaviour) {
  Json routes = Json::array();
  if (!behaviour.fails_checks) {
    routes.push_back(check_route_json(behaviour));
  }
  if (behaviour.fails > 0.0) {
    routes.push_back(fails_route_json(behaviour));
  }
  if (behaviour.fails_checks && behaviour.check_answer != scenario::CheckAnswer::healthy) {
    routes.push_back(check_route_json(behaviour));
  }
  routes.push_back({{"match", {{"prefix", "/"}}}, {"direct_response", {{"status", 200}}}});
  return Json::array({connection_manager_json(
      "upstream",
      {{"name", "upstream"},
       {"domains", Json::array({"*"})},
       {"routes", std::move(routes)},
       {"response_headers_to_add", Json::array({header_to_add("x-host", "%DOWNSTREAM_LOCAL_ADDRESS%")})}},
      Json::array({router_json()}))});
}

// Endpoints with equal behaviour other than success.
struct Alike {
  Behaviour behaviour;
  Json prefix_ranges;
};

std::vector<Alike> unlike_others(const ClusterInput& input, const std::vector<config::ServiceIndex>& services,
                                 std::uint32_t port) {
  std::vector<Alike> groups;
  for (const config::ServiceIndex service : services) {
    const std::vector<HostAtMoment>& hosts = input.moment.hosts[service.value];
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
      const Behaviour& behaviour = hosts[host].behaviour;
      const LoopbackAddress& address = input.addresses.of(service, {host});
      if (behaviour == Behaviour{} || behaviour.gone || address.port != port) {
        continue;
      }
      const auto found =
          std::find_if(groups.begin(), groups.end(), [&](const Alike& group) { return group.behaviour == behaviour; });
      Alike& group = found == groups.end() ? groups.emplace_back(Alike{behaviour, Json::array()}) : *found;
      group.prefix_ranges.push_back({{"address_prefix", address.ip}, {"prefix_len", 32}});
    }
  }
  return groups;
}

}  // namespace

Json shown_in_responses_json() {
  return {{"include_attempt_count_in_response", true},
          {"response_headers_to_add", Json::array({header_to_add("x-host", "%UPSTREAM_REMOTE_ADDRESS%"),
                                                   header_to_add("x-cluster", "%UPSTREAM_CLUSTER%"),
                                                   header_to_add("x-response-flags", "%RESPONSE_FLAGS%")})}};
}

Json inbound_listener_json(InboundListener listener) {
  listener.filters.push_back(router_json());
  Json host = {{"name", "inbound"}, {"domains", Json::array({"*"})}, {"routes", std::move(listener.routes)}};
  host.add_members_of(shown_in_responses_json());
  Json manager =
      connection_manager_json("inbound", std::move(host), std::move(listener.filters), listener.check_clusters);
  Json chain = {{"filters", Json::array({std::move(manager)})}};
  return {{"name", "inbound"},
          {"address", socket_address_json("127.0.0.1", listener.port)},
          {"filter_chains", Json::array({std::move(chain)})}};
}

std::vector<Json> upstream_listeners_json(const ClusterInput& input,
                                          const std::vector<config::ServiceIndex>& services) {
  std::vector<Json> listeners;
  for (const std::uint32_t port : input.addresses.listening_ports()) {
    Json chains = Json::array();
    for (Alike& group : unlike_others(input, services, port)) {
      chains.push_back({{"filter_chain_match", {{"prefix_ranges", std::move(group.prefix_ranges)}}},
                        {"filters", upstream_filters_json(group.behaviour)}});
    }
    chains.push_back({{"filters", upstream_filters_json({})}});
    // Envoy cannot listen on all of 127.0.0.0/8 only, so it listens on all addresses. Other machines can reach this
    // listener; it holds no secrets and changes nothing.
    listeners.push_back({{"name", "upstream-" + std::to_string(port)},
                         {"address", socket_address_json("0.0.0.0", port)},
                         {"filter_chains", std::move(chains)}});
  }
  return listeners;
}

}  // namespace spillway::reports::envoy_export
