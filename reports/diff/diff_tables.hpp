// The tables of a difference, as sheets that every format prints.
#pragma once

#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "sim/diff/difference.hpp"

namespace spillway::reports {

// A table and how many of its rows, the least ones, were left out.
struct DiffTable {
  Sheet sheet;
  std::size_t more = 0;
  [[nodiscard]] bool empty() const noexcept { return sheet.rows.empty(); }
};

// Moves by zone: a row a context, client and service. Moments that are told alike are one row.
[[nodiscard]] DiffTable moves_table(const diff::Difference& difference);

// Figures that were simulated and differ: those of the runs first, then of failures.
[[nodiscard]] DiffTable simulated_table(const diff::Difference& difference);

// What is behind the moves, and what changes beside them; those without rows are left out.
[[nodiscard]] std::vector<DiffTable> main_tables(const diff::Difference& difference);
[[nodiscard]] std::vector<DiffTable> detail_tables(const diff::Difference& difference);  // by priority, by endpoint

// Every number that changes: what, context, client, service, dimension, name, old, new, change.
[[nodiscard]] Sheet all_changes(const diff::Difference& difference);

}  // namespace spillway::reports
