// Results of a sweep as series: a figure by the values of one key, for each value of another.
//
//   Series series = read_series("rates.sqlite", {.x = "rate", .y = "failed", .by = "max_ejection_percent"});
//   series.cell(3, 1)->mean;          // the fourth rate, the second percentage
//
// Each replication gives one number, the mean over the settings that differ in other keys. The interval is Student's
// over the replications. All replications use the same seeds, so columns are compared with the first one, replication
// by replication. A difference is real if its paired interval excludes 0. The interval is widened for the number of
// comparisons (Bonferroni).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/sweep/figure.hpp"

namespace spillway::sweep {

struct Question {
  std::string x = {};  // empty means the first key
  std::string y = "failed";
  std::string by = {};  // empty means the side, if there are several; "-" means no columns
  std::vector<std::pair<std::string, std::string>> where = {};
  std::vector<std::string> event_names = {};
};

struct SeriesValue {
  std::string text;
  std::optional<double> number = {};
};

struct SeriesDifference {  // relative to the first column
  double mean = 0.0;
  double half_width = 0.0;
  bool is_real = false;
};

struct SeriesCell {
  double mean = 0.0;
  std::optional<double> half_width = {};  // of the 95 % interval; nullopt with one replication
  std::uint64_t points = 0;
  std::map<std::int64_t, double> by_replication = {};
  std::optional<SeriesDifference> difference = {};
};

struct Series {
  Figure figure;
  std::string x;
  std::string by;  // empty with one column
  std::vector<SeriesValue> rows;
  std::vector<SeriesValue> columns;
  std::map<std::pair<std::size_t, std::size_t>, SeriesCell> cells;  // by row and column
  std::vector<std::string> averaged;                                // keys with several values other than x and by
  std::uint64_t done = 0;                                           // points in the file
  std::uint64_t points = 0;                                         // of the sweep
  std::uint64_t refused = 0;                                        // of the points that are done
  bool unused_zone = false;  // the figure is the share of a zone that no point sends a request to, if there is one

  [[nodiscard]] const SeriesCell* cell(std::size_t row, std::size_t column) const {
    const auto found = cells.find({row, column});
    return found == cells.end() ? nullptr : &found->second;
  }
};

// Throws StoreProblem: SP953 if the file cannot be read, SP954 if it is not a sweep's, SP956 without such a key or
// figure.
[[nodiscard]] Series read_series(const std::string& path, const Question& question);

}  // namespace spillway::sweep
