// A scenario for each lint of settings, which shows it: for docs/diagnostics.md and `spillway validate --explain CODE`.
#pragma once

#include <string_view>

namespace spillway::scenario::lints {

// YAML; empty for codes that have none. Valid but for that one warning.
[[nodiscard]] std::string_view example_of(std::string_view code) noexcept;

}  // namespace spillway::scenario::lints
