// The words of simulated figures, and of what was not compared.
#pragma once

#include <string>
#include <vector>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// Three significant digits, at most six behind the point: "0.0123", "2.34", "123".
[[nodiscard]] std::string three_digits(double value);

// "failed requests"; "p99 of successful answers".
[[nodiscard]] std::string figure_name(diff::Figure figure);

// As the JSON calls it: "failed", "no_healthy_upstream", "p99".
[[nodiscard]] std::string figure_key(diff::Figure figure);

// Values in the unit of the figure, three significant digits: "2.34 %", "41.2 ms", "1.2".
[[nodiscard]] std::string figure_text(diff::Figure figure, double value);

// The size of its change: "1.82 points", "764 us".
[[nodiscard]] std::string figure_amount_text(const diff::SimulatedFigure& figure);

// "+1.82 points +- 0.12 points"; "-2 ms in every replication".
[[nodiscard]] std::string figure_change_text(const diff::SimulatedFigure& figure);

// How much was simulated, and what showed no difference: "no difference found: p50 of successful answers (within 1
// ms)". Nothing where nothing was simulated.
[[nodiscard]] std::vector<std::string> simulated_lines(const diff::Difference& difference);

// "not compared: ...", a line for each.
[[nodiscard]] std::vector<std::string> not_compared_lines(const diff::Difference& difference);

}  // namespace spillway::reports
