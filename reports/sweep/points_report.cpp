#include "reports/sweep/points_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/sweep/show.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"
#include "reports/text/shell_word.hpp"
#include "sim/sweep/points.hpp"

namespace spillway::reports {
namespace {

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

nlohmann::ordered_json json_of_point(const PointTable& table, const StoredPoint& point) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["point"] = point.point;
  json["inputs"] = Json::object();
  for (std::size_t key = 0; key < table.keys.size(); ++key) {
    json["inputs"][table.keys[key].path] = point.values[key];
  }
  json["side"] = table.sides[point.side].name;
  json["replication"] = point.replication;
  json["seed"] = point.seed;
  json["refusal"] = point.refusal.empty() ? Json() : Json(point.refusal);
  json["figures"] = Json::object();
  for (std::size_t figure = 0; figure < table.figures.size(); ++figure) {
    const auto& value = point.figures[figure];
    json["figures"][table.figures[figure].name] = value ? Json(*value) : Json();
  }
  json["command"] = simulate_command(table, point);
  return json;
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
  const auto definition = nlohmann::json::parse(row.definition, nullptr, false);
  const auto keys = definition.is_object() ? definition.find("keys") : definition.end();
  if (row.design != sweep::Design::grid || keys == definition.end() || !keys->is_array()) {
    return "";
  }
  std::vector<std::string> words{"spillway", "sweep", table.sides.front().file};
  for (std::size_t side = 1; side < table.sides.size(); ++side) {
    words.insert(words.end(), {"--variant", table.sides[side].file});
  }
  std::uint64_t settings = 1;
  for (const auto& key : *keys) {
    const auto path = key.is_object() ? key.find("path") : key.end();
    const auto values = key.is_object() ? key.find("values") : key.end();
    if (path == key.end() || values == key.end() || !path->is_string() || !values->is_array()) {
      return "";
    }
    std::string texts;
    for (const auto& value : *values) {
      const std::string text = value.is_string() ? value.get<std::string>() : std::string();
      if (text.empty() || text.find(',') != std::string::npos) {
        return "";
      }
      texts += (texts.empty() ? "" : ",") + text;
    }
    settings = std::min<std::uint64_t>(settings, sweep::most_points) * values->size();
    words.insert(words.end(), {"--over", path->get<std::string>() + "=" + texts});
  }
  if (settings != row.settings) {
    return "";
  }
  if (row.replications > 1) {
    words.insert(words.end(), {"--replications", std::to_string(row.replications)});
  }
  if (const auto seed = definition.find("seed"); seed != definition.end() && seed->is_number_unsigned()) {
    words.insert(words.end(), {"--seed", std::to_string(seed->get<std::uint64_t>())});
  }
  if (row.mode) {
    words.insert(words.end(), {"--mode", std::string(name_of(*row.mode))});
  }
  words.insert(words.end(), {"-o", "out.sqlite"});
  return shell_line(words);
}

std::string format_points(const PointTable& table, Format format, const Look& look) {
  const auto page = [&](Page& whole) { whole.sheet(sheet_of_points(table, true)); };
  return reports::format({.page = page,
                          .records = [&] { return sheet_of_points(table, false); },
                          .wide = page,
                          .json =
                              [&](const Sink& sink) {
                                nlohmann::ordered_json json;
                                json["schema_version"] = 1;
                                json["points"] = nlohmann::ordered_json::array();
                                for (const StoredPoint& point : table.points) {
                                  json["points"].push_back(json_of_point(table, point));
                                }
                                sink(json_lines(json.dump()));
                              }},
                         format, look);
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
                          .json = [&](const Sink& sink) { sink(json_lines(json_of_point(table, point).dump())); }},
                         format, look);
}

}  // namespace spillway::reports
