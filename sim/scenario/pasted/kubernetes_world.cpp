#include "sim/scenario/pasted/kubernetes_world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/istio/names.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/pasted/assumed_pods.hpp"
#include "sim/scenario/pasted/caller.hpp"
#include "sim/scenario/pasted/chosen_zones.hpp"
#include "sim/scenario/pasted/fragments.hpp"
#include "sim/scenario/pasted/gateway_api_routes.hpp"
#include "sim/scenario/pasted/gateway_world.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"
#include "sim/scenario/pasted/route_edits.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr std::string_view in_cluster = ".svc.cluster.local";
constexpr const char* istio_group = "networking.istio.io/v1";

class KubernetesWorld {
 public:
  KubernetesWorld(PastedDocuments& documents, const Question& question) : documents_(documents), question_(question) {}

  World make() {
    const std::vector<std::string> of_gateways = edit_virtual_services(documents_.files, world_.assumed);
    inventory_ = take_inventory(documents_);
    gateways_.insert(of_gateways.begin(), of_gateways.end());
    convert_gateway_routes();
    zones_ = choose_zones(inventory_, question_, world_.assumed);
    add_hosts_of_rules();
    for (PastedService& service : inventory_.services) {
      if (service.selector.empty()) {
        service.selector = {{"app", service.name}};
      }
    }
    pods_.add_nodes();
    pods_.add_endpoints();
    if (documents_.of_envoy_gateway && !inventory_.gateway_routes.empty()) {
      if (!question_.profile.empty()) {
        world_.problem = "`--profile " + question_.profile + "` does not apply to gateways of Envoy Gateway";
        world_.help = "leave it out: they are simulated as Envoy Gateway 1.9 writes them";
        return std::move(world_);
      }
      write_gateway_world(inventory_, zones_, question_, documents_, world_);
      return std::move(world_);
    }
    add_hosts_of_gateways();
    if (inventory_.ambient) {
      world_.assumed.emplace_back("clients have sidecars: ambient mode is not simulated");
    }
    world_.gateway_routes = gateways_;
    write();
    return std::move(world_);
  }

 private:
  // Names Istio's documents beside those of Envoy Gateway, whose proxies read none of them.
  void name_documents_of_istio() {
    std::set<std::string> kinds;
    for (const auto* const list : {&inventory_.rules, &inventory_.routes, &inventory_.others}) {
      for (const Json& document : *list) {
        kinds.insert(text_of(document, "kind"));
      }
    }
    if (!kinds.empty()) {
      world_.assumed.push_back("left out, since the gateways are Envoy Gateway's: " +
                               grammar::listed({kinds.begin(), kinds.end()}, "and"));
    }
  }

  void convert_gateway_routes() {
    if (documents_.of_envoy_gateway && !inventory_.gateway_routes.empty()) {
      name_documents_of_istio();
    }
    const std::vector<Json> routes =
        documents_.of_envoy_gateway ? complete_gateway_routes(inventory_, world_.assumed) : inventory_.gateway_routes;
    for (const Json& route : routes) {
      for (RouteOfGateway& made : virtual_services_of(route)) {
        const std::string name = text_of(child(made.virtual_service, "metadata"), "name");
        if (made.at_gateway) {
          gateways_.insert(namespace_of(made.virtual_service) + "/" + name);
        }
        if (documents_.of_envoy_gateway) {
          inventory_.routes.push_back(std::move(made.virtual_service));  // names Services
          continue;
        }
        for (std::string& line : made.assumed) {
          world_.assumed.push_back(std::move(line));
        }
        world_.assumed.push_back(fmt::format(
            "{} `{}` is read as the routes of {}", text_of(route, "kind"), name,
            made.at_gateway ? "a client in each zone, which stands for the gateway" : "the clients of its Service"));
        inventory_.routes.push_back(made.virtual_service);
        resources_.push_back(std::move(made.virtual_service));
      }
    }
  }

  [[nodiscard]] bool is_known(const std::string& host) const {
    return std::any_of(inventory_.services.begin(), inventory_.services.end(),
                       [&](const PastedService& service) { return istio::host_matches(service.host, host); });
  }

