#include "sim/sweep/points.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "sim/sweep/store.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace spillway::sweep {
namespace {

class PointReader {
 public:
  PointReader(const std::string& path, const PointQuestion& question) : file_(path), question_(question) {}

  PointTable read() {
    table_.sweep = file_.row();
    table_.done = number_in(file_.database(), "SELECT count(*) FROM points");
    for (std::size_t key = 0; key + 1 < file_.dimensions().size(); ++key) {
      table_.keys.push_back({file_.dimensions()[key].name, file_.paths()[key]});
    }
    Statement sides(file_.database(), "SELECT name, file FROM sides ORDER BY side");
    while (sides.step()) {
      table_.sides.push_back({sides.text(0), sides.text(1)});
    }
    choose_figures();
    read_points();
    return std::move(table_);
  }

 private:
  void add_figure(const std::string& name) {
    if (const auto figure = figure_of(name, question_.event_names)) {
      table_.figures.push_back(*figure);
      return;
    }
    SweepFile::refuse("figure", name, figure_names(question_.event_names));
  }

  // Chooses the figures with own names, events that occurred, and shares by zone and priority.
  void choose_figures() {
    for (const std::string& name : question_.figures.empty() ? figure_names() : question_.figures) {
      add_figure(name);
    }
    if (!question_.figures.empty()) {
      return;
    }
    for (const char* sql : {"SELECT DISTINCT kind FROM happenings ORDER BY 1",
                            "SELECT DISTINCT 'share:P' || priority FROM shares ORDER BY 1",
                            "SELECT DISTINCT 'share:' || zone FROM shares WHERE zone <> '' ORDER BY 1"}) {
      constexpr int most = 40;
      Statement names(file_.database(), sql);
      for (int number = 0; number < most && names.step(); ++number) {
        add_figure(names.text(0));
      }
    }
  }

  [[nodiscard]] std::string chosen() {
    if (question_.point) {
      return fmt::format("p.point = {}", *question_.point);
    }
    return file_.conditions(question_.where, true);
  }

  void check_number() {
    const std::uint64_t count = number_in(file_.database(), "SELECT count(*) FROM points AS p WHERE " + chosen());
    if (question_.point && count == 0) {
      throw StoreProblem("SP956", fmt::format("there is no point {} in this file", *question_.point),
                         "`spillway sweep show FILE --points` lists them");
    }
    if (count > question_.most) {
      throw StoreProblem("SP958", fmt::format("{} points are too many for a page", count),
                         fmt::format("at most {}: choose some with --where KEY=VALUE", question_.most));
    }
  }

  void read_points() {
    check_number();
    std::string columns = "p.point, p.side, p.replication, p.seed, p.refusal";
    const int first_key = 5;
    for (std::size_t key = 0; key < table_.keys.size(); ++key) {
      columns += ", " + file_.dimensions()[key].value + ", " + file_.dimensions()[key].number;
    }
    for (const Figure& figure : table_.figures) {
      columns += ", " + figure.sql;
    }
    Statement select(file_.database(),
                     fmt::format("SELECT {} FROM points AS p WHERE {} ORDER BY p.point", columns, chosen()));
    while (select.step()) {
      StoredPoint point;
      point.point = static_cast<std::uint64_t>(select.integer(0));
      point.side = static_cast<std::uint32_t>(select.integer(1));
      point.replication = static_cast<std::uint32_t>(select.integer(2));
      point.seed = select.text(3);
      point.refusal = select.text(4);
      int column = first_key;
      const auto number = [&](int at) { return select.is_null(at) ? std::nullopt : std::optional(select.number(at)); };
      for (std::size_t key = 0; key < table_.keys.size(); ++key, column += 2) {
        point.values.push_back(select.text(column));
        point.numbers.push_back(number(column + 1));
      }
      for (std::size_t figure = 0; figure < table_.figures.size(); ++figure, ++column) {
        point.figures.push_back(number(column));
      }
      table_.points.push_back(std::move(point));
    }
  }

  SweepFile file_;
  const PointQuestion& question_;
  PointTable table_;
};

}  // namespace

PointTable read_points(const std::string& path, const PointQuestion& question) {
  try {
    return PointReader(path, question).read();
  } catch (const DatabaseError& error) {
    throw StoreProblem("SP953", fmt::format("cannot read `{}`: {}", path, error.what()));
  }
}

std::vector<std::string> settings_of(const PointTable& table, const StoredPoint& point) {
  std::vector<std::string> settings;
  for (std::size_t key = 0; key < table.keys.size(); ++key) {
    settings.push_back(table.keys[key].path + "=" + point.values[key]);
  }
  return settings;
}

}  // namespace spillway::sweep
