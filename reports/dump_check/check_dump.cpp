#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

#include "models/envoy/proxy/kinds.hpp"
#include "reports/dump_check/dump_check.hpp"
#include "reports/dump_check/hosts.hpp"
#include "reports/dump_check/settings.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/istio/mesh_files.hpp"
#include "sim/scenario/binding/istio/proxy_view.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::held {
namespace {

using documents::Node;
using proxy::find_value;
using scenario::istio_binding::MeshFiles;
using scenario::istio_binding::ProxyView;
using Part = ProxyView::Part;

constexpr std::string_view outbound = "outbound|";
constexpr const char* without_load_assignment = "SP136";

Part part_of(const std::string& setting) {
  if (setting.starts_with("outlier_detection") || setting == "common_lb_config.healthy_panic_threshold") {
    return Part::outlier_detection;
  }
  if (setting.starts_with("common_lb_config")) {
    return Part::locality;
  }
  const bool of_pool = setting.starts_with("circuit_breakers") || setting == "connect_timeout" ||
                       setting.starts_with("common_http_protocol_options");
  return of_pool ? Part::pool : Part::balancer;
}

class Comparer {
 public:
  Comparer(const MeshFiles& mesh, const ProxyView& view, const scenario::ProxyConfiguration& dump)
      : mesh_(mesh), view_(view), dump_(dump) {
    const auto names = dump.cluster_names();
    held_.insert(names.begin(), names.end());
  }

  Beside compare(const std::optional<std::string>& only) {
    const istio::Proxy& proxy = view_.proxy();
    beside_.proxy = fmt::format(
        "{}, in {}", proxy.pod.empty() ? "namespace " + proxy.name_space : proxy.pod + "." + proxy.name_space,
        locality_words(proxy.locality));
    std::set<std::string> made;
    for (const ProxyView::Cluster& cluster : view_.clusters()) {
      made.insert(cluster.made.name);
      if (!only || cluster.made.name == *only) {
        compare(cluster);
      }
    }
    if (!only) {
      add_others(made);
      compare_routes();
      compare_tcp_routes();
    } else if (!made.contains(*only)) {
      add(*only, "cluster", absent, held_.contains(*only) ? "there" : absent, {});
    }
    for (const std::string& problem : view_.problems()) {
      beside_.notes.push_back(problem);
    }
    if (!dump_.has_load_assignments()) {
      beside_.notes.emplace_back(
          "the dump has no endpoints, which were not compared: istioctl proxy-config all POD -o json has them, and "
          "config_dump?include_eds");
    }
    return std::move(beside_);
  }

 private:
  void add(const std::string& of, std::string what, std::string documents, std::string proxy,
           const ProxyView::Origin& origin) {
    beside_.differences.push_back(
        {of, std::move(what), std::move(documents), std::move(proxy), origin.name, origin.where});
  }

  void compare(const ProxyView::Cluster& cluster) {
    const std::string& name = cluster.made.name;
    if (!held_.contains(name)) {
      add(name, "cluster", "there", absent,
          view_.source_of(cluster, cluster.made.subset.empty() ? Part::endpoints : Part::subset));
      return;
    }
    const auto reading = dump_.cluster(name);
    const auto service = find(reading, name);
    if (service == nullptr) {
      for (const Diagnostic& problem : reading.diagnostics) {
        if (problem.code == without_load_assignment && dump_.has_load_assignments()) {
          add(name, "load assignment", "there", absent, view_.source_of(cluster, Part::endpoints));
          return;
        }
        if (problem.severity == Severity::error) {
          beside_.not_compared.push_back({name, problem.code + ": " + problem.message});
          return;
        }
      }
      beside_.not_compared.push_back({name, "the dump does not tell what it is"});
      return;
    }
    ++beside_.clusters;
    compare_settings(cluster, *service);
    if (!cluster.made.assignment) {
      return;
    }
    if (cluster.made.type == istio::DiscoveryType::eds) {
      if (dump_.has_load_assignments()) {
        compare_hosts(cluster, service->load_assignment);
      }
      return;
    }
    // Clusters with resolved host names contain their load assignment.
    const auto* const node = dump_.cluster_document(name);
    if (const auto* const inside = node == nullptr ? nullptr : find_value(*node, "load_assignment")) {
      compare_hosts(cluster, assignment_as_written(*inside));
    }
  }

