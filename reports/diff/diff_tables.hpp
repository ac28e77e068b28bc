// The tables of a difference, as sheets for every format.
#pragma once

#include <vector>

#include "reports/document/document.hpp"
#include "sim/diff/difference.hpp"

namespace spillway::reports {

// A table and the number of rows left out, the smallest changes.
struct DiffTable {
  Sheet sheet;
  std::size_t more = 0;
  [[nodiscard]] bool empty() const noexcept { return sheet.rows.empty(); }
};

// Returns moves by zone, one row per context, client and service. Times with the same name share one row.
[[nodiscard]] DiffTable moves_table(const diff::Difference& difference);

// Returns simulated figures that differ: those of the runs first, then those of failures.
[[nodiscard]] DiffTable simulated_table(const diff::Difference& difference);

// Return the causes of the moves, and the changes besides them. Tables without rows are left out.
[[nodiscard]] std::vector<DiffTable> main_tables(const diff::Difference& difference);
[[nodiscard]] std::vector<DiffTable> detail_tables(const diff::Difference& difference);  // by priority, by endpoint

// Returns every number that changes: what, context, client, service, dimension, name, old, new, change.
[[nodiscard]] Sheet all_changes(const diff::Difference& difference);

}  // namespace spillway::reports
