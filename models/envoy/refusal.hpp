// Helpers for the reasons why Envoy refuses a message of its balancing.
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

// The place of a message. Bounds of the proto files apply to a cluster's own fields (legacy). Within
// load_balancing_policy (typed) they do not apply; only override host validates itself.
enum class Form : std::uint8_t { legacy, typed };

// Returns "a, b".
[[nodiscard]] std::string joined_names(const std::vector<std::string>& names);

}  // namespace spillway::envoy
