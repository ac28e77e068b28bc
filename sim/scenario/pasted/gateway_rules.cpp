#include "sim/scenario/pasted/gateway_rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace spillway::scenario::pasted {
namespace {

class RuleCollector {
 public:
  RuleCollector(const MeshInventory& inventory, std::size_t zones) : inventory_(inventory), zones_(zones) {}

  GatewayRules collect() {
    for (const Json& route : inventory_.gateway_routes) {
      if (is_at_gateway(route)) {
        collect_rules(route);
      }
    }
    return std::move(found_);
  }

 private:
  static bool is_at_gateway(const Json& route) {
    const Json& parents = child(child(route, "spec"), "parentRefs");
    return parents.empty() || std::any_of(parents.begin(), parents.end(), [](const Json& parent) {
             return text_of(parent, "kind").empty() || text_of(parent, "kind") == "Gateway";
           });
  }

  void collect_rules(const Json& route) {
    const Json& rules = child(child(route, "spec"), "rules");
    const std::string name = text_of(child(route, "metadata"), "name");
    std::size_t number = 0;
    for (const Json& rule : rules) {
      GatewayRule found{.route = name,
                        .name = rules.size() == 1 ? name : fmt::format("{} rule {}", name, number),
                        .document = &route,
                        .rule = &rule};
      ++number;
      while (!names_.insert(found.name).second) {
        found.name = namespace_of(route) + "/" + found.name;
      }
      for (const Json& host : child(child(route, "spec"), "hostnames")) {
        found.hosts.push_back(host.is_string() ? host.get<std::string>() : "");
      }
      found.matches = gateway_matches(rule, text_of(route, "kind") == "GRPCRoute");
      for (const Json& reference : child(rule, "backendRefs")) {
        add_backend(reference, namespace_of(route), found);
      }
      if (found.backends.empty()) {
        found_.assumed.push_back(fmt::format("`{}` has no backends: its requests end at the gateway", found.name));
      } else {
        found_.rules.push_back(std::move(found));
      }
    }
  }

  void add_backend(const Json& reference, const std::string& name_space, GatewayRule& rule) {
    GatewayBackend backend{.name = text_of(reference, "name"),
                           .is_service = text_of(reference, "kind") != "Backend",
                           .has_filters = !child(reference, "filters").empty()};
    if (child(reference, "weight").is_number_unsigned()) {
      backend.weight = child(reference, "weight").get<std::uint64_t>();
    }
    if (backend.weight == 0) {
      return;  // Envoy Gateway leaves it out
    }
    const std::string own = text_of(reference, "namespace");
    if (backend.is_service) {
      add_pods(backend, own.empty() ? name_space : own);
    } else {
      add_addresses(backend, own.empty() ? name_space : own);
    }
    rule.backends.push_back(std::move(backend));
  }

  void add_pods(GatewayBackend& backend, const std::string& name_space) {
    const auto service = std::find_if(inventory_.services.begin(), inventory_.services.end(), [&](const auto& one) {
      return one.name == backend.name && one.name_space == name_space;
    });
    if (service == inventory_.services.end()) {
      return;
    }
    backend.zone_preference = service->zone_preference;
    std::set<std::string> unready;
    for (const PastedSlice& slice : inventory_.slices) {
      const bool own = slice.service == backend.name && slice.name_space == name_space;
      for (const Json& endpoint : child(slice.document, "endpoints")) {
        const std::string pod = text_of(child(endpoint, "targetRef"), "name");
        const Json& addresses = child(endpoint, "addresses");
        if (child(child(endpoint, "conditions"), "ready") == false) {
          unready.insert(pod);
        } else if (own && pod.empty() && !addresses.empty() && addresses.front().is_string()) {
          backend.endpoints.push_back({{"id", addresses.front()}});
          if (const std::string zone = text_of(endpoint, "zone"); !zone.empty()) {
            backend.endpoints.back()["zone"] = zone;
          }
        }
      }
    }
    for (const PastedPod& pod : inventory_.pods) {
      if (pod.name_space == name_space && has_all(pod.labels, service->selector) && !unready.contains(pod.name)) {
        backend.endpoints.push_back({{"id", pod.name}, {"node", pod.node}});
      }
    }
    if (backend.endpoints.empty()) {
      for (std::size_t number = 1; number <= 2 * zones_; ++number) {
        backend.endpoints.push_back({{"id", fmt::format("{}-{}", backend.name, number)}});
      }
      add_once(fmt::format("2 pods of `{}` in each zone: its documents have none", backend.name));
    }
  }

  void add_addresses(GatewayBackend& backend, const std::string& name_space) {
    for (const Json& document : inventory_.backends) {
      if (text_of(child(document, "metadata"), "name") != backend.name || namespace_of(document) != name_space) {
        continue;
      }
      backend.priority = child(child(document, "spec"), "fallback") == true ? 1 : 0;
      for (const Json& endpoint : child(child(document, "spec"), "endpoints")) {
        const Json& address = endpoint.contains("fqdn") ? child(endpoint, "fqdn") : child(endpoint, "ip");
        const std::string host = text_of(address, endpoint.contains("fqdn") ? "hostname" : "address");
        backend.has_names = backend.has_names || endpoint.contains("fqdn");
        const Json& port = child(address, "port");
        Json made{{"id", host.empty() ? backend.name : host + (port.is_number() ? ":" + port.dump() : "")}};
        if (const std::string zone = text_of(endpoint, "zone"); !zone.empty()) {
          made["zone"] = zone;
        }
        backend.endpoints.push_back(std::move(made));
      }
    }
    if (backend.endpoints.empty()) {
      backend.endpoints = {{{"id", backend.name + "-1"}}, {{"id", backend.name + "-2"}}};
      add_once("2 endpoints of the Backend `" + backend.name + "`: it is not among the documents");
    }
  }

  void add_once(const std::string& line) {
    if (std::find(found_.assumed.begin(), found_.assumed.end(), line) == found_.assumed.end()) {
      found_.assumed.push_back(line);
    }
  }

  const MeshInventory& inventory_;
  std::size_t zones_;
  GatewayRules found_;
  std::set<std::string> names_;
};

}  // namespace

GatewayRules gateway_rules(const MeshInventory& inventory, std::size_t zones) {
  return RuleCollector(inventory, zones).collect();
}

}  // namespace spillway::scenario::pasted
