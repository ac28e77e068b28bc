// The lines above and below the tables of a run.
#pragma once

namespace spillway::reports {

class Page;     // document.hpp
struct Report;  // formats.hpp

// Adds the verdict, "OK: 10 of 10 expectations met; 172 of 41,705 requests failed (0.41 %)", and below it what failed.
// Adds nothing for a run without expectations that sends no requests.
void add_verdict(Page& page, const Report& report);

// Adds the summary and the run's warnings.
void add_closing(Page& page, const Report& report);

}  // namespace spillway::reports
