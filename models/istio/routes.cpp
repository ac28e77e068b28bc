#include "models/istio/routes.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "models/istio/rule_index.hpp"
#include "models/istio/traffic_policy.hpp"
#include "models/istio/visibility.hpp"
#include "models/numeric/stable_sort.hpp"

namespace spillway::istio {

namespace {

using envoy::routes::HeaderMatcher;
using envoy::routes::QueryParameterMatcher;
using envoy::routes::RouteMatch;

constexpr const char* mesh_gateway = "mesh";

bool names_mesh(const std::vector<std::string>& gateways) {
  return std::find(gateways.begin(), gateways.end(), mesh_gateway) != gateways.end();
}

// True if a match requires only presence: an empty match, or `*` as a regular expression.
bool asks_for_presence(const StringMatch& match) {
  return match.kind == StringMatch::Kind::present || (match.kind == StringMatch::Kind::regex && match.text == "*");
}

HeaderMatcher header_matcher(const std::string& name, const StringMatch& match) {
  HeaderMatcher matcher{.name = name, .value = match.text};
  if (asks_for_presence(match)) {
    matcher.value.clear();
    return matcher;
  }
  matcher.kind = match.kind == StringMatch::Kind::exact    ? HeaderMatcher::Kind::exact
                 : match.kind == StringMatch::Kind::prefix ? HeaderMatcher::Kind::prefix
                                                           : HeaderMatcher::Kind::regex;
  return matcher;
}

QueryParameterMatcher query_parameter_matcher(const std::string& name, const StringMatch& match) {
  using Kind = QueryParameterMatcher::Kind;
  if (asks_for_presence(match)) {
    return {.name = name};
  }
  return {.name = name,
          .kind = match.kind == StringMatch::Kind::exact    ? Kind::exact
                  : match.kind == StringMatch::Kind::prefix ? Kind::prefix
                                                            : Kind::regex,
          .value = match.text};
}

void add_headers(const HttpMatchRequest& match, RouteMatch& into) {
  for (const auto& [name, value] : match.headers) {
    into.headers.push_back(header_matcher(name, value));
  }
  for (const auto& [name, value] : match.withoutHeaders) {
    HeaderMatcher& matcher = into.headers.emplace_back(header_matcher(name, value));
    matcher.invert_match = true;
    matcher.treat_missing_header_as_empty = !asks_for_presence(value);
  }
  numeric::stable_sort(into.headers,
                       [](const HeaderMatcher& left, const HeaderMatcher& right) { return left.name < right.name; });
  const std::pair<const char*, const std::optional<StringMatch>*> pseudo_headers[] = {
      {":method", &match.method}, {":authority", &match.authority}, {":scheme", &match.scheme}};
  for (const auto& [name, value] : pseudo_headers) {
    if (*value) {
      into.headers.push_back(header_matcher(name, **value));
    }
  }
}

void take_match(const HttpMatchRequest& match, Route& route) {
  add_headers(match, route.match);
  if (match.uri && match.uri->kind != StringMatch::Kind::present) {
    route.match.path = match.uri->text;
    route.match.path_kind = match.uri->kind == StringMatch::Kind::exact    ? RouteMatch::PathKind::path
                            : match.uri->kind == StringMatch::Kind::prefix ? RouteMatch::PathKind::prefix
                                                                           : RouteMatch::PathKind::regex;
  }
  route.match.case_sensitive = !match.ignoreUriCase;
  route.writes_case_sensitive = true;
  for (const auto& [name, value] : match.queryParams) {
    route.match.query_parameters.push_back(query_parameter_matcher(name, value));
  }
}

bool ends_the_list(const Route& route) {
  const bool any_path = route.match.path_kind == RouteMatch::PathKind::prefix  ? route.match.path == "/"
                        : route.match.path_kind == RouteMatch::PathKind::regex ? route.match.path == "*"
                                                                               : false;
  return any_path && route.match.headers.empty() && route.match.query_parameters.empty();
}

// True if istiod sends a route to the proxy: it decides by port, gateways, and where requests come from.
template <class Match>
bool concerns(const Match& match, const RouteRequest& request) {
  if (match.port != 0 && match.port != request.port) {
    return false;
  }
  if (!match.gateways.empty()) {
    return names_mesh(match.gateways);
  }
  return has_all(request.proxy->labels, match.sourceLabels) &&
         (match.sourceNamespace.empty() || match.sourceNamespace == request.proxy->name_space);
}

Target target_of(const Destination& destination, std::uint32_t weight, const std::string& name_space,
                 const RouteRequest& request) {
  Target target{.weight = weight,
                .host = resolve_short_name(destination.host, name_space),
                .subset = destination.subset,
                .port = request.port};
  const Service* const service = visible_service(*request.documents, *request.registry, *request.proxy, target.host);
  if (destination.port) {
    target.port = *destination.port;
  } else if (service != nullptr && service->ports.size() == 1) {
    target.port = service->ports.front().number;
  }
  if (service != nullptr && !service->external_name.empty()) {
    target.host = service->external_name;
  }
  target.cluster = cluster_name(target.port, target.subset, target.host);
  return target;
}

const ConsistentHash* hash_for(const Destination& destination, const Target& target, const RouteRequest& request) {
  const Service* const service = visible_service(*request.documents, *request.registry, *request.proxy, target.host);
  if (service == nullptr) {
    return nullptr;
  }
  const auto found = request.rules->find(*request.proxy, service->hostname, service->name_space);
  return found.rule == nullptr ? nullptr : hash_of(found.rule->rule, destination.subset, destination.port);
}

void add_targets(const HttpRoute& from, const std::string& name_space, const RouteRequest& request, Route& route) {
  bool hashes = false;
  route.weighted = from.route.size() > 1;
  for (const RouteDestination& written : from.route) {
    if (route.weighted && written.weight == 0) {
      continue;
    }
    const Target& target =
        route.targets.emplace_back(target_of(written.destination, written.weight, name_space, request));
    if (const ConsistentHash* const hash = hash_for(written.destination, target, request)) {
      hashes = true;
      if (const auto policy = to_envoy(*hash)) {
        route.hash_policy.push_back(*policy);
      }
    }
  }
  const auto& retries = from.retries ? from.retries : request.documents->mesh.defaultHttpRetryPolicy;
  route.retry_policy = retry_policy_of(retries, hashes && !route.weighted);
}

Route translated(const HttpRoute& from, const HttpMatchRequest* match, const std::string& name_space,
                 const RouteRequest& request) {
  Route route{.name = from.name, .timeout = from.timeout.value_or(Duration{0}), .other = from.other};
  if (match != nullptr) {
    route.name += match->name.empty() ? "" : "." + match->name;
    take_match(*match, route);
  }
  route.fault = from.fault;
  if (!from.other.empty()) {
    return route;
  }
  add_targets(from, name_space, request, route);
  route.prefix_rewrite = from.rewrite_uri;
  route.host_rewrite = from.rewrite_authority;
  for (const Mirror& mirror : from.mirrors) {
    const double percent = mirror.percentage.value_or(100.0);
    if (percent > 0.0) {
      route.mirrors.push_back({target_of(mirror.destination, 0, name_space, request).cluster, percent});
    }
  }
  return route;
}

std::vector<Route> translated(const VirtualService& from, const RouteRequest& request) {
  std::vector<Route> routes;
  for (std::size_t rule = 0; rule < from.http.size(); ++rule) {
    const HttpRoute& http = from.http[rule];
    if (http.match.empty()) {
      routes.push_back(translated(http, nullptr, from.meta.name_space, request));
      routes.back().rule = rule;
      return routes;
    }
    for (const HttpMatchRequest& match : http.match) {
      if (!concerns(match, request)) {
        continue;
      }
      routes.push_back(translated(http, &match, from.meta.name_space, request));
      routes.back().rule = rule;
      if (ends_the_list(routes.back())) {
        return routes;
      }
    }
  }
  return routes;
}

// Returns the hash of the rule if there is no VirtualService. Its port's own settings come first.
const ConsistentHash* default_hash(const RouteRequest& request) {
  const auto found = request.rules->find(*request.proxy, request.service->hostname, request.service->name_space);
  return found.rule == nullptr ? nullptr : hash_of(found.rule->rule, "", request.port);
}

Target default_target(const RouteRequest& request) {
  const std::string& host =
      request.service->external_name.empty() ? request.service->hostname : request.service->external_name;
  return {.cluster = cluster_name(request.port, "", host), .weight = 100, .host = host, .port = request.port};
}

Route default_route(const RouteRequest& request) {
  Route route{.name = "default", .targets = {default_target(request)}};
  if (const ConsistentHash* const hash = default_hash(request)) {
    if (const auto policy = to_envoy(*hash)) {
      route.hash_policy.push_back(*policy);
    }
  }
  route.retry_policy = retry_policy_of(request.documents->mesh.defaultHttpRetryPolicy, false);
  return route;
}

// Returns the first TCP route for the port; without one, the service itself.
TcpProxy tcp_proxy(const VirtualService* virtual_service, const RouteRequest& request) {
  const auto hashes_source = [](const ConsistentHash* hash) {
    return hash != nullptr && hash->useSourceIp.value_or(false);
  };
  const std::size_t rules = virtual_service == nullptr ? 0 : virtual_service->tcp.size();
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const TcpRoute& route = virtual_service->tcp[rule];
    const bool concerned =
        route.match.empty() || std::any_of(route.match.begin(), route.match.end(),
                                           [&](const TcpMatch& match) { return concerns(match, request); });
    if (!concerned) {
      continue;
    }
    TcpProxy proxy{.weighted = route.route.size() > 1, .rule = rule};
    for (const RouteDestination& written : route.route) {
      if (proxy.weighted && written.weight == 0) {
        continue;
      }
      const Target& target = proxy.targets.emplace_back(
          target_of(written.destination, written.weight, virtual_service->meta.name_space, request));
      proxy.source_ip_hash = proxy.source_ip_hash || hashes_source(hash_for(written.destination, target, request));
    }
    return proxy;
  }
  return {.targets = {default_target(request)}, .source_ip_hash = hashes_source(default_hash(request))};
}

}  // namespace

