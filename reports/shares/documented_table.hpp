// An expected table with the document's figures, the exact ones, and the simulated ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/scenario/expectation.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Page;  // document.hpp

struct DocumentedCell {
  scenario::Figure documented;
  std::optional<double> exact;      // a percentage; 1 and 0 for yes and no
  std::optional<double> simulated;  // as `exact`; only for shares
  bool differs = false;             // exact differs from the document at the document's precision
  std::string reason;               // the scenario's explanation; empty if there is none
};

struct DocumentedRow {
  std::optional<std::uint32_t> epoch;  // nullopt if the run has no epoch for this row
  std::string title;                   // "row 3 (20 - 30 s)", "row 2 (frontend, 0 - 10 s)"
  std::string client = {};             // empty unless the table has rows of several clients
  std::vector<DocumentedCell> cells;   // as many as columns
};

struct DocumentedTable {
  std::string title;
  std::vector<scenario::Column> columns;
  std::vector<DocumentedRow> rows;
};

[[nodiscard]] std::vector<DocumentedTable> documented_tables(const scenario::Scenario& scenario,
                                                             const run::Results& results);

[[nodiscard]] bool has_differences(const DocumentedTable& table);

enum class CellLayout {
  differences,  // "25 %", and "25 | 35 x" if document and exact differ
  all_figures   // "25 | 35 | 35.02 x" in each share column
};

// Adds the table in the document's own layout, without its title, with the reasons of differences below. On a terminal
// each row becomes a block if the columns do not fit. Unexplained differences are marked `!`.
void add_documented_table(Page& page, const DocumentedTable& table, CellLayout layout);

}  // namespace spillway::reports
