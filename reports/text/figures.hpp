// Formats figures of expected tables.
#pragma once

#include <string>

#include "sim/scenario/expectation.hpp"

namespace spillway::reports {

// Returns "31 %" or "6.5 %"; "yes" or "no" for panic; "-" if a document leaves the cell open.
[[nodiscard]] std::string figure_text(const scenario::Figure& figure, scenario::Quantity quantity);

// Formats a measured percentage (or 1 and 0) in the same format, at its natural precision: "32.57 %".
[[nodiscard]] std::string measured_text(double measured, scenario::Quantity quantity);

// Format as the two functions above without the sign, for a cell with several figures: "31", "32.57".
[[nodiscard]] std::string bare_figure(const scenario::Figure& figure, scenario::Quantity quantity);
[[nodiscard]] std::string bare_measured(double measured, scenario::Quantity quantity);

}  // namespace spillway::reports
