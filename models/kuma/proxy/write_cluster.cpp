#include "models/kuma/proxy/write_cluster.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/config/cluster_load_assignment.hpp"
#include "models/kuma/decimal.hpp"
#include "models/kuma/policy_checks.hpp"
#include "models/kuma/proxy/cluster_source.hpp"
#include "models/kuma/proxy/durations.hpp"

namespace spillway::kuma {

namespace {

using Json = nlohmann::ordered_json;

void add_if(Json& json, const char* name, const std::optional<std::chrono::nanoseconds>& duration) {
  if (duration) {
    json[name] = duration_text(*duration);
  }
}

template <class Value>
void add_if(Json& json, const char* name, const std::optional<Value>& value) {
  if (value) {
    json[name] = *value;
  }
}

// Adds a 64-bit number if it is set; protobuf's JSON writes it as a text.
void add_long_if(Json& json, const char* name, const std::optional<std::uint32_t>& value) {
  if (value) {
    json[name] = std::to_string(*value);
  }
}

Json circuit_breakers(const CircuitBreakerConf& conf) {
  const ConnectionLimits limits = conf.connectionLimits.value_or(ConnectionLimits{});
  Json thresholds = Json::object();
  add_if(thresholds, "max_connections", limits.maxConnections);
  add_if(thresholds, "max_pending_requests", limits.maxPendingRequests);
  add_if(thresholds, "max_requests", limits.maxRequests);
  add_if(thresholds, "max_retries", limits.maxRetries);
  thresholds["track_remaining"] = true;
  add_if(thresholds, "max_connection_pools", limits.maxConnectionPools);
  return {{"thresholds", Json::array({std::move(thresholds)})}};
}

void add_consecutive(Json& json, const std::optional<ConsecutiveDetector>& detector, const char* count,
                     const char* enforcing) {
  const bool counts = detector && detector->consecutive;
  if (counts) {
    json[count] = *detector->consecutive;
  }
  json[enforcing] = counts ? 100 : 0;
}

// Returns a decimal in thousandths, truncated; the addend keeps exact thousandths from the double's rounding.
std::uint32_t thousandths(const IntOrString& number) {
  const auto decimal = parse_decimal(number);
  constexpr double rounding = 1e-6;
  return decimal ? static_cast<std::uint32_t>(std::floor(decimal->value * 1000.0 + rounding)) : 0;
}

Json outlier_detection(const OutlierDetection& conf) {
  Json json = Json::object();
  const Detectors detectors = conf.detectors.value_or(Detectors{});
  add_if(json, "interval", conf.interval);
  add_if(json, "base_ejection_time", conf.baseEjectionTime);
  add_if(json, "max_ejection_percent", conf.maxEjectionPercent);
  add_consecutive(json, detectors.totalFailures, "consecutive_5xx", "enforcing_consecutive_5xx");
  add_consecutive(json, detectors.gatewayFailures, "consecutive_gateway_failure",
                  "enforcing_consecutive_gateway_failure");
  add_consecutive(json, detectors.localOriginFailures, "consecutive_local_origin_failure",
                  "enforcing_consecutive_local_origin_failure");
  if (conf.splitExternalAndLocalErrors.value_or(false)) {
    json["split_external_local_origin_errors"] = true;
  }
  json["enforcing_success_rate"] = json["enforcing_local_origin_success_rate"] = detectors.successRate ? 100 : 0;
  if (const auto& rate = detectors.successRate) {
    add_if(json, "success_rate_minimum_hosts", rate->minimumHosts);
    add_if(json, "success_rate_request_volume", rate->requestVolume);
    if (rate->standardDeviationFactor) {
      json["success_rate_stdev_factor"] = thousandths(*rate->standardDeviationFactor);
    }
  }
  json["enforcing_failure_percentage"] = json["enforcing_failure_percentage_local_origin"] =
      detectors.failurePercentage ? 100 : 0;
  if (const auto& percentage = detectors.failurePercentage) {
    add_if(json, "failure_percentage_minimum_hosts", percentage->minimumHosts);
    add_if(json, "failure_percentage_request_volume", percentage->requestVolume);
    add_if(json, "failure_percentage_threshold", percentage->threshold);
  }
  return json;
}

// Returns Kuma's serialised tags: &key=value& for each, side by side.
std::string tags_header(const Tags& tags) {
  std::string text;
  for (const auto& [key, value] : tags) {
    text += fmt::format("&{}={}&", key, value);
  }
  return text;
}

void add_headers(Json& list, const std::vector<HeaderKeyValue>& headers, const char* action) {
  for (const HeaderKeyValue& header : headers) {
    for (std::size_t begin = 0; begin <= header.value.size();) {
      const std::size_t end = std::min(header.value.find(',', begin), header.value.size());
      Json one = {{"header", {{"key", header.name}, {"value", header.value.substr(begin, end - begin)}}}};
      if (action != nullptr) {
        one["append_action"] = action;
      }
      list.push_back(std::move(one));
      begin = end + 1;
    }
  }
}

Json http_check(const HttpHealthCheck& conf, const ClusterSource& source, const Tags& tags) {
  Json json = {{"path", conf.path.value_or("/")}};
  Json headers = Json::array();
  if (!tags.empty()) {
    headers.push_back({{"header", {{"key", "x-kuma-tags"}, {"value", tags_header(tags)}}}});
  }
  const HeaderModifier added = conf.requestHeadersToAdd.value_or(HeaderModifier{});
  add_headers(headers, added.add.value_or(std::vector<HeaderKeyValue>{}), nullptr);
  add_headers(headers, added.set.value_or(std::vector<HeaderKeyValue>{}), "OVERWRITE_IF_EXISTS_OR_ADD");
  if (!headers.empty()) {
    json["request_headers_to_add"] = std::move(headers);
  }
  for (const std::uint32_t status : conf.expectedStatuses.value_or(std::vector<std::uint32_t>{})) {
    json["expected_statuses"].push_back({{"start", std::to_string(status)}, {"end", std::to_string(status + 1)}});
  }
  if (source.protocol == "http2") {
    json["codec_client_type"] = "HTTP2";
  }
  return json;
}

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

Json tcp_check(const TcpHealthCheck& conf) {
  Json json = Json::object();
  if (conf.send) {
    json["send"] = {{"text", hex(*conf.send)}};
  }
  for (const std::string& text : conf.receive.value_or(std::vector<std::string>{})) {
    json["receive"].push_back({{"text", hex(text)}});
  }
  return json;
}

Json grpc_check(const GrpcHealthCheck& conf) {
  Json json = Json::object();
  if (!value_of(conf.serviceName).empty()) {
    json["service_name"] = *conf.serviceName;
  }
  if (!value_of(conf.authority).empty()) {
    json["authority"] = *conf.authority;
  }
  return json;
}

// Adds the checker for the protocol. False if there is none.
bool add_checker(const ClusterSource& source, const Tags& tags, Json& json) {
  const HealthCheckConf& conf = *source.health_check;
  switch (kind_of_check(conf, source.protocol)) {
    case CheckKind::http:
      json["http_health_check"] = http_check(*conf.http, source, tags);
      return true;
    case CheckKind::grpc:
      json["grpc_health_check"] = grpc_check(*conf.grpc);
      return true;
    case CheckKind::tcp:
      json["tcp_health_check"] = tcp_check(*conf.tcp);
      return true;
    case CheckKind::none:
      break;
  }
  return false;
}

void add_health_check(const ClusterSource& source, const Tags& tags, Json& cluster) {
  const HealthCheckConf& conf = *source.health_check;
  constexpr std::uint32_t failures = 5;
  Json json = Json::object();
  json["timeout"] = duration_text(conf.timeout.value_or(std::chrono::seconds{15}));
  json["interval"] = duration_text(conf.interval.value_or(std::chrono::minutes{1}));
  add_if(json, "initial_jitter", conf.initialJitter);
  add_if(json, "interval_jitter", conf.intervalJitter);
  if (conf.intervalJitterPercent.value_or(0) != 0) {
    json["interval_jitter_percent"] = *conf.intervalJitterPercent;
  }
  json["unhealthy_threshold"] = conf.unhealthyThreshold.value_or(failures);
  json["healthy_threshold"] = conf.healthyThreshold.value_or(1);
  add_if(json, "reuse_connection", conf.reuseConnection);
  add_if(json, "no_traffic_interval", conf.noTrafficInterval);
  if (!value_of(conf.eventLogPath).empty()) {
    json["event_log_path"] = *conf.eventLogPath;
  }
  if (conf.alwaysLogHealthCheckFailures.value_or(false)) {
    json["always_log_health_check_failures"] = true;
  }
  if (add_checker(source, tags, json)) {
    cluster["health_checks"] = Json::array({std::move(json)});
  }
}

Json percent_json(const IntOrString& percentage) {
  const double value = percent_of(percentage).value;
  return value == 0.0                 ? Json::object()
         : std::floor(value) == value ? Json{{"value", static_cast<std::uint64_t>(value)}}
                                      : Json{{"value", value}};
}

void add_common_lb_config(const ClusterSource& source, Json& cluster) {
  Json json = Json::object();
  const auto& check = source.health_check;
  const auto& detection = source.circuit_breaker.outlierDetection;
  if (source.settings.locality_weighted) {
    json["locality_weighted_lb_config"] = Json::object();
  } else if (check && check->failTrafficOnPanic) {
    json["zone_aware_lb_config"] =
        *check->failTrafficOnPanic ? Json{{"fail_traffic_on_panic", true}} : Json(Json::object());
  }
  if (check && check->healthyPanicThreshold && !source.head) {
    json["healthy_panic_threshold"] = percent_json(*check->healthyPanicThreshold);
  }
  if (detection && !detection->disabled.value_or(false) && detection->healthyPanicThreshold) {
    json["healthy_panic_threshold"] = percent_json(*detection->healthyPanicThreshold);
  }
  if (!json.empty()) {
    cluster["common_lb_config"] = std::move(json);
  }
}

void add_balancer(const ClusterSettings& settings, Json& cluster) {
  if (settings.lb_policy != LbPolicy::round_robin) {
    cluster["lb_policy"] = envoy_name(settings.lb_policy);
  }
  if (const auto& least = settings.least_request_lb_config) {
    Json json = Json::object();
    add_if(json, "choice_count", least->choice_count);
    if (least->active_request_bias) {
      json["active_request_bias"] = {{"default_value", *least->active_request_bias}};
    }
    cluster["least_request_lb_config"] = std::move(json);
  }
  if (const auto& ring = settings.ring_hash_lb_config) {
    Json json = Json::object();
    add_long_if(json, "minimum_ring_size", ring->minimum_ring_size);
    if (ring->hash_function == HashFunction::murmur_hash_2) {
      json["hash_function"] = "MURMUR_HASH_2";
    }
    add_long_if(json, "maximum_ring_size", ring->maximum_ring_size);
    cluster["ring_hash_lb_config"] = std::move(json);
  }
  if (const auto& maglev = settings.maglev_lb_config) {
    Json json = Json::object();
    add_long_if(json, "table_size", maglev->table_size);
    cluster["maglev_lb_config"] = std::move(json);
  }
}

Json http_protocol_options(const ClusterSource& source) {
  constexpr const char* type = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  constexpr std::chrono::nanoseconds none{0};
  Json options = {{"@type", std::string("type.googleapis.com/") + type}};
  if (source.protocol == "http" || source.protocol == "http2") {
    const HttpTimeouts http = source.timeout.http.value_or(HttpTimeouts{});
    options["common_http_protocol_options"] = {
        {"idle_timeout", duration_text(source.timeout.idleTimeout.value_or(default_idle_timeout))},
        {"max_connection_duration", duration_text(http.maxConnectionDuration.value_or(none))},
        {"max_stream_duration", duration_text(http.maxStreamDuration.value_or(none))}};
  }
  if (!source.opaque) {
    options["explicit_http_config"] = {
        {source.http2 ? "http2_protocol_options" : "http_protocol_options", Json::object()}};
  }
  return {{type, std::move(options)}};
}

Json socket_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool numeric = !port.empty() && port.find_first_not_of("0123456789") == std::string::npos;
  return {{"socket_address",
           {{"address", numeric ? text.substr(0, colon) : text}, {"port_value", numeric ? std::stoul(port) : 0UL}}}};
}

}  // namespace

