// What a report of a run shows: shares, what endpoints had to do, and what went from zone to zone.
#pragma once

namespace spillway::reports {

class Dimensions;  // group_by.hpp
class Page;        // document.hpp
struct Report;     // formats.hpp
struct Sheet;      // sheet.hpp

// A sheet an epoch and client for people; a row a share for programs.
void add_shares(Page& page, const Report& report, const Dimensions& by);
[[nodiscard]] Sheet share_records(const Report& report, const Dimensions& by);

// `report.show` says which; not shares. For programs with every field by the name that JSON gives it.
[[nodiscard]] Sheet load_sheet(const Report& report, const Dimensions& by, bool for_people);

}  // namespace spillway::reports