const VirtualService* virtual_service_for(const Documents& documents, const Proxy& proxy, const std::string& hostname,
                                          std::uint32_t port) {
  const Sidecar* const sidecar = sidecar_of(documents, proxy);
  // Sorts exact hosts before wildcards, longer hosts before shorter ones, then by visibility (private, exported,
  // public), then by age.
  using Rank = std::tuple<bool, std::size_t, int>;
  const VirtualService* best = nullptr;
  Rank best_rank;
  for (const VirtualService& candidate : documents.virtual_services) {
    const std::string& owner = candidate.meta.name_space;
    if ((!candidate.gateways.empty() && !names_mesh(candidate.gateways)) ||
        !is_exported(candidate.exportTo, owner, proxy.name_space) ||
        !is_imported(sidecar, proxy.name_space, candidate, port)) {
      continue;
    }
    const bool to_all = candidate.exportTo.empty() || std::find(candidate.exportTo.begin(), candidate.exportTo.end(),
                                                                "*") != candidate.exportTo.end();
    const bool only_own = candidate.exportTo == std::vector<std::string>{"."};
    for (const std::string& written : candidate.hosts) {
      const std::string host = resolve_short_name(written, owner);
      if (!host_matches(hostname, host)) {
        continue;
      }
      const Rank rank{is_wildcard(host), SIZE_MAX - host.size(), only_own ? 0 : to_all ? 2 : 1};
      if (best == nullptr || rank < best_rank || (rank == best_rank && is_older(candidate.meta, best->meta))) {
        best = &candidate;
        best_rank = rank;
      }
    }
  }
  return best;
}

