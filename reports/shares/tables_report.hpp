// Reprints the documented tables of scenarios for `spillway tables`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/shares/documented_table.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

// The tables of one scenario.
struct ReprintedTables {
  std::string scenario;
  std::string source;
  std::uint64_t seed = 0;
  std::uint64_t requests = 0;
  std::vector<DocumentedTable> tables;
};

[[nodiscard]] ReprintedTables reprint_tables(const scenario::Scenario& scenario, const run::Results& results);

// Serialize tables for another process.
[[nodiscard]] std::string to_bytes(const ReprintedTables& tables);
[[nodiscard]] ReprintedTables reprinted_from_bytes(const std::string& bytes);

// Counts over all cells: those in which document and exact differ, and those of them that the scenario does not
// explain.
struct TableDifferences {
  std::uint64_t tables = 0;
  std::uint64_t differences = 0;
  std::uint64_t unexplained = 0;
};
[[nodiscard]] TableDifferences differences_in(const std::vector<ReprintedTables>& scenarios);

// Formats all tables, with a last line of totals.
[[nodiscard]] std::string format_tables(const std::vector<ReprintedTables>& scenarios, Format format, const Look& look);

}  // namespace spillway::reports
