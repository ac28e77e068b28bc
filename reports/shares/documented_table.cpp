#include "reports/shares/documented_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "reports/document/document.hpp"
#include "reports/document/sheet.hpp"
#include "reports/expectations/judge.hpp"
#include "reports/shares/measure.hpp"
#include "reports/shares/table_rows.hpp"
#include "reports/text/figures.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports {
namespace {

using scenario::Column;
using scenario::Quantity;

DocumentedCell fill_in(const scenario::Cell& cell, const Column& column, const scenario::Scenario& scenario,
                       const run::Results& results, const run::Epoch* epoch) {
  DocumentedCell filled{cell.documented, std::nullopt, std::nullopt, false, cell.reason};
  if (epoch == nullptr) {
    return filled;
  }
  const Measured measured = measure(scenario, results, *epoch, column);
  filled.exact = measured.exact;
  filled.simulated = measured.simulated;
  filled.differs = !cell.expects_nothing() && measured.exact && !prints_as(*measured.exact, cell.documented);
  return filled;
}

DocumentedTable fill_in(const scenario::ExpectedTable& expected, const scenario::Scenario& scenario,
                        const run::Results& all_results) {
  DocumentedTable table{expected.title, expected.columns, {}};
  const run::Results results = results_for(expected, scenario, all_results);
  const std::vector<RowEpoch> epochs = row_epochs(expected, scenario, results);
  for (std::size_t row = 0; row < expected.rows.size(); ++row) {
    const run::Epoch* epoch = row < epochs.size() ? epochs[row].epoch : nullptr;
    DocumentedRow& filled = table.rows.emplace_back();
    filled.title = row_title(row, epoch == nullptr ? nullptr : &epochs[row]);
    if (epoch != nullptr) {
      filled.epoch = epoch->index;
      filled.client = epochs[row].client;
    }
    for (std::size_t i = 0; i < std::min(expected.columns.size(), expected.rows[row].size()); ++i) {
      filled.cells.push_back(fill_in(expected.rows[row][i], expected.columns[i], scenario, results, epoch));
    }
  }
  return table;
}

bool names_clients(const DocumentedTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [](const DocumentedRow& row) { return !row.client.empty(); });
}

std::string mark_of(const DocumentedCell& cell) {
  if (!cell.differs) {
    return "";
  }
  return cell.reason.empty() ? " !" : " x";
}

// Returns the figures of a cell, which bars separate; a single figure has its sign.
std::vector<std::string> figures_of(const DocumentedCell& cell, const Column& column, CellLayout layout) {
  const bool counted = column.quantity == Quantity::share || column.quantity == Quantity::attempts;
  const bool all = layout == CellLayout::all_figures && counted;
  if (!all && !cell.differs) {
    return {figure_text(cell.documented, column.quantity)};
  }
  std::vector<std::string> figures{bare_figure(cell.documented, column.quantity)};
  figures.push_back(cell.exact ? bare_measured(*cell.exact, column.quantity) : "-");
  if (all && cell.simulated) {
    figures.push_back(simulated_percent(*cell.simulated / 100.0));
  }
  return figures;
}

// Aligns the figures of one column with each other.
class ColumnLayout {
 public:
  ColumnLayout(const DocumentedTable& table, std::size_t column, CellLayout layout) {
    for (const DocumentedRow& row : table.rows) {
      if (column >= row.cells.size()) {
        continue;
      }
      const auto figures = figures_of(row.cells[column], table.columns[column], layout);
      if (figures.size() == 1) {
        continue;  // a single figure needs no alignment
      }
      widths_.resize(std::max(widths_.size(), figures.size()), 0);
      for (std::size_t i = 0; i < figures.size(); ++i) {
        widths_[i] = std::max(widths_[i], display_width(figures[i]));
      }
    }
    marked_ = std::any_of(table.rows.begin(), table.rows.end(), [&](const DocumentedRow& row) {
      return column < row.cells.size() && row.cells[column].differs;
    });
  }