Json cluster_json(const std::string& name, const ClusterSource& source, const Tags& tags) {
  Json cluster = {{"name", name}, {"type", "EDS"}};
  cluster["eds_cluster_config"] = {{"eds_config", {{"ads", Json::object()}, {"resource_api_version", "V3"}}}};
  cluster["connect_timeout"] = duration_text(source.timeout.connectionTimeout.value_or(default_connection_timeout));
  add_balancer(source.settings, cluster);
  if (source.health_check) {
    add_health_check(source, tags, cluster);
  }
  cluster["circuit_breakers"] = circuit_breakers(source.circuit_breaker);
  if (!source.opaque || source.protocol == "http" || source.protocol == "http2") {
    cluster["typed_extension_protocol_options"] = http_protocol_options(source);
  }
  if (const auto& detection = source.circuit_breaker.outlierDetection;
      detection && !detection->disabled.value_or(false)) {
    cluster["outlier_detection"] = outlier_detection(*detection);
  }
  add_common_lb_config(source, cluster);
  return cluster;
}

Json load_assignment_json(const std::string& cluster, const config::ClusterLoadAssignment& assignment) {
  Json json = {{"cluster_name", cluster}};
  for (const config::LocalityLbEndpoints& group : assignment.endpoints) {
    Json locality = {{"zone", group.locality.zone}};
    if (!group.locality.sub_zone.empty()) {
      locality["sub_zone"] = group.locality.sub_zone;
    }
    Json one = {{"locality", std::move(locality)}};
    for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
      one["lb_endpoints"].push_back({{"endpoint", {{"address", socket_address(endpoint.address)}}},
                                     {"load_balancing_weight", endpoint.load_balancing_weight}});
    }
    add_if(one, "load_balancing_weight", group.load_balancing_weight);
    if (group.priority.value > 0) {
      one["priority"] = group.priority.value;
    }
    json["endpoints"].push_back(std::move(one));
  }
  constexpr std::uint32_t envoys_factor = 140;
  if (assignment.overprovisioning_factor != envoys_factor) {
    json["policy"] = {{"overprovisioning_factor", assignment.overprovisioning_factor}};
  }
  return json;
}

}  // namespace spillway::kuma
