#include "sim/scenario/binding/istio/views.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/cluster.hpp"
#include "models/istio/traffic_policy.hpp"
#include "models/istio/visibility.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/view_cache.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/pasted/read_from.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::istio_binding {

namespace {

// Returns the field of a route that moves or answers requests in a way that is not simulated; empty if there is none.
std::string not_simulated(const istio::Route& route) {
  constexpr std::uint32_t first_error = 400;
  const bool answers = route.fault && route.fault->abort && route.fault->abort->percentage > 0.0 &&
                       route.fault->abort->grpcStatus.empty() && route.fault->abort->httpStatus < first_error;
  return answers ? "fault.abort" : route.other == "delegate" ? "delegate" : "";
}

// Names once that copies of requests are not simulated.
void name_mirror(Scenario& scenario) {
  const std::string what =
      "requests that `mirror` copies are not simulated: the routes of the requests themselves stay";
  if (std::find(scenario.assumptions.begin(), scenario.assumptions.end(), what) == scenario.assumptions.end()) {
    scenario.assumptions.push_back(what);
  }
}

using envoy::routes::Request;

// Converts a TCP route into a route that every request takes.
istio::Route as_route(const istio::TcpProxy& tcp) {
  istio::Route route{.targets = tcp.targets, .weighted = tcp.weighted, .rule = tcp.rule};
  if (tcp.source_ip_hash) {
    route.hash_policy = {{envoy::routes::ConnectionPropertiesHash{true}}};
  }
  return route;
}

// Returns the document of the Gateway API that a VirtualService was made of; empty if it is as written.
std::string read_from(const documents::Node& virtual_service) {
  const documents::Node* node = &virtual_service;
  for (const char* const key : {"metadata", "annotations", pasted::key_read_from}) {
    const documents::Member* const member = node->kind == documents::Kind::object ? node->find(key) : nullptr;
    if (member == nullptr) {
      return {};
    }
    node = &member->value;
  }
  return node->text;
}

RouteOrigin origin_of(const istio::Origin& document, std::string_view list, std::size_t rule) {
  const std::string other = read_from(*document.node);
  return {other.empty() ? "VirtualService " + document.meta.name_space + "/" + document.meta.name : other,
          kuma::place_of(*document.node, "spec." + std::string(list) + "[" + std::to_string(rule) + "]")};
}

}  // namespace

struct Views::Caching {
  ViewCache& cache;
  ViewCache::Reading reading;
};

Views::~Views() = default;

Views::Views(const IstioMesh& mesh, Scenario& scenario, ViewCache* cache)
    : mesh_(&mesh),
      scenario_(&scenario),
      rules_(mesh.documents.value.destination_rules, mesh.documents.value.mesh),
      classes_(mesh.documents.value, mesh.registry),
      caching_(cache == nullptr ? nullptr : std::make_unique<Caching>(*cache, ViewCache::Reading(*cache, mesh))) {
  for (const Destination& destination : mesh.destinations) {
    destinations_.emplace(destination.service, &destination);
    bases_.emplace(std::pair(&mesh.registry.services[destination.position], destination.port), destination.service);
  }
}

istio::Proxy Views::proxy_of(config::NodeIndex node, const std::string& name_space, const istio::Labels& labels) const {
  return istio::known({.name_space = name_space,
                       .locality = locality_of(*scenario_, node),
                       .labels = labels,
                       .node = scenario_->nodes[node.value].name,
                       .network = istio::value_of(labels, istio::network_label)},
                      mesh_->documents.value);
}

const Destination* Views::destination_of(config::ServiceIndex service) const {
  const auto found = destinations_.find(service);
  return found == destinations_.end() ? nullptr : found->second;
}

const istio::Service* Views::service_of(const istio::Proxy& proxy, const std::string& host, std::uint32_t port) const {
  return istio::visible_service(mesh_->documents.value, mesh_->registry, proxy, host, port);
}

