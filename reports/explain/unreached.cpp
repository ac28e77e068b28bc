#include "reports/explain/unreached.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "models/istio/load_assignment.hpp"
#include "models/istio/trail.hpp"
#include "reports/explain/route_step.hpp"
#include "reports/text/names.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/traffic/targets.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::explain {
namespace {

// Adds the zones of localities in an Istio view's load assignment. A network gateway may represent a locality. Of equal
// gateways Envoy keeps one, so the localities of the rest are empty.
void add_assigned_zones(const scenario::Scenario& scenario, config::ServiceIndex view, std::vector<bool>& reached) {
  const scenario::Service& service = scenario.services[view.value];
  if (!service.as_view || !service.as_view->istio_trail) {
    return;
  }
  const std::vector<istio::Placement>& placements = service.as_view->istio_trail->groups;
  const auto& groups = service.load_assignment.endpoints;
  for (std::size_t group = 0; group < std::min(groups.size(), placements.size()); ++group) {
    for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
      const scenario::Zone& of = scenario.zones[zone];
      const bool is_there = groups[group].locality.region == of.region &&
                            groups[group].locality.zone == of.locality_zone.value_or(of.name);
      reached[zone] = reached[zone] || (is_there && placements[group].by != istio::PlacedBy::no_key);
    }
  }
}

config::ZoneIndex zone_of_endpoint(const scenario::Scenario& scenario, config::EndpointIndex endpoint) {
  return scenario.nodes[scenario.endpoints[endpoint.value].node.value].zone;
}

// Returns the endpoints of the requested service, each once, with their addresses.
std::map<config::EndpointIndex, std::vector<std::string>> endpoints_of(const scenario::Service& service) {
  std::map<config::EndpointIndex, std::vector<std::string>> endpoints;
  std::size_t host = 0;
  for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      endpoints[service.hosts[host++].endpoint].push_back(endpoint.address);
    }
  }
  return endpoints;
}

bool is_in_subset(const scenario::Scenario& scenario, const scenario::View& view, config::EndpointIndex index) {
  const scenario::Endpoint& endpoint = scenario.endpoints[index.value];
  const kuma::Tags of_node = scenario::kuma_binding::tags_of_node(scenario, endpoint.node);
  return std::all_of(view.subset.begin(), view.subset.end(), [&](const auto& wanted) {
    const auto own = endpoint.tags.find(wanted.first);
    const auto by_node = of_node.find(wanted.first);
    return own != endpoint.tags.end() ? own->second == wanted.second
                                      : by_node != of_node.end() && by_node->second == wanted.second;
  });
}

// Returns "MeshTCPRoute r sends all requests to backend{version=v1} and backend{version=v2}".
void blame_routes(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                  const std::vector<config::ServiceIndex>& views, Unreached& into) {
  std::vector<std::string> names;
  for (const RouteOfKinds& of : routes_to(scenario, client, scenario::asked_for(scenario, views.front()))) {
    const auto& origins = scenario.routes[of.route].origins;
    if (!origins.empty() && std::find(names.begin(), names.end(), origins.back().name) == names.end()) {
      names.push_back(origins.back().name);
      into.where = into.where ? into.where : origins.back().where;
    }
  }
  std::vector<std::string> clusters;
  for (const config::ServiceIndex view : views) {
    clusters.push_back(scenario.services[view.value].name);
  }
  into.reason = fmt::format("{} all requests to {}",
                            names.empty()       ? std::string("the client sends")
                            : names.size() == 1 ? printable(names.front()) + " sends"
                                                : printable(joined(names, " and ")) + " send",
                            printable(joined(clusters, " and ")));
}

const char* reason_text(istio::LeftOutBy by) {
  switch (by) {
    case istio::LeftOutBy::health:
      return "its endpoints are not ready";
    case istio::LeftOutBy::node:
      return "internalTrafficPolicy Local keeps requests on the client's node";
    case istio::LeftOutBy::cluster:
      return "its endpoints are in another cluster";
    case istio::LeftOutBy::address:
      return "the addresses of its endpoints are no IP addresses";
    case istio::LeftOutBy::subset:
      break;
  }
  return "";
}