  static const scenario::Service* find(const scenario::ProxyConfiguration::ClusterReading& reading,
                                       const std::string& name) {
    if (!reading.scenario) {
      return nullptr;
    }
    const auto& services = reading.scenario->services;
    const auto found = std::find_if(services.begin(), services.end(),
                                    [&](const scenario::Service& service) { return service.cluster.name == name; });
    return found == services.end() ? nullptr : &*found;
  }

  void compare_settings(const ProxyView::Cluster& cluster, const scenario::Service& service) {
    envoy::Cluster made = istio::to_envoy(cluster.made);
    if (cluster.made.overrides_host_status) {
      made.common_lb_config.override_host_status = service.cluster.common_lb_config.override_host_status;
    }
    Settings documents = settings_of(made);
    Settings proxy = settings_of(service.cluster);
    add_connections(cluster, documents);
    if (const auto* const node = dump_.cluster_document(service.cluster.name)) {
      const Settings reported = connection_settings_of(*node);
      proxy.insert(reported.begin(), reported.end());
    }
    compare_blocks(cluster, documents, proxy);
    for (const auto& [name, value] : documents) {
      const auto found = proxy.find(name);
      if (found == proxy.end() || found->second != value) {
        add(cluster.made.name, name, value, found == proxy.end() ? absent : found->second,
            view_.source_of(cluster, part_of(name)));
      }
    }
    for (const auto& [name, value] : proxy) {
      if (!documents.contains(name)) {
        add(cluster.made.name, name, absent, value, view_.source_of(cluster, part_of(name)));
      }
    }
  }

  static void add_connections(const ProxyView::Cluster& cluster, Settings& settings) {
    const auto seconds = [](istio::Duration time) {
      return fmt::format("{:g} s", std::chrono::duration<double>(time).count());
    };
    settings.emplace("connect_timeout", seconds(cluster.made.connect_timeout));
    const std::string common = "common_http_protocol_options.";
    if (cluster.made.idle_timeout) {
      settings.emplace(common + "idle_timeout", seconds(*cluster.made.idle_timeout));
    }
    if (cluster.made.max_connection_duration) {
      settings.emplace(common + "max_connection_duration", seconds(*cluster.made.max_connection_duration));
    }
    if (cluster.made.max_requests_per_connection > 0) {
      settings.emplace(common + "max_requests_per_connection",
                       std::to_string(cluster.made.max_requests_per_connection));
    }
  }

  // Reports a block missing on one side as one difference, whatever its content.
  void compare_blocks(const ProxyView::Cluster& cluster, Settings& documents, Settings& proxy) {
    for (const char* const block : {"outlier_detection", "common_lb_config.zone_aware_lb_config", "circuit_breakers"}) {
      const std::string start = std::string(block) + ".";
      const auto of_block = [&](const auto& setting) { return setting.first.starts_with(start); };
      const bool made = std::any_of(documents.begin(), documents.end(), of_block);
      const bool held = std::any_of(proxy.begin(), proxy.end(), of_block);
      if (made != held) {
        add(cluster.made.name, block, made ? "there" : absent, held ? "there" : absent,
            view_.source_of(cluster, part_of(block)));
        std::erase_if(documents, of_block);
        std::erase_if(proxy, of_block);
      }
    }
    // If policies differ, their fields are not reported separately.
    const std::string& ours = documents.at("lb_policy");
    const std::string& theirs = proxy.at("lb_policy");
    if (ours != theirs) {
      std::erase_if(documents, [&](const auto& setting) { return setting.first.starts_with(ours + "."); });
      std::erase_if(proxy, [&](const auto& setting) { return setting.first.starts_with(theirs + "."); });
    }
  }

