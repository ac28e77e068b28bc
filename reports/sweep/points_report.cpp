#include "reports/sweep/points_report.hpp"

#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/sweep/show.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "sim/sweep/definition_text.hpp"
#include "sim/sweep/points.hpp"

namespace spillway::reports {
namespace {

using documents::Kind;
using documents::Node;
using sweep::PointTable;
using sweep::StoredPoint;

std::string figure_in_words(const sweep::Figure& figure, const std::optional<double>& value) {
  return value ? sweep_figure_text(figure, *value) : "";
}

Sheet sheet_of_points(const PointTable& table, bool for_people) {
  Sheet sheet{"points", {{"point", true}}, {}};
  for (const auto& key : table.keys) {
    sheet.fields.push_back({key.name, true});
  }
  if (table.sides.size() > 1 || !for_people) {
    sheet.fields.push_back({"side"});
  }
  sheet.fields.push_back({"replication", true});
  for (const sweep::Figure& figure : table.figures) {
    sheet.fields.push_back({figure.name, true});
  }
  sheet.fields.push_back({for_people ? "simulate again" : "command"});
  for (const StoredPoint& point : table.points) {
    std::vector<std::string> cells{std::to_string(point.point)};
    cells.insert(cells.end(), point.values.begin(), point.values.end());
    if (table.sides.size() > 1 || !for_people) {
      cells.push_back(table.sides[point.side].name);
    }
    cells.push_back(std::to_string(point.replication));
    for (std::size_t figure = 0; figure < table.figures.size(); ++figure) {
      const auto& value = point.figures[figure];
      cells.push_back(for_people ? figure_in_words(table.figures[figure], value)
                                 : (value ? fmt::format("{}", *value) : ""));
    }
    cells.push_back(simulate_command(table, point));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

documents::JsonText json_of_point(const PointTable& table, const StoredPoint& point) {
  using Json = documents::JsonText;
  Json inputs = Json::object();
  for (std::size_t key = 0; key < table.keys.size(); ++key) {
    inputs.add(table.keys[key].path, point.values[key]);
  }
  Json figures = Json::object();
  for (std::size_t figure = 0; figure < table.figures.size(); ++figure) {
    figures.add(table.figures[figure].name, point.figures[figure]);
  }
  return {{"point", point.point},
          {"inputs", inputs},
          {"side", table.sides[point.side].name},
          {"replication", point.replication},
          {"seed", point.seed},
          {"refusal", point.refusal.empty() ? Json() : Json(point.refusal)},
          {"figures", figures},
          {"command", simulate_command(table, point)}};
}

}  // namespace

std::string simulate_command(const PointTable& table, const StoredPoint& point) {
  std::vector<std::string> words{"spillway", "run", table.sides[point.side].file};
  for (const std::string& setting : settings_of(table, point)) {
    words.insert(words.end(), {"--set", setting});
  }
  words.insert(words.end(), {"--seed", point.seed});
  if (table.sweep.mode) {
    words.insert(words.end(), {"--mode", std::string(name_of(*table.sweep.mode))});
  }
  return shell_line(words);
}

std::string sweep_command(const PointTable& table) {
  const sweep::SweepRow& row = table.sweep;
  const std::optional<Node> definition = sweep::parse_definition(row.definition);
  const documents::Member* const keys = definition ? definition->find("keys") : nullptr;
  if (row.design != sweep::Design::grid || keys == nullptr || keys->value.kind != Kind::array) {
    return "";
  }
  std::vector<std::string> words{"spillway", "sweep", table.sides.front().file};
  for (std::size_t side = 1; side < table.sides.size(); ++side) {
    words.insert(words.end(), {"--variant", table.sides[side].file});
  }
  std::uint64_t settings = 1;
  for (const Node& key : keys->value.items) {
    const documents::Member* const path = key.find("path");
    const documents::Member* const values = key.find("values");
    if (path == nullptr || values == nullptr || path->value.kind != Kind::string || values->value.kind != Kind::array) {
      return "";
    }
    std::string texts;
    for (const Node& value : values->value.items) {
      const std::string text = value.kind == Kind::string ? value.text : std::string();
      if (text.empty() || text.find(',') != std::string::npos) {
        return "";
      }
      texts += (texts.empty() ? "" : ",") + text;
    }
    settings = std::min<std::uint64_t>(settings, sweep::most_points) * values->value.items.size();
    words.insert(words.end(), {"--over", path->value.text + "=" + texts});
  }
  if (settings != row.settings) {
    return "";
  }
  if (row.replications > 1) {
    words.insert(words.end(), {"--replications", std::to_string(row.replications)});
  }
  const documents::Member* const seed = definition->find("seed");
  if (seed != nullptr && seed->value.kind == Kind::integer && !seed->value.negative) {
    words.insert(words.end(), {"--seed", std::to_string(seed->value.magnitude)});
  }
  if (row.mode) {
    words.insert(words.end(), {"--mode", std::string(name_of(*row.mode))});
  }
  words.insert(words.end(), {"-o", "out.sqlite"});
  return shell_line(words);
}

std::string format_points(const PointTable& table, Format format, const Look& look) {
  const auto page = [&](Page& whole) { whole.sheet(sheet_of_points(table, true)); };
  const auto json = [&](const Sink& sink) {
    const auto rows = json_array(table.points, [&](const StoredPoint& point) { return json_of_point(table, point); });
    sink(json_lines(documents::JsonText{{"schema_version", 1}, {"points", rows}}.text()));
  };
  return reports::format(
      {.page = page, .records = [&] { return sheet_of_points(table, false); }, .wide = page, .json = json}, format,
      look);
}

std::string format_point(const PointTable& table, Format format, const Look& look) {
  const StoredPoint& point = table.points.front();
  const auto page = [&](Page& whole) {
    Sheet sheet{"point", {{fmt::format("point {}", point.point)}, {""}}, {}};
    for (std::size_t key = 0; key < table.keys.size(); ++key) {
      sheet.rows.push_back({table.keys[key].path, point.values[key]});
    }
    sheet.rows.push_back({"side", table.sides[point.side].name});
    sheet.rows.push_back({"replication", std::to_string(point.replication)});
    sheet.rows.push_back({"seed", point.seed});
    if (!point.refusal.empty()) {
      sheet.rows.push_back({"refused", point.refusal});
    }
    for (std::size_t figure = 0; figure < table.figures.size(); ++figure) {
      if (point.figures[figure]) {
        sheet.rows.push_back(
            {table.figures[figure].name, figure_in_words(table.figures[figure], point.figures[figure])});
      }
    }
    whole.sheet(sheet);
    whole.paragraph({"to simulate it again:"}, 1);
    whole.attached().list({simulate_command(table, point)}, 2);
  };
  return reports::format({.page = page,
                          .records = [&] { return sheet_of_points(table, false); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(json_lines(json_of_point(table, point).text())); }},
                         format, look);
}

}  // namespace spillway::reports
