// The lines below a table: the summary, warnings, and which expectations are met.
#pragma once

#include "reports/formats.hpp"

namespace spillway::reports {

void add_closing(Page& page, const Report& report);

}  // namespace spillway::reports