  // Adds a Service, or a ServiceEntry outside of the cluster's domain, for a host that rules name.
  void add_host(const std::string& written, const std::string& name_space, const std::set<std::uint64_t>& ports,
                bool tcp) {
    std::string host = istio::resolve_short_name(written, name_space);
    if (written.empty() || host.empty() || is_known(host)) {
      return;
    }
    if (host.starts_with('*')) {
      host = host.size() < 3 ? istio::resolve_short_name("example", name_space) : "example" + host.substr(1);
      host = host.ends_with(".local") && !host.ends_with(in_cluster) ? istio::resolve_short_name("example", name_space)
                                                                     : host;
    }
    PastedService service{.name = host, .name_space = name_space, .host = host, .assumed = true};
    for (const std::uint64_t port : ports.empty() ? std::set<std::uint64_t>{80} : ports) {
      service.ports.push_back({(tcp ? "tcp-" : "http-") + std::to_string(port), port, port});
    }
    Json list = Json::array();
    for (const PastedPort& port : service.ports) {
      list.push_back({{"name", port.name}, {"port", port.number}});
    }
    if (host.ends_with(in_cluster)) {
      const std::string names = host.substr(0, host.size() - in_cluster.size());
      const std::size_t dot = names.rfind('.');
      service.name = names.substr(0, dot);
      service.name_space = dot == std::string::npos ? name_space : names.substr(dot + 1);
      service.selector = {{"app", service.name}};
      resources_.push_back({{"apiVersion", "v1"},
                            {"kind", "Service"},
                            {"metadata", {{"name", service.name}, {"namespace", service.name_space}}},
                            {"spec", {{"selector", service.selector}, {"ports", list}}}});
      world_.assumed.push_back("a Service `" + service.name + "`: a rule names it, no document defines it");
    } else {
      add_entry(service, tcp);
      world_.assumed.push_back("a ServiceEntry `" + host + "` with 2 endpoints in each zone: a rule names it");
    }
    inventory_.services.push_back(std::move(service));
  }

  void add_entry(PastedService& service, bool tcp) {
    Json ports = Json::array();
    for (const PastedPort& port : service.ports) {
      ports.push_back({{"name", port.name}, {"number", port.number}, {"protocol", tcp ? "TCP" : "HTTP"}});
    }
    Json endpoints = Json::array();
    for (const AssumedZone& zone : zones_) {
      for (int number = 0; number < 2; ++number) {
        endpoints.push_back(
            {{"address", fmt::format("192.0.2.{}", ++entry_addresses_)}, {"locality", zone.locality()}});
      }
    }
    service.is_entry = true;
    service.has_endpoints = true;
    resources_.push_back(
        {{"apiVersion", istio_group},
         {"kind", "ServiceEntry"},
         {"metadata", {{"name", "assumed-" + std::to_string(resources_.size())}, {"namespace", service.name_space}}},
         {"spec",
          {{"hosts", {service.host}},
           {"location", "MESH_EXTERNAL"},
           {"resolution", "STATIC"},
           {"ports", ports},
           {"endpoints", endpoints}}}});
  }

  // Collects the ports and subsets that VirtualServices name for each host.
  struct Named {
    std::set<std::uint64_t> ports = {};
    std::set<std::string> subsets = {};
    bool tcp = false;
    std::string written = {};
    std::string name_space = {};
  };
  [[nodiscard]] std::map<std::string, Named> named_destinations() const {
    std::map<std::string, Named> named;
    for (const Json& routes : inventory_.routes) {
      for (const char* const kind : {"http", "tcp", "tls"}) {
        for (const Json& route : child(child(routes, "spec"), kind)) {
          for (const Json& to : child(route, "route")) {
            const Json& destination = child(to, "destination");
            const std::string host = text_of(destination, "host");
            Named& one = named[istio::resolve_short_name(host, namespace_of(routes))];
            one.written = host;
            one.name_space = namespace_of(routes);
            one.tcp = one.tcp || std::string_view(kind) != "http";
            if (const Json& port = child(child(destination, "port"), "number"); port.is_number_unsigned()) {
              one.ports.insert(port.get<std::uint64_t>());
            }
            if (const std::string subset = text_of(destination, "subset"); !subset.empty()) {
              one.subsets.insert(subset);
            }
          }
        }
      }
    }
    return named;
  }

  void add_hosts_of_rules() {
    const auto named = named_destinations();
    for (const auto& [host, one] : named) {
      add_host(one.written, one.name_space, one.ports, one.tcp);
    }
    for (const Json& rule : inventory_.rules) {
      const Json& spec = child(rule, "spec");
      std::set<std::uint64_t> ports;
      for (const Json& setting : child(child(spec, "trafficPolicy"), "portLevelSettings")) {
        if (const Json& number = child(child(setting, "port"), "number"); number.is_number_unsigned()) {
          ports.insert(number.get<std::uint64_t>());
        }
      }
      add_host(text_of(spec, "host"), namespace_of(rule), ports, false);
    }
    add_subsets(named);
    const bool nothing = std::none_of(inventory_.services.begin(), inventory_.services.end(),
                                      [](const PastedService& service) { return service.callable; });
    if (nothing && inventory_.routes.empty()) {
      std::set<std::string> apps;
      for (const PastedWorkload& workload : inventory_.workloads) {
        const auto app = workload.labels.find("app");
        apps.insert(app != workload.labels.end() ? app->second : workload.name.empty() ? "example" : workload.name);
      }
      if (apps.empty()) {
        apps.insert("example");
      }
      for (const std::string& app : apps) {
        add_host(app, name_space_of_documents(), {}, false);
      }
    }
  }

