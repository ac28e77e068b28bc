#include "sim/scenario/binding/kuma/routes.hpp"

#include <algorithm>
#include <utility>

#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/field_path.hpp"
#include "models/kuma/envoy_cluster.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/policy_paths.hpp"
#include "models/kuma/rules.hpp"
#include "sim/scenario/binding/kuma/kuma_mesh.hpp"
#include "sim/scenario/binding/kuma/policies.hpp"
#include "sim/scenario/binding/kuma/views.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario::kuma_binding {

namespace {

using envoy::routes::HeaderMatcher;
using envoy::routes::Request;
using kuma::value_of;

// Matches a text of the request as a header of its own, to reuse Envoy's matchers.
bool text_matches(const std::string& text, HeaderMatcher::Kind kind, std::string_view value) {
  const Request request{.headers = {{"text", text}}};
  return envoy::routes::matches(HeaderMatcher{.name = "text", .kind = kind, .value = std::string(value)}, request);
}

bool path_matches(const kuma::PathMatch& match, const Request& request) {
  const std::string* const header = envoy::routes::first_value(request, ":path");
  const std::string path = header == nullptr ? "/" : header->substr(0, header->find_first_of("?#"));
  const std::string_view value = value_of(match.value);
  if (value_of(match.type) == "Exact") {
    return path == value;
  }
  if (value_of(match.type) == "RegularExpression") {
    return text_matches(path, HeaderMatcher::Kind::regex, value);
  }
  const std::string_view stem = value.ends_with('/') ? value.substr(0, value.size() - 1) : value;
  return path.starts_with(stem) && (path.size() == stem.size() || path[stem.size()] == '/');
}

bool header_matches(const kuma::HeaderMatch& match, const Request& request) {
  const std::string_view type = value_of(match.type);
  HeaderMatcher matcher{.name = std::string(value_of(match.name)), .value = std::string(value_of(match.value))};
  matcher.kind = type == "RegularExpression"             ? HeaderMatcher::Kind::regex
                 : type == "Prefix"                      ? HeaderMatcher::Kind::prefix
                 : type == "Present" || type == "Absent" ? HeaderMatcher::Kind::present
                                                         : HeaderMatcher::Kind::exact;
  matcher.present_match = type != "Absent";
  return envoy::routes::matches(matcher, request);
}

bool query_matches(const kuma::QueryParamsMatch& match, const Request& request) {
  const auto value = envoy::routes::query_parameter(request, value_of(match.name));
  const bool regex = value_of(match.type) == "RegularExpression";
  return value &&
         text_matches(*value, regex ? HeaderMatcher::Kind::regex : HeaderMatcher::Kind::exact, value_of(match.value));
}

bool takes(const kuma::HttpMatch& match, const Request& request) {
  const std::string* const method = envoy::routes::first_value(request, ":method");
  const auto headers = match.headers.value_or(std::vector<kuma::HeaderMatch>{});
  const auto parameters = match.queryParams.value_or(std::vector<kuma::QueryParamsMatch>{});
  return (!match.path || path_matches(*match.path, request)) &&
         (!match.method || (method != nullptr && *method == *match.method)) &&
         std::all_of(headers.begin(), headers.end(), [&](const auto& one) { return header_matches(one, request); }) &&
         std::all_of(parameters.begin(), parameters.end(),
                     [&](const auto& one) { return query_matches(one, request); });
}

// True if the split means the destination, whatever the port.
bool is_meant(const Destination& destination, const kuma::Split& split) {
  return kuma::refers_to({split.name, split.name_space, &split.labels}, split.origin, destination.name,
                         destination.labels) &&
         (split.labels.empty() || kuma::backend_is_in_namespace(split.labels, split.origin, destination.labels));
}

bool same_model(const Destination& destination, const kuma::Split& split) {
  const bool port = !split.port || *split.port == destination.port;
  const bool section = split.sectionName.empty() || split.sectionName == destination.port_name ||
                       split.sectionName == std::to_string(destination.port);
  if (destination.model != split.model) {
    return false;
  }
  if (split.model == kuma::DestinationModel::tag) {
    return split.name.empty() ? kuma::has_all(destination.labels, split.labels) : destination.name == split.name;
  }
  return port && section && is_meant(destination, split);
}

// Returns the place of the rules of the most specific route.
Span place_of_rules(const std::vector<kuma::Origin>& documents, const std::vector<kuma::RuleOrigin>& origins) {
  return origins.empty() ? Span()
                         : kuma::place_of(*documents[origins.back().policy].node,
                                          kuma::at("spec", "to", origins.back().item) + ".rules");
}

RouteOrigin origin_of(const kuma::Origin& document, const std::string& path) {
  return {document.kind + " " + document.name, kuma::place_of(*document.node, path)};
}

// Returns the rule of the most specific MeshHTTPRoute that has this match; a route's own rules come before those with
// an equal match. Empty if no rule has it, so that the destination itself gets the remaining requests.
std::vector<RouteOrigin> origins_of(const Policies& policies, const std::vector<kuma::RuleOrigin>& items,
                                    kuma::HttpMatch match) {
  const auto same = [&](kuma::HttpMatch other) {
    other.path = other.path ? other.path : kuma::PathMatch{.type = "PathPrefix", .value = "/"};
    return other == match;
  };
  for (auto item = items.rbegin(); item != items.rend(); ++item) {
    const auto& rules = (*policies.http_routes.policies()[item->policy].to)[item->item].default_.rules;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      if (std::any_of(rules[rule].matches.begin(), rules[rule].matches.end(), same)) {
        return {origin_of(policies.http_route_origins[item->policy],
                          kuma::at(kuma::at("spec", "to", item->item), "rules", rule))};
      }
    }
  }
  return {};
}

}  // namespace

