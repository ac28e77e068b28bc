#include "sim/scenario/binding/kuma/routes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "models/kuma/client.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/envoy_retries.hpp"
#include "models/kuma/policy_paths.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/refusals.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using envoy::routes::Request;

constexpr std::chrono::nanoseconds envoys_timeout = std::chrono::seconds{15};

RouteOrigin origin_of(const kuma::Origin& document, const std::string& path) {
  return {document.kind + " " + document.name, kuma::place_of(*document.node, path)};
}

// True if the timeout of an idle stream can end a request before its own timeout does.
bool ends_first(std::chrono::nanoseconds idle, std::chrono::nanoseconds timeout) {
  return idle.count() > 0 && (timeout.count() == 0 || idle < timeout);
}

// True if a route of the scenario chooses services and does nothing else: Kuma's listeners decide the rest.
bool only_chooses(const Route& asked) {
  envoy::routes::RouteAction plain;
  for (const envoy::routes::WeightedCluster& cluster : asked.route.action.clusters) {
    plain.clusters.push_back({cluster.name, cluster.weight});
  }
  return asked.route.action == plain && !asked.retry_policy && !asked.stateful_session &&
         asked.timeout == envoys_timeout && asked.stream_timeout.count() == 0 &&
         asked.header_to_metadata.request_rules.empty();
}

// Divides weights by what they have in common, so that their sum stays small.
void reduce(std::vector<std::uint64_t>& weights) {
  std::uint64_t common = 0;
  for (const std::uint64_t weight : weights) {
    common = std::gcd(common, weight);
  }
  for (std::uint64_t& weight : weights) {
    weight /= std::max<std::uint64_t>(common, 1);
  }
}

}  // namespace

ClientRoutes::ClientRoutes(const KumaMesh& contents, const Policies& policies, Views& views, Scenario& scenario,
                           const kuma::Client& client, config::ZoneIndex zone, const kuma::DataplaneDocument* document)
    : contents_(&contents),
      policies_(&policies),
      views_(&views),
      scenario_(&scenario),
      client_(&client),
      listeners_(contents, policies, views, client, zone, document) {}

const Destination* ClientRoutes::destination_of(config::ServiceIndex service) const {
  const auto found = std::find_if(contents_->destinations.begin(), contents_->destinations.end(),
                                  [&](const Destination& candidate) { return candidate.service == service; });
  return found == contents_->destinations.end() ? nullptr : &*found;
}

kuma::Tags ClientRoutes::tags_of(const Destination& destination) const {
  const auto found = tags_->find(destination.name);
  return destination.model != kuma::DestinationModel::tag || found == tags_->end() ? kuma::Tags() : found->second;
}

std::shared_ptr<const kuma::OutboundListener> ClientRoutes::listener_of(const Destination& destination) {
  const kuma::Tags tags = tags_of(destination);
  auto listener = listeners_.of(destination, tags);
  const auto is_it = [&](const OutboundInUse& used) { return used.listener == listener; };
  if (listener != nullptr && std::none_of(in_use_.begin(), in_use_.end(), is_it)) {
    in_use_.push_back({destination.service, listener});
  }
  return listener;
}

void ClientRoutes::note_entering(const kuma::OutboundListener& listener, std::uint32_t weight) {
  for (OutboundInUse& used : in_use_) {
    if (used.listener.get() == &listener) {
      used.entering.push_back({kind_, weight});
    }
  }
}

std::vector<OutboundInUse> ClientRoutes::take_outbounds() {
  for (OutboundInUse& used : in_use_) {
    used.decides = listeners_decide_;
  }
  return std::move(in_use_);
}

