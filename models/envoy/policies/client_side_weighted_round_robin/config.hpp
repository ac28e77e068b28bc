// The configuration of client-side weighted round robin.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "models/config/slow_start.hpp"

namespace spillway::envoy::policies::client_side_weighted_round_robin {

using Time = std::chrono::nanoseconds;  // since the start of the run

struct Config {
  Time blackout_period = std::chrono::seconds{10};
  Time weight_expiration_period = std::chrono::seconds{180};
  Time weight_update_period = std::chrono::seconds{1};
  double error_utilization_penalty = 0.0;  // default 0, as in Envoy's code; its documentation says 1
  std::vector<std::string> metric_names_for_computing_utilization = {};
  config::SlowStartConfig slow_start_config = {};  // of new hosts, in addition to their weights, as in round robin

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::client_side_weighted_round_robin
