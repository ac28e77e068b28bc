// MeshRetry: when a proxy sends a failed request or connection again, with Kuma's YAML keys.
//
//   PolicySet<RetryConf> retries(policies);
//   auto found = retries.of_tag(client, "backend", release_2_14);
//   envoys_retries(found->conf, "http");       // envoy_retries.hpp
//
// The section http applies to routes of outbounds of protocol http, grpc to those of grpc; those of http2 have no
// retries. Source: Kuma's meshretry/api/v1alpha1 (meshretry.go, validator.go).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/profile.hpp"
#include "models/kuma/mesh_http_route.hpp"
#include "models/kuma/targeted_policy.hpp"

namespace spillway::kuma {

struct Violation;  // validation.hpp

struct TcpRetry {
  std::optional<std::uint32_t> maxConnectAttempt = {};

  friend bool operator==(const TcpRetry&, const TcpRetry&) = default;
};

struct RetryBackOff {
  std::optional<std::chrono::nanoseconds> baseInterval = {};
  std::optional<std::chrono::nanoseconds> maxInterval = {};

  friend bool operator==(const RetryBackOff&, const RetryBackOff&) = default;
};

struct ResetHeader {
  std::optional<std::string> name = {};
  std::optional<std::string> format = {};  // Seconds, UnixTimestamp

  friend bool operator==(const ResetHeader&, const ResetHeader&) = default;
};

struct RateLimitedBackOff {
  std::optional<std::vector<ResetHeader>> resetHeaders = {};
  std::optional<std::chrono::nanoseconds> maxInterval = {};

  friend bool operator==(const RateLimitedBackOff&, const RateLimitedBackOff&) = default;
};

// An entry of hostSelection.
struct RetryPredicate {
  std::optional<std::string> predicate = {};  // OmitPreviousHosts, OmitHostsWithTags, OmitPreviousPriorities
  std::optional<Tags> tags = {};
  std::optional<std::int32_t> updateFrequency = {};  // default: 2

  friend bool operator==(const RetryPredicate&, const RetryPredicate&) = default;
};

struct HttpRetry {
  std::optional<std::uint32_t> numRetries = {};
  std::optional<std::chrono::nanoseconds> perTryTimeout = {};
  std::optional<RetryBackOff> backOff = {};
  std::optional<RateLimitedBackOff> rateLimitedBackOff = {};
  std::optional<std::vector<std::string>> retryOn = {};  // 5xx, GatewayError, 503, HttpMethodGet ...
  std::optional<std::vector<HeaderMatch>> retriableResponseHeaders = {};
  std::optional<std::vector<HeaderMatch>> retriableRequestHeaders = {};
  std::optional<std::vector<RetryPredicate>> hostSelection = {};
  std::optional<std::uint32_t> hostSelectionMaxAttempts = {};

  friend bool operator==(const HttpRetry&, const HttpRetry&) = default;
};

struct GrpcRetry {
  std::optional<std::uint32_t> numRetries = {};
  std::optional<std::chrono::nanoseconds> perTryTimeout = {};
  std::optional<RetryBackOff> backOff = {};
  std::optional<RateLimitedBackOff> rateLimitedBackOff = {};
  std::optional<std::vector<std::string>> retryOn = {};  // Canceled, Unavailable ...

  friend bool operator==(const GrpcRetry&, const GrpcRetry&) = default;
};

struct RetryConf {
  std::optional<TcpRetry> tcp = {};
  std::optional<HttpRetry> http = {};
  std::optional<GrpcRetry> grpc = {};

  friend bool operator==(const RetryConf&, const RetryConf&) = default;
};

using MeshRetry = TargetedPolicy<RetryConf>;

void merge_patch(RetryConf& conf, const RetryConf& patch);

// Returns the violations that Kuma's validator reports, in Kuma's words.
[[nodiscard]] std::vector<Violation> validate(const MeshRetry& policy, config::KumaProfile profile);

}  // namespace spillway::kuma
