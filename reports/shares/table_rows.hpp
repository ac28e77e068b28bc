// Finds the epochs of the rows of an expected table.
#pragma once

#include <string>
#include <vector>

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// Returns the results that a table uses: if it combines clients, those of the merged client with index 0.
[[nodiscard]] run::Results results_for(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                                       const run::Results& results);

struct RowEpoch {
  const run::Epoch* epoch = nullptr;
  std::string client;  // empty unless the table has rows of several clients
};

// Returns epochs in the order of the table's rows. Lifetime: `results` come from results_for() and must outlive the
// result.
[[nodiscard]] std::vector<RowEpoch> row_epochs(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                                               const run::Results& results);

// Returns "row 3 (20 - 30 s)" or "row 2 (frontend, 0 - 10 s)"; `row` counts from 0. `about` is null if there is no
// epoch.
[[nodiscard]] std::string row_title(std::size_t row, const RowEpoch* about);

}  // namespace spillway::reports
