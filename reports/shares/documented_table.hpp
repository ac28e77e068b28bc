// An expected table filled in: what the document prints, what the exact arithmetic gives, what the requests did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/scenario/expectation.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class Page;  // document.hpp

struct DocumentedCell {
  scenario::Figure documented;
  std::optional<double> exact;      // a percentage; 1 and 0 for yes and no
  std::optional<double> simulated;  // likewise; of shares only
  bool differs = false;             // exact is not what the document prints, at its own precision
  std::string reason;               // why, by the scenario's author; empty: the difference is not explained
};

struct DocumentedRow {
  std::optional<std::uint32_t> epoch;  // absent: the run has no epoch for this row
  std::string title;                   // "row 3 (20 - 30 s)", "row 2 (frontend, 0 - 10 s)"
  std::string client = {};             // whose row it is where they are of several clients, else empty
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
  differences,  // "25 %", and "25 | 35 x" where document and exact part
  all_figures   // "25 | 35 | 35.02 x" in each share column
};

// The table in the document's own layout, without its title, and the reasons of the differences below; on a terminal a
// block a row where the columns do not fit. Unexplained differences are marked `!`.
void add_documented_table(Page& page, const DocumentedTable& table, CellLayout layout);

}  // namespace spillway::reports