  // Returns the ServiceEntries that have the endpoints, by address: several may have the cluster's host.
  static std::map<std::string, std::string> entries_of(const istio::LoadAssignment& assignment) {
    std::map<std::string, std::string> entries;
    for (const istio::AssignedLocality& locality : assignment.localities) {
      for (const istio::AssignedEndpoint& endpoint : locality.endpoints) {
        if (endpoint.source.starts_with("ServiceEntry ")) {
          entries.emplace(held::address_key(istio::address_text(endpoint.address, endpoint.port)), endpoint.source);
        }
      }
    }
    return entries;
  }

  void compare_hosts(const ProxyView::Cluster& cluster, const config::ClusterLoadAssignment& reported) {
    const config::ClusterLoadAssignment made = istio::to_envoy(*cluster.made.assignment, cluster.made.name);
    const Hosts ours = hosts_of(made);
    const Hosts theirs = hosts_of(reported);
    beside_.endpoints += ours.size();
    const ProxyView::Origin of_all = view_.source_of(cluster, Part::endpoints);
    const ProxyView::Origin of_locality = view_.source_of(cluster, Part::locality);
    const std::map<std::string, std::string> of_entries = entries_of(*cluster.made.assignment);
    const std::string& name = cluster.made.name;
    for (const auto& [address, host] : ours) {
      const auto entry = of_entries.find(address);
      const ProxyView::Origin of_service = entry == of_entries.end() ? of_all : ProxyView::Origin{entry->second};
      const auto found = theirs.find(address);
      if (found == theirs.end()) {
        add(name, address, host_words(host), absent, of_service);
        continue;
      }
      const DumpHost& held = found->second;
      const auto differ = [&](const char* what, const std::string& one, const std::string& other,
                              const ProxyView::Origin& origin) {
        if (one != other) {
          add(name, address + ": " + what, one, other, origin);
        }
      };
      differ("priority", std::to_string(host.priority), std::to_string(held.priority), of_locality);
      differ("locality", locality_words(host.locality), locality_words(held.locality), of_service);
      differ("weight", std::to_string(host.weight), std::to_string(held.weight), of_service);
      differ("health", host.health, held.health, of_service);
    }
    for (const auto& [address, host] : theirs) {
      if (!ours.contains(address)) {
        add(name, address, absent, host_words(host), of_all);
      }
    }
    if (cluster.made.locality_weighted) {
      compare_weights(cluster, weights_of(made), weights_of(reported), of_locality);
    }
  }

  void compare_weights(const ProxyView::Cluster& cluster, const std::map<Place, std::uint32_t>& made,
                       const std::map<Place, std::uint32_t>& held, const ProxyView::Origin& origin) {
    for (const auto& [place, weight] : made) {
      const auto found = held.find(place);
      if (found != held.end() && found->second != weight) {
        add(cluster.made.name, fmt::format("{} at P{}: weight", locality_words(std::get<1>(place)), std::get<0>(place)),
            std::to_string(weight), std::to_string(found->second), origin);
      }
    }
  }

  // Reports clusters that only the proxy has. Clusters of hosts in namespaces missing from the documents are only
  // counted.
  void add_others(const std::set<std::string>& made) {
    std::set<std::string> namespaces;
    bool entries = false;
    for (const ProxyView::Cluster& cluster : view_.clusters()) {
      namespaces.insert(cluster.service->name_space);
      entries = entries || cluster.service->kind == "ServiceEntry";
    }
    std::size_t beyond = 0;
    for (const std::string& name : dump_.cluster_names()) {
      if (!name.starts_with(outbound) || made.contains(name)) {
        continue;
      }
      const std::string host = name.substr(name.find_last_of('|') + 1);
      const std::string tail = ".svc.cluster.local";
      bool judged = entries;
      if (host.ends_with(tail)) {
        const std::string head = host.substr(0, host.size() - tail.size());
        judged = namespaces.contains(head.substr(head.find_last_of('.') + 1));
      }
      if (judged) {
        add(name, "cluster", absent, "there", {});
      } else {
        ++beyond;
      }
    }
    if (beyond > 0) {
      beside_.notes.push_back(
          fmt::format("{} of the proxy in namespaces that the documents have no service of {} not compared",
                      beyond == 1 ? "1 cluster" : fmt::format("{} clusters", beyond), beyond == 1 ? "was" : "were"));
    }
  }

