// Figures of expected tables as text.
#pragma once

#include <string>

#include "sim/scenario/expectation.hpp"

namespace spillway::reports {

// "31 %", "6.5 %"; "yes" and "no" of a panic; "-" where a document leaves the cell open.
[[nodiscard]] std::string figure_text(const scenario::Figure& figure, scenario::Quantity quantity);

// A measured percentage (or 1 and 0) in the same way, at its natural precision: "32.57 %".
[[nodiscard]] std::string measured_text(double measured, scenario::Quantity quantity);

// Both without the sign, for a cell that holds several: "31", "32.57".
[[nodiscard]] std::string bare_figure(const scenario::Figure& figure, scenario::Quantity quantity);
[[nodiscard]] std::string bare_measured(double measured, scenario::Quantity quantity);

}  // namespace spillway::reports
