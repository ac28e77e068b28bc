// How a proxy checks its hosts by itself (envoy.config.core.v3.HealthCheck).
//
// Field names are Envoy's, its defaults stand where a field is not optional. Those that default to each other are
// resolved by CheckIntervals.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/refusal.hpp"

namespace spillway::config {

// envoy.type.v3.Int64Range: start <= x < end.
struct StatusRange {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

// envoy.type.matcher.v3.StringMatcher without regular expressions.
struct ServiceNameMatcher {
  enum class Pattern : std::uint8_t { exact, prefix, suffix, contains };
  Pattern pattern = Pattern::exact;
  std::string text;
  bool ignore_case = false;
};

struct HttpHealthCheck {
  std::string host = {};
  std::string path = {};
  std::string method = "GET";
  std::string send = {};                  // decoded bytes
  std::vector<std::string> receive = {};  // decoded bytes; in the body in this order
  std::uint64_t response_buffer_size = 1024;
  std::vector<StatusRange> expected_statuses = {};  // empty: 200 alone
  std::vector<StatusRange> retriable_statuses = {};
  std::optional<ServiceNameMatcher> service_name_matcher = {};
};

struct TcpHealthCheck {
  std::string send = {};
  std::vector<std::string> receive = {};  // empty: connecting is enough
};

struct GrpcHealthCheck {
  std::string service_name = {};
  std::string authority = {};
};

struct HealthCheck {
  std::string name = {};  // tells several checks of a cluster apart

  // Envoy requires these.
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::optional<std::chrono::nanoseconds> interval = {};
  std::optional<std::uint32_t> unhealthy_threshold = {};
  std::optional<std::uint32_t> healthy_threshold = {};

  std::chrono::nanoseconds initial_jitter{0};
  std::chrono::nanoseconds interval_jitter{0};
  std::uint32_t interval_jitter_percent = 0;
  std::chrono::nanoseconds no_traffic_interval = std::chrono::seconds{60};
  std::optional<std::chrono::nanoseconds> no_traffic_healthy_interval = {};  // not said: no_traffic_interval
  std::optional<std::chrono::nanoseconds> unhealthy_interval = {};           // interval
  std::optional<std::chrono::nanoseconds> unhealthy_edge_interval = {};      // unhealthy_interval
  std::optional<std::chrono::nanoseconds> healthy_edge_interval = {};        // interval

  std::variant<HttpHealthCheck, TcpHealthCheck, GrpcHealthCheck> health_checker = {};
};

// Every interval of a check, resolved.
struct CheckIntervals {
  explicit CheckIntervals(const HealthCheck& config);

  std::chrono::nanoseconds interval;
  std::chrono::nanoseconds no_traffic_interval;
  std::chrono::nanoseconds no_traffic_healthy_interval;
  std::chrono::nanoseconds unhealthy_interval;
  std::chrono::nanoseconds unhealthy_edge_interval;
  std::chrono::nanoseconds healthy_edge_interval;
};

// Why Envoy refuses this check, or all the checks of a cluster together, in its words; nothing if it does not.
[[nodiscard]] Refusal refusal(const HealthCheck& config);
[[nodiscard]] Refusal refusal(std::span<const HealthCheck> health_checks);

}  // namespace spillway::config
