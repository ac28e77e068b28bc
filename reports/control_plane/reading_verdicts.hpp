// Compares a document's readings of a control plane with what was simulated.
//
//   Verdicts verdicts = judge_readings(*scenario.control_plane, results);
//
// One verdict for each row of readings, then one for each ratio that the document states. A figure passes if ours is at
// most half of the reading's error away. One that the scenario lists as a known difference passes if the reading is the
// documented figure there, ours is the other one, each to half of the reading's error, and the two are further apart
// than that: so that whichever figure is changed by more than the reading's error fails. A ratio is right to half a
// tenth; the document's is that of its readings.
//
// Where other seeds were played (sim/control_plane/draws.hpp), the mean over them stands for ours, and may be further
// off by as much as one draw is by chance: Student's prediction interval, in all one false alarm in a thousand checks.
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

// How many figures the scenario lists as known to differ from the document's.
struct KnownDifferenceCounts {
  std::size_t readings = 0;
  std::size_t ratios = 0;
};
[[nodiscard]] KnownDifferenceCounts count_known_differences(const scenario::ControlPlane& plane);

// "87 readings and 5 ratios are known differences"; empty if there are none.
[[nodiscard]] std::string known_differences_text(const KnownDifferenceCounts& counts);

[[nodiscard]] Verdicts judge_readings(const scenario::ControlPlane& plane, const control_plane::Results& results);

}  // namespace spillway::reports
