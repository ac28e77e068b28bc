// A proxy's active health checks of its hosts (envoy.config.core.v3.HealthCheck).
//
// Field names are Envoy's. Non-optional fields hold Envoy's defaults. CheckIntervals resolves the fields that default
// to one another.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
  std::vector<std::string> receive = {};  // decoded bytes; must appear in the body in this order
  std::uint64_t response_buffer_size = 1024;
  std::vector<StatusRange> expected_statuses = {};  // only 200 if empty
  std::vector<StatusRange> retriable_statuses = {};
  std::optional<ServiceNameMatcher> service_name_matcher = {};
};

struct TcpHealthCheck {
  std::string send = {};
  std::vector<std::string> receive = {};  // if empty, connecting is enough
};

struct GrpcHealthCheck {
  std::string service_name = {};
  std::string authority = {};
};

struct HealthCheck {
  std::string name = {};  // distinguishes several checks of a cluster

  // Envoy requires these three.
  std::optional<std::chrono::nanoseconds> timeout = {};
  std::optional<std::chrono::nanoseconds> interval = {};
  std::optional<std::uint32_t> unhealthy_threshold = {};
  std::optional<std::uint32_t> healthy_threshold = {};

  std::chrono::nanoseconds initial_jitter{0};
  std::chrono::nanoseconds interval_jitter{0};
  std::uint32_t interval_jitter_percent = 0;
  std::chrono::nanoseconds no_traffic_interval = std::chrono::seconds{60};
  std::optional<std::chrono::nanoseconds> no_traffic_healthy_interval = {};  // default: no_traffic_interval
  std::optional<std::chrono::nanoseconds> unhealthy_interval = {};           // default: interval
  std::optional<std::chrono::nanoseconds> unhealthy_edge_interval = {};      // default: unhealthy_interval
  std::optional<std::chrono::nanoseconds> healthy_edge_interval = {};        // default: interval

  std::variant<HttpHealthCheck, TcpHealthCheck, GrpcHealthCheck> health_checker = {};
};

// All intervals of a check with defaults resolved.
struct CheckIntervals {
  explicit CheckIntervals(const HealthCheck& config);

  std::chrono::nanoseconds interval;
  std::chrono::nanoseconds no_traffic_interval;
  std::chrono::nanoseconds no_traffic_healthy_interval;
  std::chrono::nanoseconds unhealthy_interval;
  std::chrono::nanoseconds unhealthy_edge_interval;
  std::chrono::nanoseconds healthy_edge_interval;
};

// Returns why Envoy refuses this check, or all checks of a cluster together, in its words; nullopt if it accepts them.
[[nodiscard]] Refusal refusal(const HealthCheck& config);
[[nodiscard]] Refusal refusal(std::span<const HealthCheck> health_checks);

}  // namespace spillway::config
