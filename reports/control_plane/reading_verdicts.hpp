// Compares a document's readings of a control plane with the simulated figures.
//
//   Verdicts verdicts = judge_readings(*scenario.control_plane, results);
//
// There is one verdict per row of readings, then one per ratio that the document states. A figure passes if the
// simulated one is at most half of the reading's error away.
// The scenario can list a figure as a known difference, with the documented and the simulated value. It passes if the
// reading matches the former and the simulation the latter, each within half of the reading's error. The two values
// must also be further apart than that error. So either figure fails once it changes by more than the reading's error.
// A ratio must be right within 0.05; the document's ratio is that of its readings.
//
// If other seeds were simulated (sim/control_plane/draws.hpp), the mean over the seeds is compared. It may be off by an
// additional margin for chance: Student's prediction interval for one draw. In total one in a thousand checks is a
// false alarm.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "reports/expectations/verdict.hpp"
#include "sim/control_plane/results.hpp"

namespace spillway::reports {

struct QuantileName {
  const char* name;
  std::optional<double> scenario::LatencyQuantiles::* value;
};
inline constexpr std::array<QuantileName, 3> quantile_names{{{"p50", &scenario::LatencyQuantiles::p50},
                                                             {"p90", &scenario::LatencyQuantiles::p90},
                                                             {"p99", &scenario::LatencyQuantiles::p99}}};

// The number of figures that the scenario lists as known to differ from the document's.
struct KnownDifferenceCounts {
  std::size_t readings = 0;
  std::size_t ratios = 0;
};
[[nodiscard]] KnownDifferenceCounts count_known_differences(const scenario::ControlPlane& plane);

// Returns "87 readings and 5 ratios are known differences"; empty if there are none.
[[nodiscard]] std::string known_differences_text(const KnownDifferenceCounts& counts);

[[nodiscard]] Verdicts judge_readings(const scenario::ControlPlane& plane, const control_plane::Results& results);

}  // namespace spillway::reports
