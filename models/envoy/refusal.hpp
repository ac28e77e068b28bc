// Why Envoy refuses a message, in its words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spillway::envoy {

// None: Envoy takes it.
using Refusal = std::optional<std::string>;

// The bounds of the proto files hold for a cluster's own fields (legacy) but not inside load_balancing_policy (typed),
// of which override host alone checks itself.
enum class Form : std::uint8_t { legacy, typed };

// "TableSize: value must be less than or equal to 5000011".
[[nodiscard]] std::string at_most(const std::string& field, std::uint64_t most);
[[nodiscard]] std::string at_least(const std::string& field, std::uint64_t least);

// "a, b".
[[nodiscard]] std::string joined_names(const std::vector<std::string>& names);

}  // namespace spillway::envoy
