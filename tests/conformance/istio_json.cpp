// Clusters, load assignments and routes as cases write them.
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "tests/conformance/istio.hpp"

namespace spillway::conformance {

namespace {

std::string seconds_text(istio::Duration duration) {
  std::ostringstream text;
  text << duration.count() / 1'000'000'000;
  if (std::int64_t rest = duration.count() % 1'000'000'000; rest != 0) {
    std::string digits = std::to_string(1'000'000'000 + rest).substr(1);
    while (digits.size() > 3 && digits.ends_with("000")) {
      digits.resize(digits.size() - 3);
    }
    text << '.' << digits;
  }
  text << 's';
  return text.str();
}

template <class Value>
void put(json& into, const char* name, const std::optional<Value>& value) {
  if (value) {
    into[name] = *value;
  }
}
void put(json& into, const char* name, const std::optional<istio::Duration>& value) {
  if (value) {
    into[name] = seconds_text(*value);
  }
}

json outlier_json(const istio::Ejections& outlier) {
  json written = {{"enforcing_success_rate", 0}};
  put(written, "consecutive_5xx", outlier.consecutive_5xx);
  put(written, "enforcing_consecutive_5xx", outlier.enforcing_consecutive_5xx);
  put(written, "consecutive_gateway_failure", outlier.consecutive_gateway_failure);
  put(written, "enforcing_consecutive_gateway_failure", outlier.enforcing_consecutive_gateway_failure);
  put(written, "interval", outlier.interval);
  put(written, "base_ejection_time", outlier.base_ejection_time);
  put(written, "max_ejection_percent", outlier.max_ejection_percent);
  if (outlier.split_external_local_origin_errors) {
    written["split_external_local_origin_errors"] = true;
  }
  put(written, "consecutive_local_origin_failure", outlier.consecutive_local_origin_failure);
  put(written, "enforcing_consecutive_local_origin_failure", outlier.enforcing_consecutive_local_origin_failure);
  put(written, "enforcing_local_origin_success_rate", outlier.enforcing_local_origin_success_rate);
  return written;
}

json breakers_json(const istio::CircuitBreakers& breakers) {
  json thresholds = {{"max_connections", breakers.max_connections},
                     {"max_pending_requests", breakers.max_pending_requests},
                     {"max_requests", breakers.max_requests},
                     {"max_retries", breakers.max_retries}};
  if (breakers.retry_budget) {
    thresholds["retry_budget"] = {{"budget_percent", {{"value", breakers.retry_budget->percent}}},
                                  {"min_retry_concurrency", breakers.retry_budget->min_retry_concurrency}};
  }
  return {{"thresholds", json::array({thresholds})}};
}

json common_lb_json(const istio::Cluster& cluster) {
  json common = json::object();
  if (cluster.healthy_panic_threshold) {
    common["healthy_panic_threshold"] = {{"value", *cluster.healthy_panic_threshold}};
  }
  if (cluster.locality_weighted) {
    common["locality_weighted_lb_config"] = json::object();
  }
  if (cluster.zone_aware) {
    json zone_aware = json::object();
    if (cluster.zone_aware->routing_disabled) {
      zone_aware["routing_enabled"] = {{"value", 0}};
    }
    put(zone_aware, "min_cluster_size", cluster.zone_aware->min_cluster_size);
    common["zone_aware_lb_config"] = zone_aware;
  }
  if (cluster.overrides_host_status) {
    common["override_host_status"] = {{"statuses", {"HEALTHY", "DRAINING", "UNKNOWN", "DEGRADED"}}};
  }
  return common;
}

void put_slow_start(const istio::Cluster& cluster, json& written) {
  if (!cluster.slow_start) {
    return;
  }
  json slow_start = {{"slow_start_window", seconds_text(cluster.slow_start->window)}};
  if (cluster.slow_start->aggression) {
    slow_start["aggression"] = {{"default_value", *cluster.slow_start->aggression}, {"runtime_key", "("}};
  }
  if (cluster.slow_start->min_weight_percent) {
    slow_start["min_weight_percent"] = {{"value", *cluster.slow_start->min_weight_percent}};
  }
  const bool round_robin = cluster.lb_policy == istio::LbPolicy::round_robin;
  written[round_robin ? "round_robin_lb_config" : "least_request_lb_config"] = {{"slow_start_config", slow_start}};
}

void put_http(const istio::Cluster& cluster, json& written) {
  json common = json::object();
  put(common, "idle_timeout", cluster.idle_timeout);
  put(common, "max_connection_duration", cluster.max_connection_duration);
  if (cluster.max_requests_per_connection > 0) {
    common["max_requests_per_connection"] = cluster.max_requests_per_connection;
  }
  if (!common.empty()) {
    written["common_http_protocol_options"] = common;
  }
  if (cluster.upstream_protocol) {
    constexpr const char* names[] = {"http1", "http2", "as downstream"};
    written["upstream_protocol"] = names[static_cast<std::size_t>(*cluster.upstream_protocol)];
  }
  if (cluster.max_concurrent_streams > 0) {
    written["http2_protocol_options"] = {{"max_concurrent_streams", cluster.max_concurrent_streams}};
  }
}

json string_match_json(envoy::routes::HeaderMatcher::Kind kind, const std::string& text) {
  using Kind = envoy::routes::HeaderMatcher::Kind;
  switch (kind) {
    case Kind::exact:
      return {{"exact", text}};
    case Kind::prefix:
      return {{"prefix", text}};
    default:
      return {{"safe_regex", {{"regex", text}}}};
  }
}

json match_json(const istio::Route& route) {
  using PathKind = envoy::routes::RouteMatch::PathKind;
  using Kind = envoy::routes::HeaderMatcher::Kind;
  json match = json::object();
  switch (route.match.path_kind) {
    case PathKind::prefix:
      match["prefix"] = route.match.path;
      break;
    case PathKind::path:
      match["path"] = route.match.path;
      break;
    case PathKind::regex:
      match["safe_regex"] = {{"regex", route.match.path}};
      break;
  }
  if (route.writes_case_sensitive) {
    match["case_sensitive"] = route.match.case_sensitive;
  }
  for (const envoy::routes::HeaderMatcher& header : route.match.headers) {
    json written = {{"name", header.name}};
    if (header.kind == Kind::present) {
      written["present_match"] = true;
    } else {
      written["string_match"] = string_match_json(header.kind, header.value);
    }
    if (header.invert_match) {
      written["invert_match"] = true;
    }
    if (header.treat_missing_header_as_empty) {
      written["treat_missing_header_as_empty"] = true;
    }
    match["headers"].push_back(written);
  }
  using QueryKind = envoy::routes::QueryParameterMatcher::Kind;
  for (const envoy::routes::QueryParameterMatcher& query : route.match.query_parameters) {
    json written = {{"name", query.name}};
    switch (query.kind) {
      case QueryKind::present:
        written["present_match"] = true;
        break;
      case QueryKind::exact:
        written["string_match"] = string_match_json(Kind::exact, query.value);
        break;
      case QueryKind::prefix:
        written["string_match"] = string_match_json(Kind::prefix, query.value);
        break;
      case QueryKind::regex:
        written["string_match"] = string_match_json(Kind::regex, query.value);
        break;
    }
    match["query_parameters"].push_back(written);
  }
  return match;
}

json hash_json(const envoy::routes::HashPolicy& policy) {
  using namespace envoy::routes;
  if (const auto* const header = std::get_if<HeaderHash>(&policy.policy_specifier)) {
    return {{"header", {{"header_name", header->header_name}}}};
  }
  if (const auto* const cookie = std::get_if<CookieHash>(&policy.policy_specifier)) {
    json written = {{"name", cookie->name}};
    if (cookie->ttl_seconds) {
      written["ttl"] = std::to_string(*cookie->ttl_seconds) + "s";
    }
    if (!cookie->path.empty()) {
      written["path"] = cookie->path;
    }
    return {{"cookie", written}};
  }
  if (const auto* const query = std::get_if<QueryParameterHash>(&policy.policy_specifier)) {
    return {{"query_parameter", {{"name", query->name}}}};
  }
  json connection = json::object();
  if (std::get<ConnectionPropertiesHash>(policy.policy_specifier).source_ip) {
    connection["source_ip"] = true;
  }
  return {{"connection_properties", connection}};
}

json retry_json(const istio::RetryPolicy& policy) {
  json written = {
      {"num_retries", policy.num_retries}, {"retry_on", policy.retry_on}, {"host_selection_retry_max_attempts", 5}};
  if (policy.previous_hosts) {
    written["retry_host_predicate"] = json::array(
        {{{"name", "envoy.retry_host_predicates.previous_hosts"},
          {"typed_config",
           {{"@type", "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"}}}}});
  }
  if (policy.previous_priorities) {
    written["retry_priority"] = {
        {"name", "envoy.retry_priorities.previous_priorities"},
        {"typed_config",
         {{"@type",
           "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig"},
          {"update_frequency", 2}}}};
  }
  if (!policy.retriable_status_codes.empty()) {
    written["retriable_status_codes"] = policy.retriable_status_codes;
  }
  put(written, "per_try_timeout", policy.per_try_timeout);
  if (policy.base_interval) {
    written["retry_back_off"] = {{"base_interval", seconds_text(*policy.base_interval)}};
  }
  return written;
}

json percent_json(double percent) {
  return {{"denominator", "MILLION"}, {"numerator", static_cast<std::uint32_t>(std::llround(percent * 10'000.0))}};
}

json fault_json(const istio::HttpFault& fault) {
  json written = {{"@type", "type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault"}};
  if (fault.abort) {
    written["abort"] = {{"http_status", fault.abort->httpStatus},
                        {"percentage", percent_json(fault.abort->percentage)}};
  }
  if (fault.delay) {
    written["delay"] = {{"fixed_delay", seconds_text(fault.delay->fixedDelay)},
                        {"percentage", percent_json(fault.delay->percentage)}};
  }
  return written;
}

void put_targets(const std::vector<istio::Target>& targets, bool weighted, json& written) {
  if (!weighted) {
    written["cluster"] = targets.empty() ? "" : targets.front().cluster;
    return;
  }
  json clusters = json::array();
  for (const istio::Target& target : targets) {
    clusters.push_back({{"name", target.cluster}, {"weight", target.weight}});
  }
  written["weighted_clusters"] = {{"clusters", clusters}};
}

}  // namespace

json istio_cluster_json(const istio::Cluster& cluster) {
  json written = {{"name", cluster.name},
                  {"type", istio::envoy_name(cluster.type)},
                  {"lb_policy", istio::envoy_name(cluster.lb_policy)},
                  {"connect_timeout", seconds_text(cluster.connect_timeout)},
                  {"common_lb_config", common_lb_json(cluster)},
                  {"circuit_breakers", breakers_json(cluster.circuit_breakers)}};
  if (cluster.outlier_detection) {
    written["outlier_detection"] = outlier_json(*cluster.outlier_detection);
  }
  put_slow_start(cluster, written);
  if (cluster.minimum_ring_size) {
    written["ring_hash_lb_config"] = {{"minimum_ring_size", *cluster.minimum_ring_size}};
  }
  if (cluster.table_size) {
    written["maglev_lb_config"] = {{"table_size", *cluster.table_size}};
  }
  put_http(cluster, written);
  if (cluster.dns_refresh_rate && cluster.type != istio::DiscoveryType::original_dst) {
    written["dns_refresh_rate"] = seconds_text(*cluster.dns_refresh_rate);
    written["respect_dns_ttl"] = true;
  }
  return written;
}

json istio_assignment_json(const istio::Cluster& cluster) {
  constexpr const char* statuses[] = {"", "HEALTHY", "UNHEALTHY", "DRAINING", "DRAINING"};
  json localities = json::array();
  for (const istio::AssignedLocality& group : cluster.assignment->localities) {
    json locality = json::object();
    for (const auto& [name, part] :
         {std::pair("region", &group.locality.region), std::pair("zone", &group.locality.zone),
          std::pair("sub_zone", &group.locality.sub_zone)}) {
      if (!part->empty()) {
        locality[name] = *part;
      }
    }
    json endpoints = json::array();
    for (const istio::AssignedEndpoint& endpoint : group.endpoints) {
      json host = {
          {"load_balancing_weight", endpoint.weight},
          {"endpoint",
           {{"address", {{"socket_address", {{"address", endpoint.address}, {"port_value", endpoint.port}}}}}}}};
      if (endpoint.health != istio::EndpointHealth::unknown) {
        host["health_status"] = statuses[static_cast<std::size_t>(endpoint.health)];
      }
      endpoints.push_back(host);
    }
    json written = {{"locality", locality}, {"priority", group.priority}, {"lb_endpoints", endpoints}};
    if (group.weight > 0) {
      written["load_balancing_weight"] = group.weight;
    }
    localities.push_back(written);
  }
  return {{"cluster_name", cluster.name}, {"endpoints", localities}};
}

json istio_route_json(const istio::Route& route) {
  json written = {{"match", match_json(route)}};
  if (!route.name.empty()) {
    written["name"] = route.name;
  }
  if (route.fault) {
    written["typed_per_filter_config"] = {{"envoy.filters.http.fault", fault_json(*route.fault)}};
  }
  json action = {{"timeout", seconds_text(route.timeout)}, {"max_grpc_timeout", seconds_text(route.timeout)}};
  put_targets(route.targets, route.weighted, action);
  for (const envoy::routes::HashPolicy& policy : route.hash_policy) {
    action["hash_policy"].push_back(hash_json(policy));
  }
  if (route.retry_policy) {
    action["retry_policy"] = retry_json(*route.retry_policy);
  }
  if (!route.prefix_rewrite.empty()) {
    action["prefix_rewrite"] = route.prefix_rewrite;
  }
  if (!route.host_rewrite.empty()) {
    action["host_rewrite_literal"] = route.host_rewrite;
  }
  for (const istio::MirrorPolicy& mirror : route.mirrors) {
    action["request_mirror_policies"].push_back(
        {{"cluster", mirror.cluster},
         {"disable_shadow_host_suffix_append", true},
         {"runtime_fraction", {{"default_value", percent_json(mirror.percent)}}},
         {"trace_sampled", false}});
  }
  written["route"] = action;
  return written;
}

json istio_tcp_json(const istio::TcpProxy& proxy) {
  json written = json::object();
  put_targets(proxy.targets, proxy.weighted, written);
  if (proxy.source_ip_hash) {
    written["hash_policy"] = json::array({{{"source_ip", json::object()}}});
  }
  return written;
}

}  // namespace spillway::conformance
