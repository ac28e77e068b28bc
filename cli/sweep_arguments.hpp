// The arguments of `spillway sweep` and `spillway find` as texts; the commands themselves check them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace spillway::cli {

struct SweepArguments {
  std::vector<std::string> over;      // KEY=VALUES
  std::optional<std::string> csv;     // a table of combinations
  std::optional<std::string> design;  // how keys are combined
  std::optional<std::string> samples;
  std::vector<std::string> variants;  // more scenarios
  std::optional<std::string> shard;   // I/N
  std::optional<std::string> x;
  std::optional<std::string> y;
  std::optional<std::string> by;
  std::vector<std::string> where;    // KEY=VALUE
  bool points = false;               // list every point
  std::optional<std::string> point;  // only this one
  std::optional<std::string> maximise;
  std::optional<std::string> minimise;
  std::vector<std::string> such_that;
  std::optional<std::string> under;
};

}  // namespace spillway::cli
