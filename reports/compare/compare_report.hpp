// Formats a comparison of predicted and observed shares, for people and programs (docs/compare.md).
//
//   std::string text = format_comparison(comparison, Format::markdown, Look{});
//
// The output begins with a sentence that names what does not fit, then has one line per cluster. The table lists hosts,
// zones and priorities of the clusters that do not fit; `wide` lists those of all clusters. CSV has one line per host;
// JSON has everything.
#pragma once

#include <string>

#include "reports/formats.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::compare {
enum class Level : std::uint8_t;  // comparison.hpp
struct Comparison;                // comparison.hpp
}  // namespace spillway::compare

namespace spillway::reports {

[[nodiscard]] std::string format_comparison(const compare::Comparison& comparison, Format format, const Look& look);

// Returns the JSON that `format_comparison` prints.
[[nodiscard]] std::string comparison_json(const compare::Comparison& comparison);

// Returns the sentence that names what does not fit.
[[nodiscard]] std::string comparison_headline(const compare::Comparison& comparison);

// Return "fits", "deviates", "too_few" or "not_compared"; and "host", "zone" or "priority".
[[nodiscard]] std::string_view fit_word(study::Verdict verdict);
[[nodiscard]] std::string_view name_of(compare::Level level);

}  // namespace spillway::reports