  [[nodiscard]] std::string text(const DocumentedCell& cell, const Column& column, CellLayout layout) const {
    std::vector<std::string> figures = figures_of(cell, column, layout);
    if (figures.size() > 1) {
      for (std::size_t i = 0; i < figures.size(); ++i) {
        figures[i] = padded(figures[i], widths_[i], Align::right);
      }
    }
    const std::string mark = mark_of(cell);
    return joined(figures, " | ") + (marked_ && mark.empty() ? "  " : mark);
  }

 private:
  std::vector<int> widths_;
  bool marked_ = false;
};

std::string cell_text(const DocumentedCell& cell, const Column& column, CellLayout layout) {
  return joined(figures_of(cell, column, layout), " | ") + mark_of(cell);
}

std::vector<std::string> reason_lines(const DocumentedTable& table) {
  std::vector<std::pair<std::string, std::vector<std::string>>> cells_by_reason;
  for (const DocumentedRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const DocumentedCell& cell = row.cells[i];
      if (!cell.differs) {
        continue;
      }
      const std::string reason = cell.reason.empty() ? "unexplained difference" : printable(cell.reason);
      const std::string line = (cell.reason.empty() ? "!  " : "x  ") + reason;
      auto found = std::find_if(cells_by_reason.begin(), cells_by_reason.end(),
                                [&](const auto& entry) { return entry.first == line; });
      if (found == cells_by_reason.end()) {
        found = cells_by_reason.insert(found, {line, {}});
      }
      found->second.push_back(fmt::format("{}, {}", row.title, printable(table.columns[i].title)));
    }
  }
  std::vector<std::string> lines;
  for (const auto& [line, cells] : cells_by_reason) {
    lines.push_back(cells_by_reason.size() == 1 ? line : fmt::format("{}  [{}]", line, joined(cells, "; ")));
  }
  return lines;
}

// Lays the table out as its document does; on a terminal the figures of a column are aligned.
Sheet table_sheet(const DocumentedTable& table, CellLayout layout, bool in_columns) {
  Sheet sheet{.empty = ""};
  const bool by_client = names_clients(table);
  if (by_client) {
    sheet.fields.push_back({"client"});
  }
  std::vector<ColumnLayout> layouts;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    sheet.fields.push_back({table.columns[i].title, true});
    layouts.emplace_back(table, i, layout);
  }
  for (const DocumentedRow& row : table.rows) {
    SheetRow cells(table.columns.size());
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      cells[i] = in_columns ? layouts[i].text(row.cells[i], table.columns[i], layout)
                            : cell_text(row.cells[i], table.columns[i], layout);
    }
    if (by_client) {
      cells.insert(cells.begin(), row.client);
    }
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

// Adds one block per row, if the columns do not fit.
void add_blocks(Page& page, const DocumentedTable& table, CellLayout layout) {
  bool is_first = true;
  for (const DocumentedRow& row : table.rows) {
    if (!std::exchange(is_first, false)) {
      page.attached();
    }
    page.paragraph({row.title}, 1);
    Sheet block{.fields = {{""}, {""}}, .indent = 3, .empty = ""};
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      block.rows.push_back({table.columns[i].title, cell_text(row.cells[i], table.columns[i], layout)});
    }
    page.attached().sheet(block);
  }
}

}  // namespace

std::vector<DocumentedTable> documented_tables(const scenario::Scenario& scenario, const run::Results& results) {
  std::vector<DocumentedTable> tables;
  for (const scenario::Expectation& expectation : scenario.expectations) {
    const auto* expected = std::get_if<scenario::ExpectedTable>(&expectation);
    if (expected != nullptr) {
      tables.push_back(fill_in(*expected, scenario, results));
    }
  }
  return tables;
}

bool has_differences(const DocumentedTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const DocumentedRow& row) {
    return std::any_of(row.cells.begin(), row.cells.end(), [](const DocumentedCell& cell) { return cell.differs; });
  });
}

void add_documented_table(Page& page, const DocumentedTable& table, CellLayout layout) {
  Sheet in_columns = table_sheet(table, layout, true);
  in_columns.always_fits = true;
  in_columns.narrow = [&](Page& narrow) { add_blocks(narrow, table, layout); };
  page.on(Medium::terminal).sheet(in_columns);
  page.on(Medium::markup).sheet(table_sheet(table, layout, false));
  page.attached().list(reason_lines(table));
}

}  // namespace spillway::reports
