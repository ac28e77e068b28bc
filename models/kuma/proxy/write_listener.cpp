#include "models/kuma/proxy/write_listener.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/kuma/envoy_retries.hpp"
#include "models/kuma/proxy/durations.hpp"
#include "models/kuma/proxy/outbound_listener.hpp"

namespace spillway::kuma {

namespace {

using Json = nlohmann::ordered_json;
using envoy::routes::HeaderMatcher;
using envoy::routes::QueryParameterMatcher;
using envoy::routes::RouteMatch;

Json any(const std::string& type, Json message = Json::object()) {
  Json result = {{"@type", "type.googleapis.com/" + type}};
  result.update(message);
  return result;
}

Json extension(const std::string& name, const std::string& type, Json message = Json::object()) {
  return {{"name", name}, {"typed_config", any(type, std::move(message))}};
}

Json header_json(const HeaderMatcher& header) {
  Json json = {{"name", header.name}};
  switch (header.kind) {
    case HeaderMatcher::Kind::present:
      json["present_match"] = header.present_match;
      break;
    case HeaderMatcher::Kind::regex:
      json["string_match"] = {{"safe_regex", {{"regex", header.value}}}};
      break;
    case HeaderMatcher::Kind::prefix:
      json["string_match"] = {{"prefix", header.value}};
      break;
    default:
      json["string_match"] = {{"exact", header.value}};
  }
  return json;
}

Json parameter_json(const QueryParameterMatcher& parameter) {
  Json match = parameter.kind == QueryParameterMatcher::Kind::regex ? Json{{"safe_regex", {{"regex", parameter.value}}}}
                                                                    : Json{{"exact", parameter.value}};
  return {{"name", parameter.name}, {"string_match", std::move(match)}};
}

const char* denominator_name(std::uint32_t denominator) {
  constexpr std::uint32_t ten_thousand = 10'000;
  return denominator == ten_thousand ? "TEN_THOUSAND" : "MILLION";
}

Json match_json(const OutboundRoute& route) {
  Json json = Json::object();
  const RouteMatch& match = route.match;
  if (match.path_kind == RouteMatch::PathKind::regex) {
    json["safe_regex"] = {{"regex", match.path}};
  } else {
    json[match.path_kind == RouteMatch::PathKind::path ? "path" : "prefix"] = match.path;
  }
  if (route.runtime_fraction) {
    constexpr std::uint32_t hundred = 100;
    Json percent = {{"numerator", route.runtime_fraction->numerator}};
    if (route.runtime_fraction->denominator != hundred) {
      percent["denominator"] = denominator_name(route.runtime_fraction->denominator);
    }
    json["runtime_fraction"] = {{"default_value", std::move(percent)}};
  }
  for (const HeaderMatcher& header : match.headers) {
    json["headers"].push_back(header_json(header));
  }
  for (const QueryParameterMatcher& parameter : match.query_parameters) {
    json["query_parameters"].push_back(parameter_json(parameter));
  }
  return json;
}

struct HashPolicyWriter {
  Json operator()(const envoy::routes::HeaderHash& hash) const {
    return {{"header", {{"header_name", hash.header_name}}}};
  }
  Json operator()(const envoy::routes::CookieHash& hash) const {
    Json cookie = {{"name", hash.name}};
    if (hash.ttl_seconds) {
      cookie["ttl"] = std::to_string(*hash.ttl_seconds) + "s";
    }
    if (!hash.path.empty()) {
      cookie["path"] = hash.path;
    }
    return {{"cookie", std::move(cookie)}};
  }
  Json operator()(const envoy::routes::ConnectionPropertiesHash& hash) const {
    return {{"connection_properties", hash.source_ip ? Json{{"source_ip", true}} : Json(Json::object())}};
  }
  Json operator()(const envoy::routes::QueryParameterHash& hash) const {
    return {{"query_parameter", {{"name", hash.name}}}};
  }
  Json operator()(const envoy::routes::FilterStateHash& hash) const { return {{"filter_state", {{"key", hash.key}}}}; }
};

Json hash_json(const envoy::routes::HashPolicy& policy) {
  Json json = std::visit(HashPolicyWriter{}, policy.policy_specifier);
  if (policy.terminal) {
    json["terminal"] = true;
  }
  return json;
}

Json rate_limited_json(const RateLimitedBackOff& back_off) {
  Json json = Json::object();
  for (const ResetHeader& header : back_off.resetHeaders.value_or(std::vector<ResetHeader>{})) {
    Json one = {{"name", value_of(header.name)}};
    if (header.format == "UnixTimestamp") {
      one["format"] = "UNIX_TIMESTAMP";
    }
    json["reset_headers"].push_back(std::move(one));
  }
  if (back_off.maxInterval) {
    json["max_interval"] = duration_text(*back_off.maxInterval);
  }
  return json;
}

void add_host_selection(const std::vector<RetryPredicate>& predicates, Json& json) {
  for (const RetryPredicate& predicate : predicates) {
    if (predicate.predicate == "OmitPreviousHosts") {
      json["retry_host_predicate"].push_back(
          extension("envoy.retry_host_predicates.previous_hosts",
                    "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"));
    } else if (predicate.predicate == "OmitHostsWithTags") {
      Json tags = Json::object();
      for (const auto& [key, value] : predicate.tags.value_or(Tags{})) {
        tags[key] = value;
      }
      json["retry_host_predicate"].push_back(
          extension("envoy.retry_host_predicates.omit_host_metadata",
                    "envoy.extensions.retry.host.omit_host_metadata.v3.OmitHostMetadataConfig",
                    {{"metadata_match", {{"filter_metadata", {{"envoy.lb", std::move(tags)}}}}}}));
    } else {
      json["retry_priority"] =
          extension("envoy.retry_priorities.previous_priorities",
                    "envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
                    {{"update_frequency", predicate.updateFrequency.value_or(2)}});
    }
  }
}

Json retry_json(const EnvoysRetries& retries) {
  Json json = {{"retry_on", retries.retry_on}};
  if (retries.counts_retries) {
    json["num_retries"] = retries.config.num_retries;
  }
  if (retries.per_try_timeout) {
    json["per_try_timeout"] = duration_text(*retries.per_try_timeout);
  }
  add_host_selection(retries.host_selection, json);
  if (retries.limits_host_selection) {
    json["host_selection_retry_max_attempts"] = std::to_string(retries.config.host_selection_retry_max_attempts);
  }
  for (const std::uint32_t status : retries.config.retriable_status_codes) {
    json["retriable_status_codes"].push_back(status);
  }
  if (const auto& back_off = retries.back_off) {
    json["retry_back_off"] = Json::object();
    if (back_off->baseInterval) {
      json["retry_back_off"]["base_interval"] = duration_text(*back_off->baseInterval);
    }
    if (back_off->maxInterval) {
      json["retry_back_off"]["max_interval"] = duration_text(*back_off->maxInterval);
    }
  }
  if (retries.rate_limited_back_off) {
    json["rate_limited_retry_back_off"] = rate_limited_json(*retries.rate_limited_back_off);
  }
  for (const HeaderMatcher& header : retries.retriable_headers) {
    json["retriable_headers"].push_back(header_json(header));
  }
  for (const HeaderMatcher& header : retries.retriable_request_headers) {
    json["retriable_request_headers"].push_back(header_json(header));
  }
  return json;
}

void add_clusters(const std::vector<OutboundCluster>& clusters, Json& json) {
  if (clusters.size() == 1) {
    json["cluster"] = clusters.front().name;
    return;
  }
  for (const OutboundCluster& cluster : clusters) {
    json["weighted_clusters"]["clusters"].push_back({{"name", cluster.name}, {"weight", cluster.weight}});
  }
}

Json action_json(const OutboundRoute& route, const std::string& protocol) {
  Json action = Json::object();
  add_clusters(route.clusters, action);
  action["timeout"] = duration_text(route.timeout);
  if (route.idle_timeout) {
    action["idle_timeout"] = duration_text(*route.idle_timeout);
  }
  if (const auto retries = route.retry ? envoys_retries(*route.retry, protocol) : std::nullopt) {
    action["retry_policy"] = retry_json(*retries);
  }
  for (const envoy::routes::HashPolicy& policy : route.hash_policy) {
    action["hash_policy"].push_back(hash_json(policy));
  }
  for (const OutboundCluster& cluster : route.clusters) {
    if (cluster.external) {
      action["auto_host_rewrite"] = true;
    }
  }
  return action;
}

Json route_json(const OutboundRoute& route, const std::string& protocol) {
  Json json = {{"name", route.name}, {"match", match_json(route)}};
  if (route.answers_500) {
    constexpr std::uint32_t internal_error = 500;
    json["direct_response"] = {{"status", internal_error}, {"body", {{"inline_string", ""}}}};
  } else {
    json["route"] = action_json(route, protocol);
  }
  return json;
}

Json tcp_proxy_json(const OutboundListener& listener) {
  Json json = {{"stat_prefix", listener.virtual_host}};
  add_clusters(listener.clusters, json);
  if (listener.idle_timeout) {
    json["idle_timeout"] = duration_text(*listener.idle_timeout);
  }
  if (listener.max_connect_attempts) {
    json["max_connect_attempts"] = *listener.max_connect_attempts;
  }
  return json;
}

}  // namespace

Json connection_manager_json(const OutboundListener& listener) {
  constexpr std::uint32_t whole_address = 32;
  Json routes = Json::array();
  for (const OutboundRoute& route : listener.routes) {
    routes.push_back(route_json(route, listener.protocol));
  }
  Json host = {{"name", listener.virtual_host}, {"domains", Json::array({"*"})}, {"routes", std::move(routes)}};
  Json filters = Json::array();
  if (listener.protocol == "grpc") {
    filters.push_back(extension("envoy.filters.http.grpc_stats",
                                "envoy.extensions.filters.http.grpc_stats.v3.FilterConfig",
                                {{"emit_filter_state", true}}));
  }
  filters.push_back(extension("envoy.filters.http.router", "envoy.extensions.filters.http.router.v3.Router"));
  Json manager = {{"stat_prefix", listener.virtual_host},
                  {"route_config",
                   {{"name", listener.route_config},
                    {"virtual_hosts", Json::array({std::move(host)})},
                    {"validate_clusters", false}}},
                  {"http_filters", std::move(filters)},
                  {"common_http_protocol_options", {{"idle_timeout", "0s"}}}};
  if (listener.request_headers_timeout) {
    manager["request_headers_timeout"] = duration_text(*listener.request_headers_timeout);
  }
  manager["internal_address_config"] = {
      {"cidr_ranges", Json::array({{{"address_prefix", "127.0.0.1"}, {"prefix_len", whole_address}}})}};
  manager["normalize_path"] = true;
  return manager;
}

Json listener_json(const OutboundListener& listener) {
  Json filter = listener.is_http
                    ? extension("envoy.filters.network.http_connection_manager",
                                "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
                                connection_manager_json(listener))
                    : extension("envoy.filters.network.tcp_proxy",
                                "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy", tcp_proxy_json(listener));
  Json tags = Json::object();
  for (const auto& [key, value] : listener.tags) {
    tags[key] = value;
  }
  Json json = {{"name", listener.name},
               {"address", {{"socket_address", {{"address", listener.address}, {"port_value", listener.port}}}}}};
  if (!listener.stat_prefix.empty()) {
    json["stat_prefix"] = listener.stat_prefix;
  }
  json["filter_chains"] = Json::array({{{"filters", Json::array({std::move(filter)})}}});
  json["metadata"] = {{"filter_metadata", {{"io.kuma.tags", std::move(tags)}}}};
  json["traffic_direction"] = "OUTBOUND";
  return json;
}

}  // namespace spillway::kuma
