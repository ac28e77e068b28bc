// A comparison of predicted and observed shares as people and programs read it (docs/compare.md).
//
//   std::string text = format_comparison(comparison, Format::markdown, Look{});
//
// First the sentence that says what does not fit, then a line for each cluster, then hosts, zones and priorities of
// those that do not fit; `wide` has them of all clusters, CSV a line for each host, JSON everything.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::compare {
enum class Level : std::uint8_t;    // comparison.hpp
enum class Verdict : std::uint8_t;  // comparison.hpp
struct Comparison;                  // comparison.hpp
}  // namespace spillway::compare

namespace spillway::reports {

[[nodiscard]] std::string format_comparison(const compare::Comparison& comparison, Format format, const Look& look);

// For `format_comparison`.
[[nodiscard]] std::string comparison_json(const compare::Comparison& comparison);

// The sentence that says what does not fit.
[[nodiscard]] std::string comparison_headline(const compare::Comparison& comparison);

// "fits", "deviates", "too_few", "not_compared"; "host", "zone", "priority".
[[nodiscard]] std::string_view name_of(compare::Verdict verdict);
[[nodiscard]] std::string_view name_of(compare::Level level);

}  // namespace spillway::reports
