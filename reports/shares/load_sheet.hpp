// Rows of what endpoints had to do, and of what went from zone to zone, in every format but JSON.
#pragma once

#include "reports/formats.hpp"

namespace spillway::reports {

// `report.show` says which; not shares. `wide` and `csv` have every field by the name that JSON gives it, `table` and
// `markdown` those that people read, with the summary below.
void write_load(const Report& report, Format format, const Dimensions& by, const Look& look, const Sink& sink);

}  // namespace spillway::reports