std::optional<Views::Taken> Views::route_of(const istio::Proxy& proxy, const Destination& destination,
                                            const Request& request) {
  const std::string& host = mesh_->registry.services[destination.position].hostname;
  const istio::Service* const service =
      istio::requested_service(mesh_->documents.value, mesh_->registry, proxy, host, destination.port);
  problem_of_ = nullptr;
  is_supported_ = true;
  if (service == nullptr) {
    problem_ = "the proxy does not see " + host + " with port " + std::to_string(destination.port) +
               ": its exportTo, a Sidecar, or another service of this host excludes it";
    return std::nullopt;
  }
  const std::uint32_t of_class = classes_.of(proxy);
  const std::vector<istio::Route>& http = routes_of(proxy, of_class, *service, destination);
  problem_of_ = routes_by_.at({of_class, &destination});
  const auto taken = std::find_if(http.begin(), http.end(), [&](const istio::Route& route) {
    return envoy::routes::matches(route.match, request);
  });
  if (taken != http.end()) {
    if (const std::string what = not_simulated(*taken); !what.empty()) {
      problem_ = in_ticks(what) + " of its route is not supported yet";
      is_supported_ = false;
      return std::nullopt;
    }
    if (!taken->mirrors.empty()) {
      name_mirror(*scenario_);
    }
  }
  if (taken == http.end()) {
    Taken unanswered{.position = http.size()};
    unanswered.route = no_route(of_class, destination);
    return unanswered;
  }
  if (taken->targets.empty()) {
    problem_ = taken->other.empty() ? "its route leads to no destination"
                                    : "its route answers by itself: " + in_ticks(taken->other);
    return std::nullopt;
  }
  Taken found{.position = static_cast<std::size_t>(taken - http.begin())};
  Route& route = found.route;
  route.route.match = taken->match;
  route.timeout = taken->timeout;
  if (taken->retry_policy) {
    route.retry_policy = istio::to_envoy(*taken->retry_policy);
  }
  route.route.action.hash_policy = taken->hash_policy;
  if (problem_of_ != nullptr && taken->rule) {
    const auto* const port = service->port(destination.port);
    route.origins.push_back(origin_of(
        *problem_of_, port != nullptr && port->protocol == istio::Protocol::tcp ? "tcp" : "http", *taken->rule));
  }
  lint_hash(proxy, *taken);
  for (const istio::Target& target : taken->targets) {
    const auto view = view_of(proxy, of_class, target, destination.service);
    if (!view) {
      return std::nullopt;
    }
    route.clusters.push_back(*view);
    route.route.action.clusters.push_back(
        {std::as_const(scenario_->services)[view->value].name, taken->weighted ? target.weight : 1, std::nullopt});
  }
  if (taken->fault && taken->fault->delay) {
    route.delayed_per_million = per_million(taken->fault->delay->percentage);
    route.delay = taken->fault->delay->fixedDelay;
  }
  add_aborted(of_class, destination, *taken, route);
  return found;
}

const std::vector<istio::Route>& Views::routes_of(const istio::Proxy& proxy, std::uint32_t of_class,
                                                  const istio::Service& service, const Destination& destination) {
  const auto [known, is_new] = routes_.try_emplace({of_class, &destination});
  if (is_new) {
    istio::Routes routes = istio::routes_of({.documents = &mesh_->documents.value,
                                             .registry = &mesh_->registry,
                                             .rules = &rules_,
                                             .proxy = &proxy,
                                             .service = &service,
                                             .port = destination.port});
    const auto& all = mesh_->documents.value.virtual_services;
    routes_by_[{of_class, &destination}] =
        routes.virtual_service == nullptr
            ? nullptr
            : &mesh_->documents.virtual_services[static_cast<std::size_t>(routes.virtual_service - all.data())];
    known->second = routes.tcp ? std::vector{as_route(*routes.tcp)} : std::move(routes.http);
  }
  return known->second;
}

