// Statuses of responses that no endpoint gave by its own will.
#pragma once

#include <cstdint>

namespace spillway::run {

inline constexpr std::uint32_t gateway_timeout = 504;
inline constexpr std::uint16_t service_unavailable = 503;  // of an endpoint with a full queue

}  // namespace spillway::run
