// Formats the results of a sweep: a table with one column per value of the second key, and rows for programs.
#pragma once

#include <string>

#include "reports/formats.hpp"

namespace spillway::sweep {
struct Figure;  // query.hpp
struct Series;  // query.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

// Formats with at most three significant digits: "1.2 %", "12 ms", "1,024".
[[nodiscard]] std::string sweep_figure_text(const sweep::Figure& figure, double value);

// Formats the results; `wide` equals `table`.
[[nodiscard]] std::string format_series(const sweep::Series& series, Format format, const Look& look);

// Returns the columns that differ from the first, and the largest difference: "p99: 50 differs from 10 at 3 of 5
// rates". Empty without a comparison.
[[nodiscard]] std::string difference_lines(const sweep::Series& series);

}  // namespace spillway::reports
