// envoy.config.route.v3.RetryPolicy in protobuf's JSON.
#pragma once

#include "models/config/retry_policy.hpp"
#include "reports/envoy/envoy_json.hpp"

namespace spillway::reports::envoy_export {

[[nodiscard]] Json retry_policy_json(const config::RetryPolicy& policy);

}  // namespace spillway::reports::envoy_export