void Views::lint_hash(const istio::Proxy& proxy, const istio::Route& route) {
  if (route.hash_policy.empty() || !route.retry_policy || !route.retry_policy->previous_hosts) {
    return;
  }
  for (const istio::Target& target : route.targets) {
    if (const istio::Service* const service = service_of(proxy, target.host, target.port)) {
      const auto found = rules_.find(proxy, service->hostname, service->name_space);
      const std::vector<istio::Lint> lints = istio::lints_of_hash(found, target.subset, route.weighted);
      lints_.insert(lints_.end(), lints.begin(), lints.end());
    }
  }
}

std::optional<config::ServiceIndex> Views::view_of(const istio::Proxy& proxy, std::uint32_t of_class,
                                                   const istio::Target& target, config::ServiceIndex asked) {
  const ViewKey key{of_class, target.cluster};
  if (const auto known = known_view(key)) {
    return known;
  }
  const istio::Service* const service = service_of(proxy, target.host, target.port);
  const bool is_seen = service != nullptr && service->port(target.port) != nullptr;
  return is_seen ? view_of(proxy, key, target, *service) : unknown_host(of_class, target, asked);
}

std::optional<config::ServiceIndex> Views::view_of(const istio::Proxy& proxy, const ViewKey& key,
                                                   const istio::Target& target, const istio::Service& service) {
  const auto found = rules_.find(proxy, service.hostname, service.name_space);
  std::optional<config::ServiceIndex> view;
  if (!caching_) {
    view = make_view(proxy, key, target, service, found);
  } else {
    const auto cached = caching_->reading.key_of(classes_.key_of(proxy), service, target.port, found, target.subset);
    if (const ViewCache::Kept* const kept = caching_->cache.find(cached)) {
      view = config::ServiceIndex{static_cast<std::uint32_t>(scenario_->services.size())};
      const config::ServiceIndex base = bases_.at({&service, target.port});
      scenario_->services.add(kept->service);
      if (kept->service->as_view->of != base) {
        scenario_->services.back().as_view->of = base;
      }
      views_.push_back({*view, base, kept->sends_unhealthy, kept->hosts});
      lints_.insert(lints_.end(), kept->lints.begin(), kept->lints.end());
      if (kept->places) {
        setting_places_.emplace_back(*view, *kept->places);
      }
    } else {
      const std::size_t lints = lints_.size();
      const std::size_t places = setting_places_.size();
      view = make_view(proxy, key, target, service, found);
      if (view && std::as_const(scenario_->services)[view->value].missing == nullptr) {
        ViewCache::Kept made{scenario_->services.share(view->value), views_.back().sends_unhealthy, views_.back().hosts,
                             std::vector(lints_.begin() + static_cast<std::ptrdiff_t>(lints), lints_.end()),
                             std::nullopt};
        if (setting_places_.size() > places) {
          made.places = setting_places_.back().second;
        }
        caching_->cache.keep(cached, std::move(made));
      }
    }
  }
  if (view) {
    made_.emplace(key, *view);
  }
  return view;
}