ClientRoutes::ClientRoutes(const KumaMesh& contents, const Policies& policies, Views& views, Scenario& scenario,
                           const kuma::Client& client, config::ZoneIndex zone)
    : contents_(&contents), policies_(&policies), views_(&views), scenario_(&scenario), client_(&client), zone_(zone) {}

const Destination* ClientRoutes::destination_of(config::ServiceIndex service) const {
  const auto found = std::find_if(contents_->destinations.begin(), contents_->destinations.end(),
                                  [&](const Destination& candidate) { return candidate.service == service; });
  return found == contents_->destinations.end() ? nullptr : &*found;
}

const Destination* ClientRoutes::destination_of(const kuma::Split& split) const {
  const Destination* remote = nullptr;
  for (const Destination& candidate : contents_->destinations) {
    if (!same_model(candidate, split)) {
      continue;
    }
    if (candidate.model != kuma::DestinationModel::mesh_service || candidate.zone == client_->zone) {
      return &candidate;
    }
    remote = remote == nullptr ? &candidate : remote;
  }
  return remote;
}

bool ClientRoutes::is_divided(const Destination& destination) const {
  const ClusterConfs confs = confs_of(*policies_, *client_, destination);
  return (destination.speaks_http() && http_conf_of(*policies_, *client_, destination)) ||
         tcp_conf_of(*policies_, *client_, destination) ||
         (confs.strategy && kuma::hash_policies(*confs.strategy, contents_->profile));
}

std::optional<config::ServiceIndex> ClientRoutes::plain_view(config::ServiceIndex service, const OutboundTags& tags) {
  tags_ = &tags;
  const Destination* const destination = destination_of(service);
  if (destination == nullptr) {
    return service;
  }
  if (is_divided(*destination)) {
    return std::nullopt;
  }
  return views_->of_client(*client_, zone_, *destination, tags_of(*destination));
}

std::vector<ClientRoutes::Backend> ClientRoutes::backends_of(std::span<const kuma::BackendRef> references,
                                                             const Destination& destination, kuma::SplitKind kind) {
  if (references.empty()) {
    return {{&destination, tags_of(destination), 1}};
  }
  std::vector<Backend> backends;
  bool resolved = false;
  for (const kuma::BackendRef& reference : references) {
    const auto parts = kuma::splits({&reference, 1}, {}, contents_->profile);
    resolved = resolved || parts.empty() || resolves(parts.front());
    if (parts.empty()) {
      continue;
    }
    const kuma::Split& part = parts.front();
    const Destination* const backend = destination_of(part);
    if (backend == nullptr) {
      note_dropped(destination, part, resolves(part) ? "which is not there" : "which nothing has");
      if (kind == kuma::SplitKind::tcp && part.model == kuma::DestinationModel::tag) {
        problem_ = "a MeshTCPRoute leads to " + part.name + ", which has no endpoints";
        return {};
      }
    } else if (kuma::takes_split(backend->protocol, kind)) {
      backends.push_back({backend, part.tags, part.weight});
    } else {
      note_dropped(destination, part, "whose protocol is " + backend->protocol);
    }
  }
  if (!resolved && kind == kuma::SplitKind::http) {
    return {{&destination, tags_of(destination), 1}};
  }
  if (backends.empty()) {
    problem_ = "no backendRef of its rule gets a part: they are not there, have the weight 0 or another protocol";
  }
  return backends;
}

// True if the reference resolves. Labels must match a resource; names and values of kuma.io/service are resolved later.
bool ClientRoutes::resolves(const kuma::Split& split) const {
  return !split.name.empty() ||
         std::any_of(contents_->destinations.begin(), contents_->destinations.end(), [&](const Destination& candidate) {
           return candidate.model == split.model && is_meant(candidate, split);
         });
}

kuma::Tags ClientRoutes::tags_of(const Destination& destination) const {
  const auto found = tags_->find(destination.name);
  return destination.model != kuma::DestinationModel::tag || found == tags_->end() ? kuma::Tags() : found->second;
}

