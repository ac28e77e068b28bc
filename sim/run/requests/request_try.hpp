// One try of a request.
#pragma once

#include <cstdint>

#include "sim/run/nanoseconds.hpp"

namespace spillway::run {

struct ComingRequest;  // coming_request.hpp
struct Demand;         // traffic.hpp

inline constexpr std::uint32_t not_open = 0;  // in place of a slot of OpenRequests

struct Try {
  const Demand* demand = nullptr;
  std::uint32_t proxy = 0;
  std::uint32_t worker = 0;
  std::uint32_t epoch = 0;               // of the proxy's flow, when the request was sent
  std::uint32_t open = not_open;         // set if state is kept between tries
  std::uint32_t target = 0;              // of the flow's Targets, once a host is picked
  Nanoseconds sent_at{0};                // the request's first try
  Nanoseconds now{0};                    // this one
  Nanoseconds delay{0};                  // by a fault, from `sent_at` until its router got the request
  const ComingRequest* known = nullptr;  // set if the request was looked at ahead; else null
};

}  // namespace spillway::run