std::optional<envoy::routes::HashPolicy> to_envoy(const ConsistentHash& hash) {
  using namespace envoy::routes;
  if (!hash.httpHeaderName.empty()) {
    return HashPolicy{HeaderHash{hash.httpHeaderName}};
  }
  if (hash.httpCookie) {
    CookieHash cookie{hash.httpCookie->name};
    cookie.path = hash.httpCookie->path;
    if (hash.httpCookie->ttl) {
      cookie.ttl_seconds = std::chrono::duration_cast<std::chrono::seconds>(*hash.httpCookie->ttl).count();
    }
    return HashPolicy{cookie};
  }
  if (hash.useSourceIp) {
    return HashPolicy{ConnectionPropertiesHash{*hash.useSourceIp}};
  }
  if (!hash.httpQueryParameterName.empty()) {
    return HashPolicy{QueryParameterHash{hash.httpQueryParameterName}};
  }
  return std::nullopt;
}

Routes routes_of(const RouteRequest& request) {
  Routes routes;
  const ServicePort* const port = request.service->port(request.port);
  if (request.proxy->router || port == nullptr || port->protocol == Protocol::udp) {
    return routes;
  }
  routes.virtual_service =
      virtual_service_for(*request.documents, *request.proxy, request.service->hostname, request.port);
  if (port->protocol == Protocol::tcp) {
    routes.tcp = tcp_proxy(routes.virtual_service, request);
  } else if (routes.virtual_service != nullptr && !routes.virtual_service->http.empty()) {
    routes.http = translated(*routes.virtual_service, request);
  } else {
    routes.http = {default_route(request)};
  }
  return routes;
}

}  // namespace spillway::istio
