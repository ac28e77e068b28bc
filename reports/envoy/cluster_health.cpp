#include "reports/envoy/cluster_health.hpp"

#include <cstddef>
#include <utility>

#include "sim/scenario/written/outlier_detection.hpp"

namespace spillway::reports::envoy_export {
namespace {

Json status_rule_json(std::size_t start, std::size_t end) {
  return {{"http_response_headers_match",
           {{"headers", Json::array({{{"name", ":status"}, {"range_match", {{"start", start}, {"end", end}}}}})}}}};
}

// By ranges of statuses; or_match wants at least two rules, so that ranges without a status stand beside a lonely one.
Json error_matcher_json(const config::ErrorStatuses& statuses) {
  Json rules = Json::array();
  for (std::size_t start = 0; start < statuses.size();) {
    std::size_t end = start;
    while (end < statuses.size() && statuses.test(end)) {
      ++end;
    }
    if (end > start) {
      rules.push_back(status_rule_json(start, end));
    }
    start = end + 1;
  }
  while (rules.size() < 2) {
    rules.push_back(status_rule_json(0, 0));
  }
  return {{"or_match", {{"rules", std::move(rules)}}}};
}

}  // namespace

Json outlier_detection_json(const config::OutlierDetection& detection) {
  config::OutlierDetection whole = detection;
  whole.max_ejection_time = config::effective_max_ejection_time(detection);
  return message_json(whole);
}

Json http_protocol_options_json(const envoy::Cluster& cluster) {
  constexpr const char* type = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";
  Json options = Json::object();
  if (cluster.max_stream_duration > std::chrono::nanoseconds{0}) {
    options["common_http_protocol_options"] = {{"max_stream_duration", duration_json(cluster.max_stream_duration)}};
  }
  if (cluster.error_statuses) {
    options["outlier_detection"] = {{"error_matcher", error_matcher_json(*cluster.error_statuses)}};
  }
  if (options.empty()) {
    return options;
  }
  options["explicit_http_config"] = {{"http_protocol_options", Json::object()}};
  return {{type, any_json(type, std::move(options))}};
}

}  // namespace spillway::reports::envoy_export
