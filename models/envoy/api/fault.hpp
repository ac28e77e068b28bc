// envoy.extensions.filters.http.fault.v3.HTTPFault with a fixed delay, from a route's typed_per_filter_config.
#pragma once

#include <cstdint>

#include "models/envoy/api/message_shapes.hpp"

namespace spillway::messages {

// A part of the requests waits before its router gets them. Source: docs/behaviour/envoy-host-pick.md 20.
struct FaultDelay {
  static constexpr std::uint32_t million = 1'000'000;
  std::uint32_t per_million = 0;  // of the requests
  grammar::Nanoseconds time{0};
};

template <>
struct Grammar<FaultDelay> {
  static constexpr const char* definition = "envoy.extensions.filters.http.fault.v3.HTTPFault";
  static void describe(Fields& fields, FaultDelay& fault);
};

inline constexpr const char* fault_type = Grammar<FaultDelay>::definition;

}  // namespace spillway::messages
