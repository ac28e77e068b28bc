#include "reports/shares/tables_report.hpp"

#include <fmt/format.h>

#include "models/documents/json_writer.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/percent.hpp"
#include "sim/run/records/byte_archive.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

void add_tables(Page& page, const ReprintedTables& of) {
  const std::string figures =
      fmt::format("documented | exact | simulated, {} requests, seed {}", with_thousands(of.requests), of.seed);
  page.on(Medium::terminal).title({of.scenario});
  page.on(Medium::markup).section(of.scenario, 2);
  if (!of.source.empty()) {
    page.attached().paragraph({of.source});
  }
  page.on(Medium::markup).heading(figures);
  for (const DocumentedTable& table : of.tables) {
    if (&table == &of.tables.front()) {
      page.attached();
    }
    page.on(Medium::terminal).heading(table.title + ": " + figures);
    page.on(Medium::markup).title({table.title});
    add_documented_table(page, table, CellLayout::all_figures);
  }
}

std::string counts_text(const TableDifferences& sum) {
  return fmt::format("{} {}, {} {} between document and Envoy, {} unexplained", sum.tables,
                     sum.tables == 1 ? "table" : "tables", sum.differences,
                     sum.differences == 1 ? "difference" : "differences", sum.unexplained);
}

// Returns one row per cell.
Sheet cell_records(const std::vector<ReprintedTables>& scenarios) {
  const auto number = [](const std::optional<double>& figure) { return figure ? shortest(*figure) : ""; };
  Sheet sheet{.fields = {{"scenario"},
                         {"table"},
                         {"row"},
                         {"column"},
                         {"documented"},
                         {"exact"},
                         {"simulated"},
                         {"differs"},
                         {"reason"}}};
  for (const ReprintedTables& of : scenarios) {
    for (const DocumentedTable& table : of.tables) {
      for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t i = 0; i < table.rows[row].cells.size(); ++i) {
          const DocumentedCell& cell = table.rows[row].cells[i];
          sheet.rows.push_back({of.scenario, table.title, fmt::format("{}", row + 1), table.columns[i].title,
                                cell.documented.text == "-" ? "" : shortest(cell.documented.number), number(cell.exact),
                                number(cell.simulated), cell.differs ? "x" : "", cell.reason});
        }
      }
    }
  }
  return sheet;
}

std::string tables_document(const std::vector<ReprintedTables>& scenarios) {
  using Json = documents::JsonText;
  const TableDifferences sum = differences_in(scenarios);
  Json rows = Json::array();
  for (const ReprintedTables& of : scenarios) {
    if (!of.tables.empty()) {
      rows.push_back({{"scenario", of.scenario},
                      {"source", of.source},
                      {"seed", of.seed},
                      {"requests", of.requests},
                      {"tables", tables_json(of.tables)}});
    }
  }
  const Json document{
      {"schema_version", 1}, {"differences", sum.differences}, {"unexplained", sum.unexplained}, {"scenarios", rows}};
  return json_lines(document.text());
}

struct TableMembers {
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<ReprintedTables> auto& of) {
    archive(of.scenario, of.source, of.seed, of.requests, of.tables);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<DocumentedTable> auto& table) {
    archive(table.title, table.columns, table.rows);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<scenario::Column> auto& column) {
    archive(column.title, column.quantity);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<DocumentedRow> auto& row) {
    archive(row.epoch, row.title, row.client, row.cells);
  }
  template <class Archive>
  static void visit(Archive& archive, run::ArchiveOf<DocumentedCell> auto& cell) {
    archive(cell.documented.text, cell.documented.number, cell.documented.decimals, cell.exact, cell.simulated,
            cell.differs, cell.reason);
  }
};

}  // namespace

ReprintedTables reprint_tables(const scenario::Scenario& scenario, const run::Results& results) {
  ReprintedTables of{scenario.name, scenario.source, results.seed, 0, documented_tables(scenario, results)};
  for (const run::Outcomes& row : results.outcomes) {
    of.requests += row.sent;
  }
  return of;
}

std::string to_bytes(const ReprintedTables& tables) {
  return run::to_bytes<TableMembers>(tables);
}

ReprintedTables reprinted_from_bytes(const std::string& bytes) {
  return run::from_bytes<TableMembers, ReprintedTables>(bytes);
}

TableDifferences differences_in(const std::vector<ReprintedTables>& scenarios) {
  TableDifferences sum;
  for (const ReprintedTables& of : scenarios) {
    sum.tables += of.tables.size();
    for (const DocumentedTable& table : of.tables) {
      for (const DocumentedRow& row : table.rows) {
        for (const DocumentedCell& cell : row.cells) {
          sum.differences += cell.differs ? 1 : 0;
          sum.unexplained += cell.differs && cell.reason.empty() ? 1 : 0;
        }
      }
    }
  }
  return sum;
}

std::string format_tables(const std::vector<ReprintedTables>& scenarios, Format format, const Look& look) {
  const auto page = [&](Page& whole) {
    for (const ReprintedTables& of : scenarios) {
      if (!of.tables.empty()) {
        add_tables(whole, of);
      }
    }
    whole.paragraph({counts_text(differences_in(scenarios))});
  };
  return reports::format({.page = page,
                          .records = [&] { return cell_records(scenarios); },
                          .wide = page,
                          .json = [&](const Sink& sink) { sink(tables_document(scenarios)); }},
                         format, look);
}

}  // namespace spillway::reports
