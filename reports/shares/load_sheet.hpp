// The rows of a run's report: shares, loads of endpoints, and requests between zones.
#pragma once

namespace spillway::reports {

class Dimensions;  // group_by.hpp
class Page;        // document.hpp
struct Report;     // formats.hpp
struct Sheet;      // sheet.hpp

// add_shares() adds one sheet per epoch and client for people; share_records() returns one row per share for programs.
void add_shares(Page& page, const Report& report, const Dimensions& by);
[[nodiscard]] Sheet share_records(const Report& report, const Dimensions& by);

// Returns the rows that `report.show` selects, except shares. For programs it has every field, named as in JSON.
[[nodiscard]] Sheet load_sheet(const Report& report, const Dimensions& by, bool for_people);

}  // namespace spillway::reports
