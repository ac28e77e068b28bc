// Converts a configured percentage to the integer that Envoy compares with: multiplied by 100 / 100.0 and truncated,
// although the macro is named "rounded". Among whole percentages only these change: 29 -> 28, 57 -> 56, 58 -> 57.
//
//   percent_to_integer(config::Percent{29.0});   // 28
//   percent_to_integer(config::Percent{70.9});   // 70
//
// Applies to healthy_panic_threshold and routing_enabled. Source: docs/behaviour/envoy-before-pick.md 4; Envoy's
// protobuf/utility.cc.
#pragma once

#include <cstdint>

#include "models/config/strong.hpp"

namespace spillway::envoy {

[[nodiscard]] constexpr std::uint64_t percent_to_integer(config::Percent percent) noexcept {
  return static_cast<std::uint64_t>(100.0 * (percent.value / 100.0));
}

}  // namespace spillway::envoy