// Requests need no route if all of them take one that only leads to one cluster, with Envoy's own timeout.
std::optional<config::ServiceIndex> ClientRoutes::plain_view(config::ServiceIndex service, const OutboundTags& tags) {
  tags_ = &tags;
  const Destination* const destination = destination_of(service);
  if (destination == nullptr) {
    return service;
  }
  const auto listener = listener_of(*destination);
  if (listener == nullptr || policies_->http_routes.merged(*client_, *destination) ||
      policies_->tcp_routes.merged(*client_, *destination)) {
    return std::nullopt;
  }
  if (!listener->is_http) {
    note_entering(*listener, 1);
    return listener->clusters.front().view;
  }
  const kuma::OutboundRoute& route = listener->routes.front();
  const bool retries = route.retry && kuma::envoys_retries(*route.retry, listener->protocol);
  const bool waits_otherwise =
      route.timeout != envoys_timeout || ends_first(route.idle_timeout.value_or(envoys_timeout), route.timeout);
  if (!route.hash_policy.empty() || retries || waits_otherwise) {
    return std::nullopt;
  }
  note_entering(*listener, 1);
  return route.clusters.front().view;
}

Request ClientRoutes::forwarded(Request request, std::uint32_t route, const OutboundTags& tags) {
  tags_ = &tags;
  for (const config::ServiceIndex service : scenario_->routes[route].clusters) {
    const Destination* const destination = destination_of(service);
    const auto listener = destination == nullptr ? nullptr : listener_of(*destination);
    if (listener != nullptr) {
      return kuma::normalized(*listener, std::move(request));
    }
  }
  return request;
}

// Returns the rule that a route was made from, or that of the MeshTCPRoute.
std::vector<RouteOrigin> ClientRoutes::origins_of(const Destination& destination, const kuma::OutboundRoute* route) {
  if (route != nullptr) {
    if (!route->origin) {
      return {};
    }
    const kuma::RuleOrigin& item = route->origin->item;
    return {origin_of(policies_->http_routes.documents()[item.policy],
                      kuma::at(kuma::at("spec", "to", item.item), "rules", route->origin->rule))};
  }
  const auto tcp = policies_->tcp_routes.merged(*client_, destination);
  if (!tcp || tcp->conf.rules.empty()) {
    return {};
  }
  const kuma::RuleOrigin& last = tcp->origins.back();
  return {origin_of(policies_->tcp_routes.documents()[last.policy],
                    kuma::at(kuma::at("spec", "to", last.item), "rules", 0))};
}

// Returns the placeholder service for the requests that a route itself responds to.
config::ServiceIndex ClientRoutes::answered_500(const Destination& destination) {
  const auto [known, is_new] = answered_500_.try_emplace(destination.service);
  if (is_new) {
    constexpr std::uint32_t internal_error = 500;
    known->second = binding::add_missing_cluster(
        *scenario_, "no backend of " + scenario_->services[destination.service.value].name, destination.service,
        {.no_route = true,
         .direct_response = internal_error,
         .reason = "the proxy answers 500 for backendRefs that do not resolve",
         .routed_by = "MeshHTTPRoute",
         .where = listeners_.rules_of(destination)});
  }
  return known->second;
}

void ClientRoutes::set_retries_and_timeouts(const kuma::OutboundListener& listener, const kuma::OutboundRoute& taken,
                                            const Request& request, Route& route) const {
  if (!only_chooses_) {
    return;
  }
  route.timeout = taken.timeout;
  if (ends_first(taken.idle_timeout.value_or(std::chrono::nanoseconds{0}), taken.timeout)) {
    route.stream_timeout = *taken.idle_timeout;
  }
  const auto retries = taken.retry ? kuma::envoys_retries(*taken.retry, listener.protocol) : std::nullopt;
  if (!retries) {
    return;
  }
  const auto& needed = retries->retriable_request_headers;
  const bool may_retry = needed.empty() || std::any_of(needed.begin(), needed.end(), [&](const auto& header) {
                           return envoy::routes::matches(header, request);
                         });
  if (may_retry) {
    route.retry_policy = retries->config;
  }
}

