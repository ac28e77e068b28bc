// The SQL tables of a sweep's file (docs/sweeps.md). If a column's meaning changes, tables_version increases.
#pragma once

#include <string>

namespace spillway::sweep {

// Value of PRAGMA user_version.
inline constexpr int tables_version = 2;
// Value of PRAGMA application_id: "Spwy".
inline constexpr int application_id = 0x53707779;

// Returns the SQL that makes the tables. Files keep it to the letter.
[[nodiscard]] std::string make_tables();
// Return the SQL that inserts a row, with one placeholder per column.
[[nodiscard]] std::string insert_point();
[[nodiscard]] std::string insert_outcome();

}  // namespace spillway::sweep
