// What the contexts of a difference are called, and when something happens in words of a sentence.
#pragma once

#include <string>
#include <vector>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// What a context is called: "zone-1 60 % healthy", "zone-1 endpoints lost", "all healthy"; where two moments are told
// alike, with the time from which it is so: "all healthy from 20 s".
struct ContextLabel {
  std::string text;
  std::string time;  // "20 s"; empty where no other moment is told alike
};
// By context.
[[nodiscard]] std::vector<ContextLabel> context_names(const diff::Difference& difference);
[[nodiscard]] std::vector<std::string> context_labels(const diff::Difference& difference);

// " when all 10 endpoints of zone-1 are unhealthy", " when zone-1 is lost with its clients"; "" of the whole run, and
// of the only moment in which all is healthy.
[[nodiscard]] std::string circumstance(const diff::Context& context, bool only_moment);

}  // namespace spillway::reports
