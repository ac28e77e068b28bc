// Checks that the file of a sweep holds what a sweep writes. Files are passed about, so that no table, number or text
// of one is used before it was checked.
//
//   const SweepRow row = checked_sweep(database, "rates.sqlite");
//   row.points;                        // every point of the file has a smaller number
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/scenario/mode.hpp"
#include "sim/sweep/space.hpp"

namespace spillway::sweep {

class Database;  // database.hpp

// The one row of table `sweep`, and the number of sides and keys, which are numbered from 0.
struct SweepRow {
  std::string version;  // of the program that made the file
  std::string definition;
  std::optional<scenario::Mode> mode = {};  // if the sweep was asked for one
  std::uint64_t points = 0;                 // settings x sides x replications
  std::uint64_t settings = 0;
  std::uint64_t replications = 0;
  Design design = Design::grid;
  std::uint64_t samples = 0;
  std::uint64_t sides = 0;
  std::uint64_t keys = 0;
};

// True if there is a table `sweep` (or what is called so).
[[nodiscard]] bool has_sweep(Database& database, const std::string& schema = "main");

// Reads the row and checks every table. `path` is for messages; `schema` is that of an attached file. Throws
// StoreProblem: SP954 it is not the file of a sweep or of another version, SP967 it is damaged; O(rows of the file).
[[nodiscard]] SweepRow checked_sweep(Database& database, const std::string& path, const std::string& schema = "main");

}  // namespace spillway::sweep