  void compare_routes() {
    const auto configurations = dump_.route_configurations();
    if (configurations.empty()) {
      beside_.notes.emplace_back("the dump has no route configurations, which were not compared");
      return;
    }
    for (const ProxyView::RouteTable& table : view_.route_tables()) {
      if (table.routes.tcp) {
        continue;
      }
      const std::string of = fmt::format("routes of {}:{}", table.host, table.port);
      const auto& made = table.routes.http;
      if (std::any_of(made.begin(), made.end(), [](const auto& route) { return route.other == "delegate"; })) {
        beside_.not_compared.push_back({of, "a VirtualService delegates them, and `delegate` is not supported yet"});
        continue;
      }
      const ProxyView::Origin origin = view_.source_of(table);
      const auto* const virtual_host = virtual_host_of(configurations, table.host, table.port);
      if (virtual_host == nullptr) {
        add(of, "virtual host", "there", absent, origin);
        continue;
      }
      const auto* const written = find_value(*virtual_host, "routes");
      const std::size_t held = written == nullptr ? 0 : written->items.size();
      if (made.size() != held) {
        add(of, "number of routes", std::to_string(made.size()), std::to_string(held), origin);
      }
      for (std::size_t i = 0; i < std::min(made.size(), held); ++i) {
        ++beside_.routes;
        compare_route(of, i, settings_of(made[i]), settings_of_route(written->items[i]), origin);
      }
    }
  }

  void compare_tcp_routes() {
    const auto listeners = dump_.listeners();
    bool any = false;
    for (const ProxyView::RouteTable& table : view_.route_tables()) {
      any = any || table.routes.tcp;
      if (!table.routes.tcp || listeners.empty()) {
        continue;
      }
      const std::string of = fmt::format("TCP route of {}:{}", table.host, table.port);
      const std::string address = address_of(table.host);
      const Node* const held = tcp_proxy_of(listeners, address, table.port, table.host);
      if (held == nullptr) {
        beside_.not_compared.push_back({of, "no listener of the dump leads there"});
        continue;
      }
      ++beside_.routes;
      const RouteSettings proxy = settings_of_tcp_proxy(*held);
      for (const auto& [name, value] : settings_of(*table.routes.tcp)) {
        if (proxy.at(name) != value) {
          add(of, name, value, proxy.at(name), view_.source_of(table));
        }
      }
    }
    if (any && listeners.empty()) {
      beside_.notes.emplace_back("the dump has no listeners, so that TCP routes were not compared");
    }
  }

  // Returns the address of a Service of Kubernetes; "" if it has none or the Service is unknown.
  [[nodiscard]] std::string address_of(const std::string& host) const {
    for (const istio::KubernetesCluster& cluster : mesh_.documents.value.clusters) {
      for (const istio::KubernetesService& service : cluster.services) {
        if (istio::resolve_short_name(service.meta.name, service.meta.name_space) == host) {
          return service.clusterIP == "None" ? std::string() : service.clusterIP;
        }
      }
    }
    return "";
  }

  void compare_route(const std::string& of, std::size_t position, const RouteSettings& made, const RouteSettings& held,
                     const ProxyView::Origin& origin) {
    for (const auto& [name, value] : made) {
      const auto found = held.find(name);
      if (found != held.end() && found->second != value) {
        add(of, fmt::format("route {}: {}", position + 1, name), value, found->second, origin);
      }
    }
  }

  const MeshFiles& mesh_;
  const ProxyView& view_;
  const scenario::ProxyConfiguration& dump_;
  std::set<std::string> held_;
  Beside beside_;
};

}  // namespace

Beside check_dump(const MeshFiles& mesh, const ProxyView& view, const scenario::ProxyConfiguration& dump,
                  const std::optional<std::string>& cluster) {
  return Comparer(mesh, view, dump).compare(cluster);
}

}  // namespace spillway::reports::held
