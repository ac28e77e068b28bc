#include "sim/sweep/query.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "models/numeric/stable_sort.hpp"
#include "sim/diff/paired.hpp"
#include "sim/run/replications.hpp"
#include "sim/sweep/store.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace spillway::sweep {
namespace {

class SeriesReader {
 public:
  SeriesReader(const std::string& path, const Question& question)
      : question_(question), file_(path), database_(file_.database()), dimensions_(file_.dimensions()) {}

  Series read() {
    const auto figure = figure_of(question_.y, question_.event_names);
    if (!figure) {
      SweepFile::refuse("figure", question_.y, figure_names(question_.event_names));
    }
    series_.figure = *figure;
    if (const auto zone = zone_of(*figure)) {
      Statement any(database_, "SELECT 1 FROM shares WHERE zone = ? LIMIT 1");
      series_.unused_zone = !any.bind(1, *zone).step();
    }
    const Dimension x = question_.x.empty() ? dimensions_.front() : file_.dimension("--x", question_.x);
    const std::string by = question_.by.empty() && file_.row().sides > 1 ? "side" : question_.by;
    const Dimension columns = by.empty() || by == "-" ? Dimension{"", "''", "NULL"} : file_.dimension("--by", by);
    series_.x = x.name;
    series_.by = columns.name;
    read_cells(x, columns);
    order();
    compare();
    return std::move(series_);
  }

 private:
  struct Sum {
    double sum = 0.0;
    std::uint64_t points = 0;
  };

  void read_cells(const Dimension& x, const Dimension& columns) {
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::int64_t, Sum>> sums;
    Statement select(database_, fmt::format("SELECT {}, {}, {}, {}, p.replication, {} FROM points AS p WHERE {} ORDER "
                                            "BY p.point",
                                            x.value, x.number, columns.value, columns.number, series_.figure.sql,
                                            file_.conditions(question_.where)));
    while (select.step()) {
      const std::size_t row = position(series_.rows, row_of_, select, 0);
      const std::size_t column = position(series_.columns, column_of_, select, 2);
      if (!select.is_null(5)) {
        Sum& sum = sums[{row, column}][select.integer(4)];
        sum.sum += select.number(5);
        ++sum.points;
      }
    }
    for (const auto& [place, replications] : sums) {
      SeriesCell& cell = series_.cells[place];
      std::vector<double> means;
      for (const auto& [replication, sum] : replications) {
        const double mean = sum.sum / static_cast<double>(sum.points);
        cell.by_replication[replication] = mean;
        means.push_back(mean);
        cell.points += sum.points;
      }
      cell.mean = diff::mean(means);
      if (means.size() > 1) {
        cell.half_width = run::half_width_95(means);
      }
    }
    series_.points = file_.row().points;
    series_.done = number_in(database_, "SELECT count(*) FROM points");
    series_.refused = number_in(database_, "SELECT count(refusal) FROM points");
    for (const Dimension& other : dimensions_) {
      if (other.name != x.name && other.name != columns.name) {
        if (number_in(database_, fmt::format("SELECT count(DISTINCT {}) FROM points AS p WHERE {}", other.value,
                                             file_.conditions(question_.where))) > 1) {
          series_.averaged.push_back(other.name);
        }
      }
    }
  }

  static std::size_t position(std::vector<SeriesValue>& values, std::map<std::string, std::size_t>& known,
                              const Statement& select, int column) {
    const auto [place, is_new] = known.try_emplace(select.text(column), values.size());
    if (is_new) {
      values.push_back(
          {select.text(column), select.is_null(column + 1) ? std::nullopt : std::optional(select.number(column + 1))});
    }
    return place->second;
  }

  // Sorts numbers in ascending order; texts stay in the order of the sweep.
  void order() {
    const auto sorted = [](std::vector<SeriesValue>& values) {
      std::vector<std::size_t> order(values.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
      }
      const bool numbers = std::all_of(values.begin(), values.end(), [](const auto& value) { return value.number; });
      if (numbers) {
        numeric::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return *values[a].number < *values[b].number; });
      }
      std::vector<SeriesValue> in_order;
      std::vector<std::size_t> place(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        in_order.push_back(values[order[i]]);
        place[order[i]] = i;
      }
      values = std::move(in_order);
      return place;
    };
    const auto row_place = sorted(series_.rows);
    const auto column_place = sorted(series_.columns);
    decltype(series_.cells) cells;
    for (auto& [place, cell] : series_.cells) {
      cells[{row_place[place.first], column_place[place.second]}] = std::move(cell);
    }
    series_.cells = std::move(cells);
  }

  void compare() {
    std::vector<std::pair<SeriesCell*, std::vector<double>>> comparisons;
    for (auto& [place, cell] : series_.cells) {
      const SeriesCell* first = series_.cell(place.first, 0);
      std::vector<double> differences;
      for (const auto& [replication, value] : cell.by_replication) {
        const auto other = first == nullptr ? cell.by_replication.end() : first->by_replication.find(replication);
        if (first != nullptr && other != first->by_replication.end()) {
          differences.push_back(value - other->second);
        }
      }
      if (place.second > 0 && differences.size() > 1) {
        comparisons.emplace_back(&cell, std::move(differences));
      }
    }
    constexpr double outside = 0.05;
    for (auto& [cell, differences] : comparisons) {
      SeriesDifference difference;
      difference.mean = diff::mean(differences);
      difference.half_width = diff::half_width(differences, outside / static_cast<double>(comparisons.size()));
      difference.is_real = std::abs(difference.mean) > difference.half_width;
      cell->difference = difference;
    }
  }

  const Question& question_;
  SweepFile file_;
  Database& database_;
  const std::vector<Dimension>& dimensions_;
  Series series_;
  std::map<std::string, std::size_t> row_of_;
  std::map<std::string, std::size_t> column_of_;
};

}  // namespace

Series read_series(const std::string& path, const Question& question) {
  try {
    return SeriesReader(path, question).read();
  } catch (const DatabaseError& error) {
    throw StoreProblem("SP953", fmt::format("cannot read `{}`: {}", path, error.what()));
  }
}

}  // namespace spillway::sweep
