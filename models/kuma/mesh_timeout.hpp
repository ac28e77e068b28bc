// MeshTimeout: how long a proxy waits, with Kuma's YAML keys.
//
//   PolicySet<TimeoutConf> timeouts(policies);
//   auto found = timeouts.of_tag(client, "backend", release_2_14);
//   found->conf.http->requestTimeout;  // nullopt if it is not written: Kuma waits 15 s
//
// Defaults that Kuma writes without any document: see the constants below. Source: Kuma's meshtimeout/api/v1alpha1
// (meshtimeout.go, validator.go), meshtimeout/plugin/xds/configurer.go, policies/core/defaults/consts.go.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "models/kuma/targeted_policy.hpp"

namespace spillway::config {
enum class KumaProfile : std::uint8_t;  // profile.hpp
}  // namespace spillway::config

namespace spillway::kuma {

struct Violation;  // validation.hpp

inline constexpr std::chrono::nanoseconds default_connection_timeout = std::chrono::seconds{5};
inline constexpr std::chrono::nanoseconds default_idle_timeout = std::chrono::hours{1};
inline constexpr std::chrono::nanoseconds default_stream_idle_timeout = std::chrono::minutes{30};
inline constexpr std::chrono::nanoseconds default_request_timeout = std::chrono::seconds{15};

struct HttpTimeouts {
  std::optional<std::chrono::nanoseconds> requestTimeout = {};
  std::optional<std::chrono::nanoseconds> streamIdleTimeout = {};
  std::optional<std::chrono::nanoseconds> maxStreamDuration = {};
  std::optional<std::chrono::nanoseconds> maxConnectionDuration = {};
  std::optional<std::chrono::nanoseconds> requestHeadersTimeout = {};

  friend bool operator==(const HttpTimeouts&, const HttpTimeouts&) = default;
};

struct TimeoutConf {
  std::optional<std::chrono::nanoseconds> connectionTimeout = {};
  std::optional<std::chrono::nanoseconds> idleTimeout = {};
  std::optional<HttpTimeouts> http = {};

  friend bool operator==(const TimeoutConf&, const TimeoutConf&) = default;
};

using MeshTimeout = TargetedPolicy<TimeoutConf>;

struct TimeoutRule {
  TimeoutConf default_ = {};

  friend bool operator==(const TimeoutRule&, const TimeoutRule&) = default;
};

// The part of a MeshTimeout for requests that a proxy receives: `from` and `rules`.
struct InboundTimeouts {
  std::vector<TargetedItem<TimeoutConf>> from = {};  // 2.14
  std::vector<TimeoutRule> rules = {};

  friend bool operator==(const InboundTimeouts&, const InboundTimeouts&) = default;
};

void merge_patch(TimeoutConf& conf, const TimeoutConf& patch);

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshTimeout& policy, const InboundTimeouts& inbound,
                                              config::KumaProfile profile);

}  // namespace spillway::kuma
