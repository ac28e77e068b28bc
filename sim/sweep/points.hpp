// The points in the file of a sweep one by one, each with what plays it again.
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
  std::string refusal;                         // empty: it was simulated
  std::vector<std::string> values;             // by key
  std::vector<std::optional<double>> numbers;  // by key: that the value begins with
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
  SweepRow sweep;  // how it was made
  std::vector<KeyName> keys;
  std::vector<SideName> sides;
  std::vector<Figure> figures;
  std::vector<StoredPoint> points;  // by number
  std::uint64_t done = 0;           // in the file
};

// What is asked of the points.
struct PointQuestion {
  std::vector<std::pair<std::string, std::string>> where = {};
  std::optional<std::uint64_t> point = {};  // this one alone
  std::vector<std::string> figures = {};  // empty: those with names of their own, happenings and shares that are there
  std::vector<std::string> event_names = {};
  std::uint64_t most = UINT64_MAX;  // more points are SP958
};

// Throws StoreProblem, as read_series does; SP956 for a point that is not done.
[[nodiscard]] PointTable read_points(const std::string& path, const PointQuestion& question);

// KEY=VALUE of each key, as `spillway run --set` takes them.
[[nodiscard]] std::vector<std::string> settings_of(const PointTable& table, const StoredPoint& point);

}  // namespace spillway::sweep
