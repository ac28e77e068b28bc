// Which key moves a figure most, as a bar chart in text, and as rows.
#pragma once

#include <string>

#include "reports/formats.hpp"
#include "sim/sweep/sensitivity.hpp"

namespace spillway::reports {

[[nodiscard]] std::string format_sensitivity(const sweep::Sensitivity& found, Format format);

}  // namespace spillway::reports
