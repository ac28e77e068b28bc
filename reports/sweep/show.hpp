// What a sweep found, in words: a table with a column for each value of the second key, and rows for programs.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::sweep {
struct Figure;  // query.hpp
struct Series;  // query.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

// "1.2 %", "12 ms", "1,024": three significant digits at most.
[[nodiscard]] std::string sweep_figure_text(const sweep::Figure& figure, double value);

// `wide` is as `table`.
[[nodiscard]] std::string format_series(const sweep::Series& series, Format format, const Look& look);

// Which columns differ from the first, and by how much at most: "p99: 50 differs from 10 at 3 of 5 rates"; empty
// without a comparison.
[[nodiscard]] std::string difference_lines(const sweep::Series& series);

}  // namespace spillway::reports
