#include <cmath>
#include <fmt/format.h>
#include <map>

#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/html/verdict_words.hpp"
#include "reports/plot/palette.hpp"
#include "reports/sweep/points_report.hpp"
#include "reports/sweep/show.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/sweep/points.hpp"

namespace spillway::reports::html {
namespace {

using sweep::PointTable;
using sweep::StoredPoint;

// Rounds to six digits: more than a reader needs, at a third of the size.
Data rounded(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Data(std::stod(fmt::format("{:.6g}", *value))) : Data();
}

// The distinct values of a key, and for each point the position of its value.
struct ValuesOfKey {
  Data texts = Data::array();
  Data numbers = Data::array();
  Data by_point = Data::array();
};

ValuesOfKey values_of_key(const PointTable& table, std::size_t key) {
  ValuesOfKey values;
  std::map<std::string, std::size_t> known;
  for (const StoredPoint& point : table.points) {
    const auto [place, is_new] = known.try_emplace(point.values[key], known.size());
    if (is_new) {
      values.texts.push_back(printable(point.values[key]));
      values.numbers.push_back(rounded(point.numbers[key]));
    }
    values.by_point.push_back(place->second);
  }
  return values;
}

// Writes one list per field of the points.
Data points_data(const PointTable& table, const std::vector<Data>& values, const std::vector<Data>& figures) {
  Data points = Data::array();
  Data sides = Data::array();
  Data replications = Data::array();
  Data seeds = Data::array();
  Data refused = Data::array();
  for (const StoredPoint& point : table.points) {
    points.push_back(point.point);
    sides.push_back(point.side);
    replications.push_back(point.replication);
    seeds.push_back(point.seed);
    refused.push_back(!point.refusal.empty());
  }
  return {{"values", values}, {"point", points},    {"side", sides},     {"replication", replications},
          {"seed", seeds},    {"refused", refused}, {"figures", figures}};
}

Data sweep_data(const SweepInput& input) {
  const PointTable& table = input.points;
  const char* const units[] = {"share", "seconds", "count"};
  std::vector<Data> keys;
  std::vector<Data> values_of_points;
  for (std::size_t key = 0; key < table.keys.size(); ++key) {
    const ValuesOfKey values = values_of_key(table, key);
    keys.push_back({{"name", table.keys[key].name},
                    {"path", table.keys[key].path},
                    {"values", values.texts},
                    {"numbers", values.numbers}});
    values_of_points.push_back(values.by_point);
  }
  Data sides =
      json_array(table.sides, [&](const auto& side) { return Data({{"name", side.name}, {"file", side.file}}); });
  std::vector<Data> figures;
  std::vector<Data> figures_of_points;
  for (std::size_t figure = 0; figure < table.figures.size(); ++figure) {
    Data values = Data::array();
    bool known = false;
    for (const StoredPoint& point : table.points) {
      const Data value = rounded(point.figures[figure]);
      values.push_back(value);
      known = known || !value.is_null();
    }
    if (known) {
      figures.push_back({{"name", table.figures[figure].name},
                         {"unit", units[static_cast<std::size_t>(table.figures[figure].unit)]}});
      figures_of_points.push_back(values);
    }
  }
  Data colors = Data::array();
  constexpr std::size_t different = 8;
  for (std::size_t color = 0; color < different; ++color) {
    colors.push_back(plot::series_color(color));
  }
  return {{"mode", table.sweep.mode ? Data(name_of(*table.sweep.mode)) : Data()},
          {"start", {{"x", input.x}, {"y", input.y}, {"by", input.by}}},
          {"keys", keys},
          {"sides", sides},
          {"figures", figures},
          {"colors", colors},
          {"points", points_data(table, values_of_points, figures_of_points)}};
}

HeadVerdict sweep_verdict(const PointTable& table) {
  HeadVerdict verdict;
  std::uint64_t refused = 0;
  for (const StoredPoint& point : table.points) {
    refused += point.refusal.empty() ? 0 : 1;
  }
  const bool whole = table.done == table.sweep.points;
  verdict.tone = whole && refused == 0 ? Tone::good : Tone::wary;
  verdict.word = whole ? "Complete" : "Not complete";
  verdict.sentence =
      fmt::format("{} of {} points are done.", with_thousands(table.done), with_thousands(table.sweep.points));
  if (table.points.size() != table.done) {
    verdict.lines.push_back(fmt::format("{} of them are on this page.", with_thousands(table.points.size())));
  }
  if (refused > 0) {
    verdict.lines.push_back(fmt::format("the scenario refuses the values of {} points.", with_thousands(refused)));
  }
  for (const auto& key : table.keys) {
    verdict.lines.push_back(printable(key.path) + " is varied.");
  }
  return verdict;
}

}  // namespace

std::string sweep_page(const SweepInput& input, const Made& made) {
  const HeadVerdict verdict = sweep_verdict(input.points);
  const std::string title = printable(input.title);
  Data data = scenario_data(scenario::Scenario{}, {}, made, {.title = title});
  data.add("kind", "sweep");
  data.add("verdict", verdict_data(verdict));
  data.add("sweep", sweep_data(input));
  return page_of({.title = title, .headline = headline_of(verdict), .text = input.text, .data = std::move(data)},
                 made.version);
}

}  // namespace spillway::reports::html
