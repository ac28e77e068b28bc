// The data of a run's page, one function per part.
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

// Returns the scenario's data for any page: name, description, zones with their colors, files.
[[nodiscard]] Data scenario_data(const scenario::Scenario& scenario, const Sources& sources, const Made& made);

// Returns one object per client and service: groups, epochs with shares, health, outcomes and latency. An epoch's
// `explanation` is a position in explanations_data(); -1 if left out.
[[nodiscard]] Data flows_data(const RunInput& input, const Grouped& grouped, const std::vector<ShareTable>& tables);

// Adds short rows of each flow as `slices`; `tables` are those of the flows.
void add_slices(const RunInput& input, const Dimensions& by, const std::vector<ShareTable>& tables, Data& flows);

// Returns the events of proxies, similar ones merged.
[[nodiscard]] Data events_data(const Report& report);

// Returns explanations for as many epochs of the flows as fit, and the limit. Sets the epochs' `explanation`.
[[nodiscard]] Data explanations_data(const RunInput& input, const std::vector<ShareTable>& tables, Data& flows);

// Returns the topology, one model per period: which client requests which service.
[[nodiscard]] Data topology_data(const RunInput& input);

// Returns the loads of endpoints: a map of boxes by time, and one row per endpoint.
[[nodiscard]] Data loads_data(const RunInput& input);

}  // namespace spillway::reports::html
