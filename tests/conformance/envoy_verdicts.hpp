// Cases of bootstraps that a real Envoy was asked to validate: {"name", "bootstrap", "envoy": "accepts" or "refuses",
// "words"}. Other keys are documentation.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

[[nodiscard]] bool is_verdict_case(const json& test_case);

// Compares Envoy's verdict with that of `spillway validate`. Returns the differences.
[[nodiscard]] std::vector<std::string> replay_verdict(const json& test_case);

}  // namespace spillway::conformance