void ClientRoutes::add_route(const Destination& destination, const kuma::OutboundListener& listener,
                             const kuma::Taken& taken, std::uint32_t weight, Route& route) {
  const std::vector<kuma::OutboundCluster>& clusters = taken.route != nullptr ? taken.route->clusters
                                                       : listener.is_http     ? std::vector<kuma::OutboundCluster>{}
                                                                              : listener.clusters;
  std::vector<config::ServiceIndex> views;
  std::vector<std::uint64_t> weights;
  constexpr std::uint64_t millions = 1'000'000;
  const auto answered = static_cast<std::uint64_t>(std::llround(taken.answered_500 * static_cast<double>(millions)));
  std::uint64_t sum = 0;
  for (const kuma::OutboundCluster& cluster : clusters) {
    views.push_back(cluster.view);
    weights.push_back(cluster.weight * (answered > 0 ? millions - answered : 1));
    sum += cluster.weight;
  }
  if (answered > 0) {
    views.push_back(answered_500(destination));
    weights.push_back(answered * std::max<std::uint64_t>(sum, 1));
    reduce(weights);
  }
  std::uint64_t total = 0;
  for (const envoy::routes::WeightedCluster& cluster : route.route.action.clusters) {
    total += cluster.weight;
  }
  for (std::size_t i = 0; i < views.size(); ++i) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    total += weight * weights[i];
    route.clusters.push_back(views[i]);
    route.route.action.clusters.push_back({scenario_->services[views[i].value].name,
                                           static_cast<std::uint32_t>(std::min(largest, weight * weights[i])),
                                           std::nullopt});
  }
  views_->refusals().look_at_weights(total, listeners_.rules_of(destination));
}

bool ClientRoutes::add_views(const Destination& destination, const Request& request, std::uint32_t weight,
                             Route& route) {
  const auto listener = listener_of(destination);
  if (listener == nullptr) {
    problem_ = listeners_.problem().empty() ? "Kuma builds no listener for it" : listeners_.problem();
    return false;
  }
  kuma::Taken taken;
  if (listener->is_http) {
    taken = kuma::taken_by(*listener, request);
    by_.push_back(taken.route);
    if (taken.route == nullptr && taken.answered_500 < 1.0) {
      problem_ = listeners_.problem().empty() ? "no rule of a MeshHTTPRoute takes the request" : listeners_.problem();
      return false;
    }
    if (taken.route != nullptr && !taken.route->hash_policy.empty()) {
      route.route.action.hash_policy = taken.route->hash_policy;
    }
    if (taken.route != nullptr) {
      set_retries_and_timeouts(*listener, *taken.route, request, route);
    }
  } else {
    // A TCP proxy reads no headers.
    route.route.action.hash_policy.clear();
    if (only_chooses_) {
      route.timeout = std::chrono::nanoseconds{0};
    }
  }
  note_entering(*listener, weight);
  const auto origins = taken.answered_500 < 1.0 || taken.route != nullptr || !listener->is_http
                           ? origins_of(destination, listener->is_http ? taken.route : nullptr)
                           : std::vector<RouteOrigin>{};
  add_route(destination, *listener, taken, weight, route);
  route.origins.insert(route.origins.end(), origins.begin(), origins.end());
  return true;
}

std::optional<std::uint32_t> ClientRoutes::route_of(const Request& request, std::uint32_t index,
                                                    const OutboundTags& tags) {
  tags_ = &tags;
  problem_.clear();
  by_.clear();
  Route route = scenario_->routes[index];
  const Route asked = route;
  only_chooses_ = only_chooses(asked);
  listeners_decide_ = listeners_decide_ && only_chooses_;
  route.clusters.clear();
  route.route.action.clusters.clear();
  for (std::size_t i = 0; i < asked.clusters.size(); ++i) {
    const Destination* const destination = destination_of(asked.clusters[i]);
    const envoy::routes::WeightedCluster& cluster = asked.route.action.clusters[i];
    if (destination == nullptr) {
      listeners_decide_ = false;
      route.clusters.push_back(asked.clusters[i]);
      route.route.action.clusters.push_back(cluster);
    } else if (!add_views(*destination, request, cluster.weight, route)) {
      return std::nullopt;
    }
  }
  ++kind_;
  const std::uint32_t made =
      binding::add_route(*scenario_, std::move(route), made_,
                         [&](std::uint32_t position, const Route& /*known*/) { return by_of_.at(position) == by_; });
  by_of_.try_emplace(made, by_);
  return made;
}

}  // namespace spillway::scenario::kuma_binding
