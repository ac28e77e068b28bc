// The documented tables of one scenario, as `spillway tables` reprints them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/formats.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {

struct ReprintedTables {
  std::string text;  // in the format asked for: for json an element of the array, for csv rows without the header
  std::uint64_t tables = 0;
  std::uint64_t differences = 0;  // cells in which document and exact part
  std::uint64_t unexplained = 0;  // of them, those that the scenario gives no reason for
};

[[nodiscard]] ReprintedTables reprint_tables(const scenario::Scenario& scenario, const run::Results& results,
                                             Format format, const Look& look);

// From one process to another.
[[nodiscard]] std::string to_bytes(const ReprintedTables& tables);
[[nodiscard]] ReprintedTables reprinted_from_bytes(const std::string& bytes);

// All of them together, with a last line that counts.
[[nodiscard]] std::string format_tables(const std::vector<ReprintedTables>& parts, Format format);

}  // namespace spillway::reports
