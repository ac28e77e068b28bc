// Lists the points of a sweep, with the command that simulates each again.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::sweep {
struct PointTable;   // points.hpp
struct StoredPoint;  // points.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

// Returns a command that prints the figures of that point: "spillway run queue.yaml --set
// 'clients[shop].workload.rate=80' --seed 1".
[[nodiscard]] std::string simulate_command(const sweep::PointTable& table, const sweep::StoredPoint& point);

// Returns a command that makes the file again: "spillway sweep queue.yaml --over 'clients[shop].workload.rate=80,90' -o
// out.sqlite". Empty if the file does not have all combinations of values, as for tables and sampled designs.
[[nodiscard]] std::string sweep_command(const sweep::PointTable& table);

// Format one row per point, or for a single point one row per figure. `wide` equals `table`.
[[nodiscard]] std::string format_points(const sweep::PointTable& table, Format format, const Look& look);
[[nodiscard]] std::string format_point(const sweep::PointTable& table, Format format, const Look& look);

}  // namespace spillway::reports
