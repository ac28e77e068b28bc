// Formats a difference as JSON: docs/output.md names its keys.
#pragma once

#include <string>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

[[nodiscard]] std::string diff_json(const diff::Difference& difference);

}  // namespace spillway::reports