  [[nodiscard]] std::string name_space_of_documents() const {
    return inventory_.workloads.empty() ? "default" : inventory_.workloads.front().name_space;
  }

  // Adds the subsets that routes name and no DestinationRule defines.
  void add_subsets(const std::map<std::string, Named>& named) {
    for (const auto& [host, one] : named) {
      const bool has_rule = std::any_of(inventory_.rules.begin(), inventory_.rules.end(), [&](const Json& rule) {
        return istio::resolve_short_name(text_of(child(rule, "spec"), "host"), namespace_of(rule)) == host;
      });
      if (one.subsets.empty() || one.written.empty() || has_rule) {
        continue;
      }
      Json subsets = Json::array();
      for (const std::string& name : one.subsets) {
        subsets.push_back({{"name", name}, {"labels", {{"version", name}}}});
      }
      Json rule{{"apiVersion", istio_group},
                {"kind", "DestinationRule"},
                {"metadata", {{"name", "assumed-" + std::to_string(resources_.size())}, {"namespace", one.name_space}}},
                {"spec", {{"host", host}, {"subsets", subsets}}}};
      inventory_.rules.push_back(rule);
      resources_.push_back(std::move(rule));
      world_.assumed.push_back("subsets of `" + one.written +
                               "` are pods with the label `version` of the subset's name: no DestinationRule is given");
    }
  }

  // Adds the hosts of gateways that no service defines, so that requests to them follow the routes.
  void add_hosts_of_gateways() {
    for (const Json& routes : inventory_.routes) {
      const std::string name = namespace_of(routes) + "/" + text_of(child(routes, "metadata"), "name");
      const Json& hosts = child(child(routes, "spec"), "hosts");
      const bool callable = std::any_of(hosts.begin(), hosts.end(), [&](const Json& host) {
        return host.is_string() && is_known(istio::resolve_short_name(host.get<std::string>(), namespace_of(routes)));
      });
      const Json& spec = child(routes, "spec");
      const bool only_tls = spec.contains("tls") && !spec.contains("http") && !spec.contains("tcp");
      if (callable || hosts.empty() || !hosts.front().is_string() || only_tls) {
        continue;
      }
      std::string host = istio::resolve_short_name(hosts.front().get<std::string>(), namespace_of(routes));
      host = host.starts_with("*") ? "www" + host.substr(1) : host;
      PastedService service{.name = host, .name_space = namespace_of(routes), .host = host, .assumed = true};
      service.ports.push_back({"http-80", 80, 80});
      if (host.ends_with(in_cluster)) {
        add_service_without_pods(service);
      } else {
        add_entry(service, false);
      }
      inventory_.services.push_back(std::move(service));
    }
  }

  // Its requests follow the routes to other services.
  void add_service_without_pods(PastedService& service) {
    const std::string names = service.host.substr(0, service.host.size() - in_cluster.size());
    service.name = names.substr(0, names.rfind('.'));
    service.name_space = names.substr(names.rfind('.') + 1);
    service.has_endpoints = true;
    resources_.push_back({{"apiVersion", "v1"},
                          {"kind", "Service"},
                          {"metadata", {{"name", service.name}, {"namespace", service.name_space}}},
                          {"spec", {{"ports", {{{"name", "http-80"}, {"port", 80}}}}}}});
  }

