#include "models/kuma/envoy_cluster.hpp"

#include <chrono>
#include <cstdint>
#include <string>

#include "models/envoy/cluster.hpp"
#include "models/envoy/policies/policy_config.hpp"
#include "models/kuma/cluster_settings.hpp"
#include "models/kuma/messages/shapes.hpp"

namespace spillway::kuma {

namespace {

namespace policies = envoy::policies;

policies::Config policy_of(const ClusterSettings& settings) {
  switch (settings.lb_policy) {
    case LbPolicy::random:
      return policies::random::Config{};
    case LbPolicy::least_request: {
      policies::least_request::Config policy;
      const auto given = settings.least_request_lb_config.value_or(LeastRequestLbConfig{});
      policy.choice_count = given.choice_count.value_or(policy.choice_count);
      policy.active_request_bias = given.active_request_bias.value_or(policy.active_request_bias);
      return policy;
    }
    case LbPolicy::ring_hash: {
      policies::ring_hash::Config policy;
      const auto given = settings.ring_hash_lb_config.value_or(RingHashLbConfig{});
      policy.minimum_ring_size = given.minimum_ring_size.value_or(static_cast<std::uint32_t>(policy.minimum_ring_size));
      policy.maximum_ring_size = given.maximum_ring_size.value_or(static_cast<std::uint32_t>(policy.maximum_ring_size));
      if (given.hash_function == HashFunction::murmur_hash_2) {
        policy.hash_function = policies::ring_hash::HashFunction::murmur_hash_2;
      }
      return policy;
    }
    case LbPolicy::maglev: {
      policies::maglev::Config policy;
      const auto given = settings.maglev_lb_config.value_or(MaglevLbConfig{});
      policy.table_size = given.table_size.value_or(static_cast<std::uint32_t>(policy.table_size));
      return policy;
    }
    case LbPolicy::round_robin:
      break;
  }
  return policies::round_robin::Config{};
}

template <class Body>
std::string text_of(const std::optional<Body>& body, std::optional<std::string> Body::* field) {
  return body ? std::string(value_of((*body).*field)) : std::string();
}

// Returns the whole seconds of a duration in Go's notation; 0 if it cannot be read.
std::int64_t seconds_of(const std::string& duration) {
  documents::Node node;
  node.kind = documents::Kind::string;
  node.text = duration;
  std::chrono::nanoseconds value{0};
  Diagnostics ignored;
  static_cast<void>(messages::GoDuration{}.read(node, value, "ttl", ignored));
  return std::chrono::duration_cast<std::chrono::seconds>(value).count();
}

}  // namespace

void apply(const ClusterSettings& settings, envoy::Cluster& cluster) {
  cluster.lb_policy = policy_of(settings);
  cluster.common_lb_config.locality_config_specifier = config::ZoneAwareLbConfig{};
  if (settings.locality_weighted) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  }
}

envoy::routes::HashPolicy to_envoy(const HashPolicy& policy) {
  const std::string_view type = value_of(policy.type);
  const bool terminal = policy.terminal.value_or(false);
  if (type == "Header") {
    return {envoy::routes::HeaderHash{text_of(policy.header, &Header::name)}, terminal};
  }
  if (type == "Cookie") {
    envoy::routes::CookieHash cookie{text_of(policy.cookie, &Cookie::name)};
    cookie.path = text_of(policy.cookie, &Cookie::path);
    if (policy.cookie && policy.cookie->ttl) {
      cookie.ttl_seconds = seconds_of(*policy.cookie->ttl);  // the lifetime does not change the hash
    }
    return {cookie, terminal};
  }
  if (type == "QueryParameter") {
    return {envoy::routes::QueryParameterHash{text_of(policy.queryParameter, &QueryParameter::name)}, terminal};
  }
  if (type == "FilterState") {
    return {envoy::routes::FilterStateHash{text_of(policy.filterState, &FilterState::key)}, terminal};
  }
  const bool source_ip = policy.connection && policy.connection->sourceIP.value_or(false);
  return {envoy::routes::ConnectionPropertiesHash{source_ip || type == "SourceIP"}, terminal};
}

}  // namespace spillway::kuma
