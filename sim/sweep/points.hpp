// The points in a sweep's file one by one, with the settings that reproduce each.
//
//   PointTable table = read_points("rates.sqlite", {.where = {{"rate", "80"}}});
//   table.points[0].values[0];                       // "80", of table.keys[0]
//   settings_of(table, table.points[0]);             // {"clients[shop].workload.rate=80"}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/file_check.hpp"
#include "sim/sweep/query.hpp"

namespace spillway::sweep {

struct StoredPoint {
  std::uint64_t point = 0;
  std::uint32_t side = 0;
  std::uint32_t replication = 0;
  std::string seed;
  std::string refusal;                         // empty if it was simulated
  std::vector<std::string> values;             // by key
  std::vector<std::optional<double>> numbers;  // by key: number at the start of the value
  std::vector<std::optional<double>> figures;  // by figure of the table
};

struct PointTable {
  struct KeyName {
    std::string name;
    std::string path;
  };
  struct SideName {
    std::string name;
    std::string file;
  };
  SweepRow sweep;  // how the sweep was made
  std::vector<KeyName> keys;
  std::vector<SideName> sides;
  std::vector<Figure> figures;
  std::vector<StoredPoint> points;  // sorted by number
  std::uint64_t done = 0;           // in the file
};

// Selects points and figures.
struct PointQuestion {
  std::vector<std::pair<std::string, std::string>> where = {};
  std::optional<std::uint64_t> point = {};  // only this one
  std::vector<std::string> figures = {};    // default: all with own names, and existing events and shares
  std::vector<std::string> event_names = {};
  std::uint64_t most = UINT64_MAX;  // more points are SP958
};

// Throws StoreProblem as read_series() does; SP956 if a requested point is not done.
[[nodiscard]] PointTable read_points(const std::string& path, const PointQuestion& question);

// Returns KEY=VALUE for each key, in the form of `spillway run --set`.
[[nodiscard]] std::vector<std::string> settings_of(const PointTable& table, const StoredPoint& point);

}  // namespace spillway::sweep
