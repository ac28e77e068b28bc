// What the page of a run is made of, a part a function.
#pragma once

#include "models/documents/source.hpp"
#include "reports/html/page.hpp"

namespace spillway::reports {
class Dimensions;   // group_by.hpp
struct Grouped;     // group_by.hpp
struct Report;      // formats.hpp
struct ShareTable;  // share_table.hpp
}  // namespace spillway::reports

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::html {

struct Made;      // report.hpp
struct RunInput;  // report.hpp

// What every page says of its scenario: name, description, zones with their colors, files.
[[nodiscard]] Data scenario_data(const scenario::Scenario& scenario, const Sources& sources, const Made& made);

// A client and service each: groups, epochs with shares, health, outcomes and latency. An epoch's `explanation` is a
// position in the list below; -1: left out.
[[nodiscard]] Data flows_data(const RunInput& input, const Grouped& grouped, const std::vector<ShareTable>& tables);

// Short rows of each flow, as `slices`; `tables` are those of the flows.
void add_slices(const RunInput& input, const Dimensions& by, const std::vector<ShareTable>& tables, Data& flows);

// What proxies did and found out, alike ones together.
[[nodiscard]] Data events_data(const Report& report);

// Explanations for epochs of the flows, as many as fit, and what they hold at most. Sets the epochs' `explanation`.
[[nodiscard]] Data explanations_data(const RunInput& input, const std::vector<ShareTable>& tables, Data& flows);

// Who asks whom, a model each stretch of time.
[[nodiscard]] Data topology_data(const RunInput& input);

// What endpoints had to do: a map of boxes by time, and a row each endpoint.
[[nodiscard]] Data loads_data(const RunInput& input);

}  // namespace spillway::reports::html
