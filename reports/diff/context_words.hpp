// Names of the contexts of a difference, and phrases that say when something happens.
#pragma once

#include <string>
#include <vector>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// The name of a context: "zone-1 60 % healthy", "zone-1 endpoints lost", "all healthy". If two times have the same
// name, it includes the start time: "all healthy from 20 s".
struct ContextLabel {
  std::string text;
  std::string time;  // "20 s"; empty if no other time has the same name
};
// Return the names of the contexts, by context.
[[nodiscard]] std::vector<ContextLabel> context_names(const diff::Difference& difference);
[[nodiscard]] std::vector<std::string> context_labels(const diff::Difference& difference);

// Returns " when all 10 endpoints of zone-1 are unhealthy" or " when zone-1 is lost with its clients". Returns "" for
// the whole run, and for the only time at which everything is healthy.
[[nodiscard]] std::string circumstance(const diff::Context& context, bool only_moment);

}  // namespace spillway::reports