// The reasons why endpoints are in none of the client's views, by endpoint.
class Reasons {
 public:
  Reasons(const scenario::Scenario& scenario, config::ClientEntryIndex client,
          const std::vector<config::ServiceIndex>& views)
      : scenario_(scenario), client_(client), views_(views) {
    std::set<config::EndpointIndex> own;
    for (const scenario::Host& host : scenario.services[scenario::asked_for(scenario, views.front()).value].hosts) {
      own.insert(host.endpoint);
    }
    for (const config::ServiceIndex view : views) {
      for (const scenario::DroppedEndpoint& dropped : scenario.services[view.value].as_view->dropped) {
        dropped_.insert(dropped.endpoint);
        // The endpoint is not the service's but an ingress, which represents its whole zone.
        if (!own.contains(dropped.endpoint)) {
          dropped_zones_.insert(zone_of_endpoint(scenario, dropped.endpoint));
        }
      }
    }
  }

  [[nodiscard]] Unreached of(const std::map<config::EndpointIndex, std::vector<std::string>>& endpoints) const {
    Unreached result;
    std::optional<istio::LeftOutBy> left_out;
    bool in_a_subset = false;
    for (const auto& [endpoint, addresses] : endpoints) {
      if (dropped_.contains(endpoint) || dropped_zones_.contains(zone_of_endpoint(scenario_, endpoint))) {
        return {.verdict = "is reached by no rule"};
      }
      for (const config::ServiceIndex index : views_) {
        const scenario::View& view = *scenario_.services[index.value].as_view;
        in_a_subset = in_a_subset || is_in_subset(scenario_, view, endpoint);
        left_out = left_out ? left_out : left_out_by(view, addresses);
      }
    }
    const auto is_missing = [&](config::ServiceIndex view) {
      return scenario_.services[view.value].missing != nullptr;
    };
    if (std::all_of(views_.begin(), views_.end(), is_missing)) {
      result.reason = printable(scenario_.services[views_.front().value].missing->reason);
    } else if (left_out == istio::LeftOutBy::subset || !in_a_subset) {
      blame_routes(scenario_, client_, views_, result);
    } else if (left_out) {
      result.reason = reason_text(*left_out);
    } else if (scenario_.services[views_.front().value].as_view->istio_trail) {
      result.reason = "no key of distribute is for it";
    } else {
      result.reason = scenario_.mesh_without_mtls ? "its zone ingress gets no requests, since the Mesh has no mTLS"
                                                  : "no zone ingress or egress leads there";
    }
    return result;
  }

 private:
  static std::optional<istio::LeftOutBy> left_out_by(const scenario::View& view,
                                                     const std::vector<std::string>& addresses) {
    const std::vector<istio::LeftOut> none;
    for (const istio::LeftOut& out : view.istio_trail ? view.istio_trail->left_out : none) {
      if (std::any_of(addresses.begin(), addresses.end(), [&](const std::string& address) {
            return address == out.address || address.starts_with(out.address + ":") ||
                   address.starts_with("[" + out.address + "]:");
          })) {
        return out.by;
      }
    }
    return std::nullopt;
  }

  const scenario::Scenario& scenario_;
  config::ClientEntryIndex client_;
  const std::vector<config::ServiceIndex>& views_;
  std::set<config::EndpointIndex> dropped_;
  std::set<config::ZoneIndex> dropped_zones_;
};

}  // namespace

std::string unreached_text(const Unreached& of) {
  return fmt::format("{} {}{}{}", printable(of.zone), of.verdict, of.reason.empty() ? "" : ": ", of.reason);
}