  [[nodiscard]] const Json* routes_to(const PastedService& service) const {
    for (const Json& routes : inventory_.routes) {
      for (const Json& host : child(child(routes, "spec"), "hosts")) {
        if (host.is_string() && istio::host_matches(service.host, istio::resolve_short_name(host.get<std::string>(),
                                                                                            namespace_of(routes)))) {
          return &routes;
        }
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool is_named_by_rules(const PastedService& service) const {
    return routes_to(service) != nullptr ||
           std::any_of(inventory_.rules.begin(), inventory_.rules.end(), [&](const Json& rule) {
             return istio::host_matches(
                 service.host, istio::resolve_short_name(text_of(child(rule, "spec"), "host"), namespace_of(rule)));
           });
  }

  // Their clients choose the pod: a cluster of the type ORIGINAL_DST.
  void name_headless_services() {
    std::vector<std::string> names;
    for (const PastedService& service : inventory_.services) {
      if (service.is_headless) {
        names.push_back(service.name);
      }
      if (service.is_headless && (question_.to == service.name || question_.to == service.host)) {
        world_.problem = "`" + question_.to + "` is a headless Service (clusterIP: None)";
        world_.help = "its clients choose the pod, not the proxy, so that no rule moves these requests";
      }
    }
    if (!names.empty()) {
      world_.assumed.push_back("no requests to headless Services, whose clients choose the pod: " +
                               grammar::listed(names, "and"));
    }
  }

  // Returns the hosts that only gateways call: their routes lead there, and nothing asks for other clients.
  [[nodiscard]] std::set<std::string> hosts_behind_gateways() {
    std::set<std::string> hosts;
    if (!question_.to.empty() || !question_.from.empty() || !question_.rates.empty() || question_.only_pods) {
      return hosts;
    }
    for (const Json& routes : inventory_.routes) {
      if (!gateways_.contains(namespace_of(routes) + "/" + text_of(child(routes, "metadata"), "name"))) {
        continue;
      }
      for (const Json& route : child(child(routes, "spec"), "http")) {
        for (const Json& to : child(route, "route")) {
          hosts.insert(istio::resolve_short_name(text_of(child(to, "destination"), "host"), namespace_of(routes)));
        }
      }
    }
    std::vector<std::string> names;
    for (const PastedService& service : inventory_.services) {
      if (routes_to(service) != nullptr) {
        hosts.erase(service.host);
      } else if (service.callable && hosts.contains(service.host)) {
        names.push_back(service.name);
      }
    }
    if (!names.empty()) {
      world_.assumed.push_back("only the gateway calls " + grammar::listed(names, "and") +
                               ": `--to` asks for clients that call them directly");
    }
    return hosts;
  }

  void write() {
    CallerQuestion asked{.question = question_, .zones = zones_};
    name_headless_services();
    if (!world_.problem.empty()) {
      return;
    }
    const std::set<std::string> behind_gateways = hosts_behind_gateways();
    std::vector<const PastedService*> services;
    for (const PastedService& service : inventory_.services) {
      if (service.callable && service.has_endpoints && !behind_gateways.contains(service.host)) {
        services.push_back(&service);
      }
    }
    numeric::stable_sort(services, [&](const PastedService* left, const PastedService* right) {
      return is_named_by_rules(*left) && !is_named_by_rules(*right);
    });
    for (const PastedService* const service : services) {
      asked.services.push_back(called(*service));
    }
    for (const PastedPod& pod : inventory_.pods) {
      asked.pods.push_back({pod.name, pod.name_space, pod.labels, pod.node});
    }
    for (const PastedService& service : inventory_.services) {
      asked.selectors[service.name] = service.selector;
    }
    for (const PastedWorkload& workload : inventory_.workloads) {
      asked.selectors[workload.name] = workload.labels;
    }
    for (const Autoscaler& scaler : inventory_.autoscalers) {
      if (scaler.utilization) {
        asked.utilization[scaler.target] = *scaler.utilization;
      }
    }
    write_scenario(asked, resources_, documents_, world_);
  }

  [[nodiscard]] CalledService called(const PastedService& service) const {
    CalledService called{.name = service.name, .name_space = service.name_space};
    called.reference = service.is_entry ? service.host : service.name + "." + service.name_space;
    if (service.ports.size() > 1) {
      const auto port = std::find_if(service.ports.begin(), service.ports.end(), [](const PastedPort& one) {
        return one.name.starts_with("http") || one.name.starts_with("grpc") || one.number == 80;
      });
      called.reference +=
          ":" + std::to_string(port == service.ports.end() ? service.ports.front().number : port->number);
    }
    if (const Json* const routes = routes_to(service)) {
      const std::string name = text_of(child(*routes, "metadata"), "name");
      called.request = first_request(*routes);
      called.routes = name;
      if (gateways_.contains(namespace_of(*routes) + "/" + name)) {
        called.caller_namespace = "istio-system";
        called.is_of_gateway = true;
      }
    }
    const auto& counts = pods_.counts();
    if (const auto found = counts.find(service.host); found != counts.end()) {
      for (const auto& [zone, count] : found->second) {
        called.pods += count;
        called.pods_in_zone[zone] = count;
      }
    }
    return called;
  }

  PastedDocuments& documents_;
  const Question& question_;
  World world_;
  MeshInventory inventory_;
  std::vector<AssumedZone> zones_;
  std::vector<Json> resources_;
  std::set<std::string> gateways_;
  std::size_t entry_addresses_ = 0;
  AssumedPods pods_{inventory_, zones_, resources_, world_.assumed};
};

}  // namespace

World kubernetes_world(PastedDocuments& documents, const Question& question) {
  return KubernetesWorld(documents, question).make();
}

}  // namespace spillway::scenario::pasted
