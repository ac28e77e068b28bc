// Shows the key that changes a figure most, as a bar chart in text and as rows.
#pragma once

#include <string>

#include "reports/formats.hpp"
#include "reports/plot/picture.hpp"

namespace spillway::sweep {
struct Sensitivity;  // sensitivity.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

[[nodiscard]] std::string format_sensitivity(const sweep::Sensitivity& found, Format format, const Look& look);

// Returns a script for gnuplot: bars with their 95 % intervals, the largest effect first.
[[nodiscard]] std::string sensitivity_plot(const sweep::Sensitivity& found, plot::Image image);

}  // namespace spillway::reports
