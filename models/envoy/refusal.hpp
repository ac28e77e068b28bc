// Why Envoy refuses a message of its balancing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/refusal.hpp"

namespace spillway::envoy {

using config::at_least;
using config::at_most;
using config::Reason;
using config::Refusal;

// The bounds of the proto files hold for a cluster's own fields (legacy) but not inside load_balancing_policy (typed),
// of which override host alone checks itself.
enum class Form : std::uint8_t { legacy, typed };

// "a, b".
[[nodiscard]] std::string joined_names(const std::vector<std::string>& names);

}  // namespace spillway::envoy
