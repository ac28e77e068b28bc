// The lines below a table: the summary, warnings, and which expectations are met.
#pragma once

namespace spillway::reports {

class Page;     // document.hpp
struct Report;  // formats.hpp

void add_closing(Page& page, const Report& report);

}  // namespace spillway::reports
