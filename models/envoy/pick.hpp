// The result of one pick.
#pragma once

#include <cstdint>

#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"

namespace spillway::envoy {

struct Pick {
  config::HostIndex host;
  config::Priority priority;
  Availability availability = Availability::healthy;
  std::uint32_t child = 0;  // position in an aggregate's list, 0 for a plain cluster

  friend bool operator==(const Pick&, const Pick&) = default;
};

}  // namespace spillway::envoy