std::vector<Unreached> unreached_zones(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                       const std::vector<config::ServiceIndex>& views) {
  std::vector<bool> reached(scenario.zones.size(), false);
  for (const config::ServiceIndex view : views) {
    if (!scenario.services[view.value].as_view) {
      return {};
    }
    const run::Targets targets(scenario, view);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      reached[zone_of_endpoint(scenario, targets.at(target).endpoint).value] = true;
    }
    add_assigned_zones(scenario, view, reached);
  }
  const scenario::Service& asked = scenario.services[scenario::asked_for(scenario, views.front()).value];
  if (std::all_of(asked.hosts.begin(), asked.hosts.end(), [&](const scenario::Host& host) {
        return reached[zone_of_endpoint(scenario, host.endpoint).value];
      })) {
    return {};
  }
  std::vector<std::map<config::EndpointIndex, std::vector<std::string>>> endpoints(scenario.zones.size());
  for (auto& [endpoint, addresses] : endpoints_of(asked)) {
    endpoints[zone_of_endpoint(scenario, endpoint).value].emplace(endpoint, addresses);
  }
  const Reasons reasons(scenario, client, views);
  std::vector<Unreached> zones;
  for (std::size_t zone = 0; zone < scenario.zones.size(); ++zone) {
    if (!endpoints[zone].empty() && !reached[zone]) {
      zones.push_back(reasons.of(endpoints[zone]));
      zones.back().zone = scenario.zones[zone].name;
    }
  }
  return zones;
}

std::optional<Unreached> unreached_endpoint(const scenario::Scenario& scenario, config::ClientEntryIndex client,
                                            const std::vector<config::ServiceIndex>& views, const std::string& name) {
  for (const config::ServiceIndex view : views) {
    const run::Targets targets(scenario, view);
    for (std::uint32_t target = 0; target < targets.size(); ++target) {
      if (!scenario.services[view.value].as_view || scenario.endpoints[targets.at(target).endpoint.value].id == name) {
        return std::nullopt;
      }
    }
  }
  auto endpoints = endpoints_of(scenario.services[scenario::asked_for(scenario, views.front()).value]);
  std::erase_if(endpoints, [&](const auto& one) { return scenario.endpoints[one.first.value].id != name; });
  if (endpoints.empty()) {
    return std::nullopt;
  }
  Unreached result = Reasons(scenario, client, views).of(endpoints);
  result.zone = name;
  return result;
}

std::vector<std::vector<config::ServiceIndex>> views_by_service(const scenario::Scenario& scenario,
                                                                const scenario::ClientEntry& client) {
  std::vector<std::vector<config::ServiceIndex>> services;
  for (const config::ServiceIndex view : scenario::services_of(scenario, client)) {
    const config::ServiceIndex asked = scenario::asked_for(scenario, view);
    const auto known = std::find_if(services.begin(), services.end(), [&](const auto& views) {
      return scenario::asked_for(scenario, views.front()) == asked;
    });
    if (known == services.end()) {
      services.push_back({view});
    } else {
      known->push_back(view);
    }
  }
  return services;
}

std::vector<std::string> unreached_lines(const scenario::Scenario& scenario) {
  std::vector<std::string> lines;
  if (!scenario.cla_cache) {
    return lines;
  }
  struct OfViews {
    std::vector<Unreached> zones = {};
    std::vector<std::string> clients = {};
  };
  std::map<std::vector<config::ServiceIndex>, OfViews> known;
  std::vector<std::vector<config::ServiceIndex>> order;
  std::size_t askers = 0;
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::ClientEntry& client = scenario.clients[index];
    if (client.zone_proxy) {
      continue;
    }
    for (const auto& views : views_by_service(scenario, client)) {
      ++askers;
      const auto [found, is_new] = known.try_emplace(views);
      if (is_new) {
        found->second.zones = unreached_zones(scenario, {index}, views);
        order.push_back(views);
      }
      found->second.clients.push_back(client.name);
    }
  }
  for (const auto& views : order) {
    const OfViews& of = known[views];
    const std::string& service = scenario.services[scenario::asked_for(scenario, views.front()).value].name;
    const std::string others =
        of.clients.size() > 1 ? fmt::format(" and {} more", of.clients.size() - 1) : std::string();
    const std::string from =
        askers == 1 ? "" : fmt::format(" from {}{} -> {}", printable(of.clients.front()), others, printable(service));
    for (Unreached zone : of.zones) {
      const std::string name = printable(zone.zone);
      zone.verdict += from;
      lines.push_back(fmt::format("{} (see: spillway explain ... --why {})", unreached_text(zone), name));
    }
  }
  return lines;
}

}  // namespace spillway::reports::explain
