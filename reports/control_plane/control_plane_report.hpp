// Formats the results of a control plane's run, for people and programs (docs/control-plane.md).
//
//   std::string text = format_control_plane(scenario, results, Format::table, Look{});
//
// The table shows the document's readings next to the simulated ones, one setting per row, with ratios. CSV and `wide`
// hold every sample and reading; JSON holds everything.
#pragma once

#include <chrono>
#include <string>

#include "reports/formats.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::control_plane {
struct Results;         // results.hpp
struct SettingResults;  // results.hpp
}  // namespace spillway::control_plane

namespace spillway::reports {

[[nodiscard]] std::string format_control_plane(const scenario::Scenario& scenario,
                                               const control_plane::Results& results, Format format, const Look& look);

[[nodiscard]] std::string control_plane_json(const scenario::Scenario& scenario, const control_plane::Results& results);

// The errors of the simulated latencies relative to the document's readings [s]; all zero if there are no readings.
struct ReadingErrors {
  std::size_t readings = 0;
  double mean = 0.0;     // mean of the absolute errors
  double largest = 0.0;  // absolute
  std::chrono::nanoseconds largest_at{0};
  std::size_t within_precision = 0;
};
[[nodiscard]] ReadingErrors errors_of(const scenario::ControlPlaneSetting& setting,
                                      const control_plane::SettingResults& results);

// Returns "reusable", "shared_object" or "none".
[[nodiscard]] std::string_view name_of(scenario::AssignmentSharing sharing);

}  // namespace spillway::reports
