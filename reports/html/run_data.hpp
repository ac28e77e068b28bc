// The data of a run's page, one function per part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "reports/html/page.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {
class Dimensions;   // group_by.hpp
struct Grouped;     // group_by.hpp
struct Report;      // formats.hpp
struct ShareTable;  // share_table.hpp
}  // namespace spillway::reports

namespace spillway::reports::html {

struct Made;      // report.hpp
struct RunInput;  // report.hpp

// Texts of a page that replace those of the scenario, and zones besides its own.
struct Subject {
  std::optional<std::string> title = {};
  std::optional<std::string> description = {};
  std::vector<std::string> more_zones = {};
};

// Returns the scenario's data for any page: name, description, zones with their colors, files.
[[nodiscard]] Data scenario_data(const scenario::Scenario& scenario, const Sources& sources, const Made& made,
                                 const Subject& subject = {});

// Parts of flows that are computed separately, one element per table.
struct FlowParts {
  std::vector<Data> slices;
  std::vector<std::vector<int>> explanations;  // by epoch: a position in the list of explanations; -1 if left out
};

// Returns one object per client and service: groups, epochs with shares, health, outcomes and latency.
[[nodiscard]] Data flows_data(const RunInput& input, const Grouped& grouped, const std::vector<ShareTable>& tables,
                              const FlowParts& parts);

// Returns the position of the table whose requests fail most in their worst epoch. If none fail, returns the one whose
// shares move most.
[[nodiscard]] std::size_t most_interesting(const run::Results& results, const std::vector<ShareTable>& tables);

// Returns the short rows of each table.
[[nodiscard]] std::vector<Data> slices_data(const RunInput& input, const Dimensions& by,
                                            const std::vector<ShareTable>& tables);

// Returns the events of proxies, similar ones merged.
[[nodiscard]] Data events_data(const Report& report);

// Returns explanations for as many epochs of the tables as fit, and the limit. Adds their positions to `parts`.
[[nodiscard]] Data explanations_data(const RunInput& input, const std::vector<ShareTable>& tables, FlowParts& parts);

// Returns the topology, one model per period: which client requests which service.
[[nodiscard]] Data topology_data(const RunInput& input);

// Returns the loads of endpoints: a map of boxes by time, and one row per endpoint.
[[nodiscard]] Data loads_data(const RunInput& input);

}  // namespace spillway::reports::html
