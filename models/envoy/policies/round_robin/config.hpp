// The configuration of round robin.
#pragma once

#include "models/config/slow_start.hpp"

namespace spillway::envoy::policies::round_robin {

struct Config {
  config::SlowStartConfig slow_start_config;

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::round_robin
