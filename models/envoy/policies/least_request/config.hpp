// The configuration of least request.
#pragma once

#include <cstdint>

#include "models/config/slow_start.hpp"

namespace spillway::envoy::policies::least_request {

enum class SelectionMethod : std::uint8_t { n_choices, full_scan };

inline constexpr std::uint32_t min_choice_count = 2;  // of least_request_lb_config; the typed policy has none

struct Config {
  std::uint32_t choice_count = 2;
  double active_request_bias = 1.0;  // below 0 and NaN count as 1
  SelectionMethod selection_method = SelectionMethod::n_choices;
  config::SlowStartConfig slow_start_config = {};

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace spillway::envoy::policies::least_request
