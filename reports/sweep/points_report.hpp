// The points of a sweep one by one, with the command that simulates each again.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::sweep {
struct PointTable;   // points.hpp
struct StoredPoint;  // points.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

// "spillway run queue.yaml --set 'clients[shop].workload.rate=80' --seed 1": prints the figures of that point.
[[nodiscard]] std::string simulate_command(const sweep::PointTable& table, const sweep::StoredPoint& point);

// "spillway sweep queue.yaml --over 'clients[shop].workload.rate=80,90' -o out.sqlite": makes the file again. Empty if
// the file does not have all values, as of tables and sampled designs.
[[nodiscard]] std::string sweep_command(const sweep::PointTable& table);

// A row a point; of one alone, a row a figure. `wide` is as `table`.
[[nodiscard]] std::string format_points(const sweep::PointTable& table, Format format, const Look& look);
[[nodiscard]] std::string format_point(const sweep::PointTable& table, Format format, const Look& look);

}  // namespace spillway::reports