// Notes a dropped backend, since it is missing from the printed shares.
void ClientRoutes::note_dropped(const Destination& destination, const kuma::Split& split, const std::string& why) {
  std::string name = split.name;
  for (const auto& [key, value] : split.labels) {
    name.append(name.empty() ? "" : ", ").append(key).append("=").append(value);
  }
  if (split.port) {
    name += ":" + std::to_string(*split.port);
  } else if (!split.sectionName.empty()) {
    name += ":" + split.sectionName;
  }
  dropped_.push_back({rules_at_, "of the routes of " + destination.name + ": " + name + ", " + why});
}

std::optional<ClientRoutes::Taken> ClientRoutes::rule_of(const Destination& destination, const Request& request) {
  problem_.clear();
  if (const auto http = http_conf_of(*policies_, *client_, destination); http && destination.speaks_http()) {
    views_->refusals().look_at_routes(http->origins);
    rules_at_ = place_of_rules(policies_->http_route_origins, http->origins);
    // A route without a backend is left out of Envoy's configuration, so the next matching route takes the request.
    for (const kuma::HttpRoute& route : kuma::http_routes(http->conf)) {
      if (!takes(route.match, request)) {
        continue;
      }
      auto backends = backends_of(route.backendRefs, destination, kuma::SplitKind::http);
      if (!backends.empty()) {
        return Taken{std::move(backends), conf_of_route(*policies_, *client_, http->origins),
                     origins_of(*policies_, http->origins, route.match)};
      }
    }
    problem_ = problem_.empty() ? "no rule of a MeshHTTPRoute takes the request" : problem_;
    return std::nullopt;
  }
  std::vector<kuma::BackendRef> references;
  std::vector<RouteOrigin> origins;
  if (const auto tcp = tcp_conf_of(*policies_, *client_, destination); tcp && !tcp->conf.rules.empty()) {
    references = tcp->conf.rules.front().backendRefs.value_or(references);
    rules_at_ = place_of_rules(policies_->tcp_route_origins, tcp->origins);
    const kuma::RuleOrigin& last = tcp->origins.back();
    origins.push_back(
        origin_of(policies_->tcp_route_origins[last.policy], kuma::at(kuma::at("spec", "to", last.item), "rules", 0)));
  }
  Taken taken{backends_of(references, destination, kuma::SplitKind::tcp), std::nullopt, std::move(origins)};
  return taken.backends.empty() ? std::nullopt : std::optional(std::move(taken));
}

bool ClientRoutes::add_views(const Destination& destination, const Request& request, std::uint32_t weight,
                             Route& route) {
  const auto taken = rule_of(destination, request);
  if (!taken) {
    return false;
  }
  const ClusterConfs confs = confs_of(*policies_, *client_, destination);
  const std::vector<std::optional<kuma::Conf>> most_specific = {taken->route_conf, confs.strategy};
  if (const auto hashes = kuma::hash_policies(most_specific, contents_->profile)) {
    route.route.action.hash_policy.clear();
    for (const kuma::HashPolicy& policy : *hashes) {
      route.route.action.hash_policy.push_back(kuma::to_envoy(policy));
    }
  }
  route.origins.insert(route.origins.end(), taken->origins.begin(), taken->origins.end());
  std::uint64_t sum = 0;
  for (const envoy::routes::WeightedCluster& cluster : route.route.action.clusters) {
    sum += cluster.weight;
  }
  for (const Backend& backend : taken->backends) {
    sum += std::uint64_t{weight} * backend.weight;
    const config::ServiceIndex view = views_->of_client(*client_, zone_, *backend.destination, backend.tags);
    route.clusters.push_back(view);
    route.route.action.clusters.push_back(
        {scenario_->services[view.value].name, weight * backend.weight, std::nullopt});
  }
  views_->refusals().look_at_weights(sum, rules_at_);
  return true;
}

std::optional<std::uint32_t> ClientRoutes::route_of(const Request& request, std::uint32_t index,
                                                    const OutboundTags& tags) {
  tags_ = &tags;
  Route route = scenario_->routes[index];
  const Route asked = route;
  route.clusters.clear();
  route.route.action.clusters.clear();
  for (std::size_t i = 0; i < asked.clusters.size(); ++i) {
    const Destination* const destination = destination_of(asked.clusters[i]);
    const envoy::routes::WeightedCluster& cluster = asked.route.action.clusters[i];
    if (destination == nullptr) {
      route.clusters.push_back(asked.clusters[i]);
      route.route.action.clusters.push_back(cluster);
    } else if (!add_views(*destination, request, cluster.weight, route)) {
      return std::nullopt;
    }
  }
  for (const std::uint32_t known : made_) {
    const Route& candidate = scenario_->routes[known];
    if (candidate.clusters == route.clusters && candidate.route == route.route) {
      add_origins(scenario_->routes, known, route.origins);
      return known;
    }
  }
  made_.push_back(static_cast<std::uint32_t>(scenario_->routes.size()));
  scenario_->routes.push_back(std::move(route));
  return made_.back();
}

}  // namespace spillway::scenario::kuma_binding
