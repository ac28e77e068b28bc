// Which epochs the rows of an expected table are about.
#pragma once

#include <string>
#include <vector>

namespace spillway::run {
struct Epoch;    // results.hpp
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct ExpectedTable;  // expectation.hpp
struct Scenario;       // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

// The results that a table looks at: of clients together, those of the clients as one, whose index is 0.
[[nodiscard]] run::Results results_for(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                                       const run::Results& results);

struct RowEpoch {
  const run::Epoch* epoch = nullptr;
  std::string client;  // its name where the rows are of several clients, else empty
};

// In the order of the table's rows. `results` are those of results_for() and outlive the answer.
[[nodiscard]] std::vector<RowEpoch> row_epochs(const scenario::ExpectedTable& table, const scenario::Scenario& scenario,
                                               const run::Results& results);

// "row 3 (20 - 30 s)", "row 2 (frontend, 0 - 10 s)"; `row` counts from 0. Null: no epoch.
[[nodiscard]] std::string row_title(std::size_t row, const RowEpoch* about);

}  // namespace spillway::reports
