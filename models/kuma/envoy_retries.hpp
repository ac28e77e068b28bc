// The retry policy that Kuma writes into the routes of a proxy, by a MeshRetry.
//
//   envoys_retries(conf, "http")->num_retries;     // what the routes of an outbound of http get
//
// Defined in mesh_retry.cpp. Source: Kuma's meshretry/plugin/xds/configurer.go.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/retry_policy.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/kuma/mesh_retry.hpp"

namespace spillway::kuma {

// The retry policy that Kuma writes into routes. `config` has the part that is simulated.
struct EnvoysRetries {
  std::string retry_on = {};  // as written; Envoy knows no `canceled`, which Kuma writes, and ignores it
  config::RetryPolicy config = {};
  bool counts_retries = false;                                   // num_retries is written
  std::optional<std::chrono::nanoseconds> per_try_timeout = {};  // as written; 0 means none
  std::optional<RetryBackOff> back_off = {};
  std::optional<RateLimitedBackOff> rate_limited_back_off = {};
  std::vector<envoy::routes::HeaderMatcher> retriable_request_headers = {};  // one of them must match
  std::vector<envoy::routes::HeaderMatcher> retriable_headers = {};          // of answers; one of them must match
  std::vector<RetryPredicate> host_selection = {};
  bool limits_host_selection = false;  // host_selection_retry_max_attempts is written

  // True if retries need headers that answers here do not have.
  [[nodiscard]] bool reads_answers() const { return !retriable_headers.empty(); }
};

// Returns the retry policy of the routes of an outbound of this protocol; nullopt if it has none: other protocols than
// http and grpc, no section for it, or numRetries 0.
[[nodiscard]] std::optional<EnvoysRetries> envoys_retries(const RetryConf& conf, std::string_view protocol);

}  // namespace spillway::kuma
