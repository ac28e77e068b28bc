#include "reports/sweep/show.hpp"

#include <cmath>
#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/percent.hpp"
#include "sim/sweep/query.hpp"

namespace spillway::reports {
namespace {

using sweep::Series;
using sweep::SeriesCell;
using sweep::SeriesValue;

std::string significant(double value) {
  return fmt::format("{:.3g}", value);
}

std::string cell_text(const Series& series, const SeriesCell* cell) {
  if (cell == nullptr) {
    return "";
  }
  std::string text = sweep_figure_text(series.figure, cell->mean);
  if (cell->half_width && *cell->half_width > 0.0) {
    text += " ±" + sweep_figure_text(series.figure, *cell->half_width);
  }
  return text + (cell->difference && cell->difference->is_real ? " *" : "");
}

Sheet table_of(const Series& series) {
  Sheet sheet{series.figure.name, {{series.x, true}}, {}};
  for (const SeriesValue& column : series.columns) {
    sheet.fields.push_back(
        {series.by.empty() ? series.figure.name : fmt::format("{} {}", series.by, column.text), true});
  }
  for (std::size_t row = 0; row < series.rows.size(); ++row) {
    std::vector<std::string> cells{series.rows[row].text};
    for (std::size_t column = 0; column < series.columns.size(); ++column) {
      cells.push_back(cell_text(series, series.cell(row, column)));
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

// Visits the cells, one row per cell.
template <class Visit>
void for_each_cell(const Series& series, Visit visit) {
  for (const auto& [place, cell] : series.cells) {
    visit(series.rows[place.first], series.columns[place.second], cell);
  }
}

std::string exact_number(double value) {
  return fmt::format("{}", value);
}

Sheet rows_of(const Series& series) {
  Sheet sheet{series.figure.name,
              {{series.x},
               {series.by.empty() ? "by" : series.by},
               {series.figure.name},
               {"low"},
               {"high"},
               {"replications"},
               {"points"},
               {"difference"},
               {"difference_low"},
               {"difference_high"}},
              {}};
  for_each_cell(series, [&](const SeriesValue& row, const SeriesValue& column, const SeriesCell& cell) {
    const auto bound = [&](double sign) {
      return cell.half_width ? exact_number(cell.mean + sign * *cell.half_width) : "";
    };
    const auto difference = [&](double sign) {
      return cell.difference ? exact_number(cell.difference->mean + sign * cell.difference->half_width) : "";
    };
    sheet.rows.push_back({row.text, column.text, exact_number(cell.mean), bound(-1.0), bound(1.0),
                          std::to_string(cell.by_replication.size()), std::to_string(cell.points), difference(0.0),
                          difference(-1.0), difference(1.0)});
  });
  return sheet;
}

std::string json_of(const Series& series) {
  using Json = documents::JsonText;
  const char* const units[] = {"share", "seconds", "count"};
  Json cells = Json::array();
  const auto value_json = [](const SeriesValue& value) {
    return value.number && exact_number(*value.number) == value.text ? Json(*value.number) : Json(value.text);
  };
  for_each_cell(series, [&](const SeriesValue& row, const SeriesValue& column, const SeriesCell& cell) {
    cells.push_back({{"x", value_json(row)},
                     {"by", series.by.empty() ? Json() : value_json(column)},
                     {"mean", cell.mean},
                     {"half_width", cell.half_width},
                     {"replications", cell.by_replication.size()},
                     {"points", cell.points},
                     {"difference", cell.difference ? Json{{"mean", cell.difference->mean},
                                                           {"half_width", cell.difference->half_width},
                                                           {"real", cell.difference->is_real}}
                                                    : Json()}});
  });
  const Json json = {{"schema_version", 1},
                     {"figure", series.figure.name},
                     {"unit", units[static_cast<std::size_t>(series.figure.unit)]},
                     {"x", series.x},
                     {"by", series.by.empty() ? Json() : Json(series.by)},
                     {"points", series.points},
                     {"done", series.done},
                     {"refused", series.refused},
                     {"averaged", series.averaged},
                     {"cells", cells}};
  return json_lines(json.text());
}

std::vector<std::string> notes_of(const Series& series) {
  std::vector<std::string> notes;
  if (!series.averaged.empty()) {
    notes.push_back(fmt::format("means over {}; --by or --where separates them", fmt::join(series.averaged, ", ")));
  }
  if (const std::string differences = difference_lines(series); !differences.empty()) {
    notes.push_back(differences);
  }
  if (series.done < series.points) {
    notes.push_back(
        fmt::format("{} of {} points are done", with_thousands(series.done), with_thousands(series.points)));
  }
  if (series.unused_zone) {
    notes.push_back(fmt::format("no point sends a request to the zone of {}, if there is one", series.figure.name));
  }
  if (series.refused > 0) {
    notes.push_back(fmt::format("the scenario refuses the values of {} points", with_thousands(series.refused)));
  }
  return notes;
}

}  // namespace

std::string sweep_figure_text(const sweep::Figure& figure, double value) {
  switch (figure.unit) {
    case sweep::Unit::share:
      return significant(100.0 * value) + " %";
    case sweep::Unit::seconds:
      return value <= 0.0 ? "0 s" : duration_text(value);
    case sweep::Unit::count:
      break;
  }
  return value >= 1000.0 ? with_thousands(static_cast<std::uint64_t>(std::llround(value))) : significant(value);
}

std::string difference_lines(const Series& series) {
  std::size_t compared = 0;
  std::size_t real = 0;
  for (const auto& [place, cell] : series.cells) {
    compared += cell.difference ? 1 : 0;
    real += cell.difference && cell.difference->is_real ? 1 : 0;
  }
  if (compared == 0) {
    return "";
  }
  return fmt::format("* differs from {} {}: {} of {} differences, by paired replications (95 % for all together)",
                     series.by, series.columns.front().text, real, compared);
}

std::string format_series(const Series& series, Format format, const Look& look) {
  const auto page = [&](Page& whole) {
    if (!series.by.empty()) {
      whole.on(Medium::terminal)
          .paragraph({fmt::format("{} by {} and {}", series.figure.name, series.x, series.by)}, 1);
    }
    whole.sheet(table_of(series));
    whole.list(notes_of(series), 1);
  };
  return reports::format({.page = page,
                          .records = [&] { return rows_of(series); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(json_of(series)); }},
                         format, look);
}

}  // namespace spillway::reports
