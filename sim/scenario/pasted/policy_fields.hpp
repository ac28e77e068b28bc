// The fields of a BackendTrafficPolicy, and the fields of Envoy that Envoy Gateway writes for them.
#pragma once

#include <span>
#include <string_view>

namespace spillway::scenario::pasted {

enum class PolicyValue {
  number,
  percent,    // envoy.type.v3.Percent
  hundredth,  // a fraction
  fraction,   // envoy.type.v3.FractionalPercent
  duration,
  flag,
  text,
  statuses,  // ranges of numbers
  raw,       // read by this file
  idle,      // no influence on where requests go
  left_out,  // named as not simulated
  refused
};

// A field of the policy, and the place of its value: below `cluster`, `action` (RouteAction), `policy` (the balancer's
// configuration) or `raw`.
struct PolicyField {
  std::string_view key;
  PolicyValue as;
  const char* into;
};

// Returns the table: keys by their path, such as "retry.numRetries".
[[nodiscard]] std::span<const PolicyField> policy_fields() noexcept;

}  // namespace spillway::scenario::pasted
