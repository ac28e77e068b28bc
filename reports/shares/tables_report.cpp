#include "reports/shares/tables_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/shares/documented_table.hpp"
#include "reports/shares/share_fields.hpp"
#include "reports/text/csv_text.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/markdown_text.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/table_json.hpp"

namespace spillway::reports {
namespace {

std::uint64_t requests_of(const run::Results& results) {
  std::uint64_t sent = 0;
  for (const run::Outcomes& row : results.outcomes) {
    sent += row.sent;
  }
  return sent;
}

std::string requests_text(const run::Results& results) {
  return fmt::format("{} requests, seed {}", with_thousands(requests_of(results)), results.seed);
}

std::string tables_text(const std::vector<DocumentedTable>& tables, const scenario::Scenario& scenario,
                        const run::Results& results, const Look& look) {
  const std::string name = printable(scenario.name);
  std::string text = (look.color ? "\x1b[1m" + name + "\x1b[0m" : name) + '\n';
  if (!scenario.source.empty()) {
    text += printable(scenario.source) + '\n';
  }
  for (const DocumentedTable& table : tables) {
    text += fmt::format("{}: documented | exact | simulated, {}\n\n", printable(table.title), requests_text(results));
    text += documented_table_text(table, CellLayout::all_figures, look) + '\n';
  }
  return text;
}

std::string tables_markdown(const std::vector<DocumentedTable>& tables, const scenario::Scenario& scenario,
                            const run::Results& results) {
  std::string text = fmt::format("## {}\n\n", markdown_escaped(scenario.name));
  if (!scenario.source.empty()) {
    text += markdown_escaped(scenario.source) + "\n\n";
  }
  text += fmt::format("documented | exact | simulated, {}\n\n", requests_text(results));
  for (const DocumentedTable& table : tables) {
    text += documented_table_markdown(table, CellLayout::all_figures) + '\n';
  }
  return text;
}

// A row a cell, as `wide` and `csv` have them.
std::string tables_csv(const std::vector<DocumentedTable>& tables, const scenario::Scenario& scenario) {
  const auto number = [](const std::optional<double>& figure) { return figure ? shortest(*figure) : ""; };
  std::string text;
  for (const DocumentedTable& table : tables) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      for (std::size_t i = 0; i < table.rows[row].cells.size(); ++i) {
        const DocumentedCell& cell = table.rows[row].cells[i];
        text += csv_line({scenario.name, table.title, fmt::format("{}", row + 1), table.columns[i].title,
                          cell.documented.text == "-" ? "" : shortest(cell.documented.number), number(cell.exact),
                          number(cell.simulated), cell.differs ? "x" : "", cell.reason});
      }
    }
  }
  return text;
}

void count_differences(const std::vector<DocumentedTable>& tables, ReprintedTables& reprinted) {
  reprinted.tables = tables.size();
  for (const DocumentedTable& table : tables) {
    for (const DocumentedRow& row : table.rows) {
      for (const DocumentedCell& cell : row.cells) {
        reprinted.differences += cell.differs ? 1 : 0;
        reprinted.unexplained += cell.differs && cell.reason.empty() ? 1 : 0;
      }
    }
  }
}

}  // namespace

ReprintedTables reprint_tables(const scenario::Scenario& scenario, const run::Results& results, Format format,
                               const Look& look) {
  const std::vector<DocumentedTable> tables = documented_tables(scenario, results);
  ReprintedTables reprinted;
  count_differences(tables, reprinted);
  if (tables.empty()) {
    return reprinted;
  }
  switch (format) {
    case Format::table:
    case Format::wide:
      reprinted.text = tables_text(tables, scenario, results, look);
      break;
    case Format::markdown:
      reprinted.text = tables_markdown(tables, scenario, results);
      break;
    case Format::csv:
      reprinted.text = tables_csv(tables, scenario);
      break;
    case Format::json:
      reprinted.text = nlohmann::ordered_json{{"scenario", scenario.name},
                                              {"source", scenario.source},
                                              {"seed", results.seed},
                                              {"requests", requests_of(results)},
                                              {"tables", nlohmann::ordered_json::parse(tables_json(tables))}}
                           .dump();
      break;
  }
  return reprinted;
}

std::string to_bytes(const ReprintedTables& tables) {
  return fmt::format("{} {} {} {}", tables.tables, tables.differences, tables.unexplained, tables.text);
}

ReprintedTables reprinted_from_bytes(const std::string& bytes) {
  ReprintedTables tables;
  std::size_t at = 0;
  for (std::uint64_t* count : {&tables.tables, &tables.differences, &tables.unexplained}) {
    std::size_t digits = 0;
    *count = std::stoull(bytes.substr(at, 21), &digits);
    at += digits + 1;
  }
  tables.text = bytes.substr(at);
  return tables;
}

std::string format_tables(const std::vector<ReprintedTables>& parts, Format format) {
  ReprintedTables sum;
  std::vector<std::string> texts;
  for (const ReprintedTables& part : parts) {
    sum.tables += part.tables;
    sum.differences += part.differences;
    sum.unexplained += part.unexplained;
    if (!part.text.empty()) {
      texts.push_back(part.text);
    }
  }
  if (format == Format::csv) {
    return csv_line({"scenario", "table", "row", "column", "documented", "exact", "simulated", "differs", "reason"}) +
           joined(texts, "");
  }
  if (format == Format::json) {
    return json_lines(fmt::format(R"({{"schema_version":1,"differences":{},"unexplained":{},"scenarios":[{}]}})",
                                  sum.differences, sum.unexplained, joined(texts, ",")));
  }
  return joined(texts, "") + fmt::format("{} {}, {} {} between document and Envoy, {} unexplained\n", sum.tables,
                                         sum.tables == 1 ? "table" : "tables", sum.differences,
                                         sum.differences == 1 ? "difference" : "differences", sum.unexplained);
}

}  // namespace spillway::reports
