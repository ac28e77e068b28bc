// Words for simulated figures, and for what was not compared.
#pragma once

#include <string>
#include <vector>

#include "sim/diff/difference.hpp"

namespace spillway::reports {

// Formats with three significant digits and at most six decimals: "0.0123", "2.34", "123".
[[nodiscard]] std::string three_digits(double value);

// Returns "failed requests" or "p99 of successful answers", for instance.
[[nodiscard]] std::string figure_name(diff::Figure figure);

// Returns the name used in JSON: "failed", "no_healthy_upstream", "p99".
[[nodiscard]] std::string figure_key(diff::Figure figure);

// Formats a value in the unit of the figure, with three significant digits: "2.34 %", "41.2 ms", "1.2".
[[nodiscard]] std::string figure_text(diff::Figure figure, double value);

// Formats the size of the figure's change: "1.82 points", "764 us".
[[nodiscard]] std::string figure_amount_text(const diff::SimulatedFigure& figure);

// Returns "+1.82 points +- 0.12 points"; "-2 ms in every replication".
[[nodiscard]] std::string figure_change_text(const diff::SimulatedFigure& figure);

// Returns how much was simulated, and which figures showed no difference: "no difference found: p50 of successful
// answers (within 1 ms)". Empty if nothing was simulated.
[[nodiscard]] std::vector<std::string> simulated_lines(const diff::Difference& difference);

// Describes the worst change of a simulated figure before the best one; empty if nothing differs.
[[nodiscard]] std::string simulated_clause(const diff::Difference& difference);

// True if p99 was compared and does not differ somewhere.
[[nodiscard]] bool compares_latency(const diff::Simulated& simulated);

// Returns one line "not compared: ..." per reason.
[[nodiscard]] std::vector<std::string> not_compared_lines(const diff::Difference& difference);

}  // namespace spillway::reports
