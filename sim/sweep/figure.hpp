// The figures of a run by name: how a sweep's file, a search and a report read each of them.
//
//   const Figure figure = *figure_of("p99", event_names);
//   figure.sql;          // for a row `p` of points
//   figure.read(run);    // of one run; nullopt if the run has no such figure
//
// A figure is added here alone, and in the tables if it has a column of its own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/figures.hpp"

namespace spillway::sweep {

enum class Unit : std::uint8_t { share, seconds, count };

struct Figure {
  std::string name = {};
  Unit unit = Unit::count;
  std::string sql = {};
  std::function<std::optional<double>(const Figures& run)> read = {};
};

// A latency, which has a column of its own in the tables.
struct LatencyFigure {
  const char* name;
  double run::LatencyQuantiles::* value;
  double beyond;  // part of the responses that take longer; 0 for the longest
};
inline constexpr std::array latency_figures{LatencyFigure{"p50", &run::LatencyQuantiles::p50, 0.5},
                                            LatencyFigure{"p90", &run::LatencyQuantiles::p90, 0.1},
                                            LatencyFigure{"p95", &run::LatencyQuantiles::p95, 0.05},
                                            LatencyFigure{"p99", &run::LatencyQuantiles::p99, 0.01},
                                            LatencyFigure{"p999", &run::LatencyQuantiles::p999, 0.001},
                                            LatencyFigure{"longest", &run::LatencyQuantiles::max, 0.0}};

// Returns the figure of a name: "failed", "p99" and so on, kinds of failures, "ejected" and other events,
// "share:zone-1", "share:P1". Names of objectives and of tables are accepted too: error_share, cross_zone_share, p99.9.
// nullopt if there is none.
[[nodiscard]] std::optional<Figure> figure_of(const std::string& name, const std::vector<std::string>& event_names);
// Returns the zone of "share:zone-1"; nullopt for other figures.
[[nodiscard]] std::optional<std::string> zone_of(const Figure& figure);
// Returns the names of all figures but shares. `event_names` are those of run::EventKind, in its order.
[[nodiscard]] std::vector<std::string> figure_names(const std::vector<std::string>& event_names = {});

}  // namespace spillway::sweep
