// Checks that a sweep's file contains what a sweep writes. Files are exchanged between people, so every table, number
// and text is checked before use.
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

// The only row of table `sweep`, and the number of sides and keys, which are numbered from 0.
struct SweepRow {
  std::string version;  // of the program that created the file
  std::string definition;
  std::optional<scenario::Mode> mode = {};  // nullopt if the sweep did not request one
  std::uint64_t points = 0;                 // settings x sides x replications
  std::uint64_t settings = 0;
  std::uint64_t replications = 0;
  Design design = Design::grid;
  std::uint64_t samples = 0;
  std::uint64_t sides = 0;
  std::uint64_t keys = 0;
};

// True if there is a table `sweep`, or another object of this name.
[[nodiscard]] bool has_sweep(Database& database, const std::string& schema = "main");

// Reads the row and checks every table. `path` is for messages; `schema` is that of an attached file. O(rows of the
// file). Throws StoreProblem: SP954 if the file is not a sweep's or of another version, SP967 if it is damaged.
[[nodiscard]] SweepRow checked_sweep(Database& database, const std::string& path, const std::string& schema = "main");

}  // namespace spillway::sweep