std::optional<config::ServiceIndex> Views::make_view(const istio::Proxy& proxy, const ViewKey& key,
                                                     const istio::Target& target, const istio::Service& service,
                                                     const istio::RuleIndex::Found& found) {
  const istio::DestinationRule* const rule = found.rule == nullptr ? nullptr : &found.rule->rule;
  std::vector<istio::Cluster> clusters;
  try {
    clusters = istio::clusters_of({.documents = &mesh_->documents.value,
                                   .proxy = &proxy,
                                   .service = &service,
                                   .port = target.port,
                                   .rule = rule});
  } catch (const istio::IstiodPanics& panic) {
    problem_ = panic.what();
    return std::nullopt;
  }
  const auto cluster = std::find_if(clusters.begin(), clusters.end(),
                                    [&](const istio::Cluster& made) { return made.subset == target.subset; });
  if (cluster == clusters.end()) {
    return add_missing(key, target.cluster, bases_.at({&service, target.port}),
                       {.reason = target.subset.empty() ? "istiod makes none for a service without endpoints"
                                  : rule == nullptr     ? "no DestinationRule of " + target.host + " makes subsets"
                                                        : "DestinationRule " + rule->meta.name_space + "/" +
                                                          rule->meta.name + " has no subset `" + target.subset + "`"});
  }
  if (!cluster->assignment) {
    problem_ = target.cluster +
               " sends requests where they were addressed to (ORIGINAL_DST), which is not supported for "
               "Istio's documents";
    return std::nullopt;
  }
  const auto policy = istio::policy_of(rule, target.port, target.subset);
  const istio::ViewLintRequest view{.documents = &mesh_->documents.value,
                                    .proxy = &proxy,
                                    .service = &service,
                                    .port = target.port,
                                    .found = found,
                                    .policy = policy ? &*policy : nullptr,
                                    .cluster = &*cluster};
  const std::vector<istio::Lint> lints = istio::lints_of_view(view);
  lints_.insert(lints_.end(), lints.begin(), lints.end());
  const config::ServiceIndex made = add_view(*cluster, service, target.port, view.policy);
  scenario_->services[made.value].as_view->istio_trail = trail_of(view);
  note_settings(made, view);
  return made;
}

config::ServiceIndex Views::add_view(const istio::Cluster& cluster, const istio::Service& service, std::uint32_t port,
                                     const istio::TrafficPolicy* policy) {
  Service view;
  view.name = cluster.name;
  view.cluster = istio::to_envoy(cluster);
  view.load_assignment = istio::to_envoy(*cluster.assignment, cluster.name);
  view.as_view = View{bases_.at({&service, port})};
  MadeView made{.service = {static_cast<std::uint32_t>(scenario_->services.size())},
                .of = view.as_view->of,
                .sends_unhealthy = istio::sends_unhealthy(service, policy, mesh_->documents.value.switches)};
  HostsOfView hosts;
  config::for_each_endpoint(view.load_assignment, [&](config::HostIndex host, const config::LbEndpoint& endpoint) {
    const config::EndpointIndex at = mesh_->by_address.at(endpoint.address);
    hosts.emplace(at, host);
    view.hosts.push_back({at});
  });
  made.hosts = std::make_shared<const HostsOfView>(std::move(hosts));
  views_.push_back(std::move(made));
  return binding::add_cluster(*scenario_, std::move(view));
}

std::optional<config::ServiceIndex> Views::known_view(const ViewKey& key) const {
  if (const auto known = made_.find(key); known != made_.end()) {
    return known->second;
  }
  // Views known from the former reading keep their positions. One beyond the current services has not been created yet.
  const auto former = former_ == nullptr ? made_.end() : former_->by_name.find(key);
  const bool is_known =
      former_ != nullptr && former != former_->by_name.end() && former->second.value < scenario_->services.size();
  return is_known ? std::optional(former->second) : std::nullopt;
}

MadeViews Views::take_made() {
  return {classes_, std::move(made_), views_, setting_places_};
}

bool Views::continue_from(const MadeViews& former) {
  if (!former.classes || !classes_.asks_as(*former.classes)) {
    return false;
  }
  classes_ = *former.classes;
  former_ = &former;
  return true;
}

void Views::take_over(const Scenario& former, std::size_t from, std::size_t to) {
  const auto is_before = [](const auto& view, std::size_t service) { return view.service.value < service; };
  auto view = std::lower_bound(former_->views.begin(), former_->views.end(), from, is_before);
  auto places = std::lower_bound(former_->setting_places.begin(), former_->setting_places.end(), from,
                                 [](const auto& one, std::size_t service) { return one.first.value < service; });
  for (std::size_t service = from; service < to; ++service) {
    scenario_->services.add(former.services.share(service));
    if (view != former_->views.end() && view->service.value == service) {
      views_.push_back(*view++);
    }
    if (places != former_->setting_places.end() && places->first.value == service) {
      setting_places_.push_back(*places++);
    }
  }
}

}  // namespace spillway::scenario::istio_binding
