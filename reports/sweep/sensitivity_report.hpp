// Which key moves a figure most, as a bar chart in text, and as rows.
#pragma once

#include <string>

#include "reports/formats.hpp"
#include "reports/plot/picture.hpp"

namespace spillway::sweep {
struct Sensitivity;  // sensitivity.hpp
}  // namespace spillway::sweep

namespace spillway::reports {

[[nodiscard]] std::string format_sensitivity(const sweep::Sensitivity& found, Format format, const Look& look);

// Bars with their 95 % intervals, the largest effect first: a script for gnuplot.
[[nodiscard]] std::string sensitivity_plot(const sweep::Sensitivity& found, plot::Image image);

}  // namespace spillway::reports
