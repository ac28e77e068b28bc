#include "reports/text/table_json.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "models/documents/json_writer.hpp"
#include "reports/shares/documented_table.hpp"
#include "sim/scenario/expectation.hpp"

namespace spillway::reports {
namespace {

using Json = documents::JsonText;

// Returns a figure in the unit of its column: a percentage, or a boolean for panic. Rounds the last digits of sums of
// doubles, so that ten times 8 % is 80, as in the document.
Json figure(const std::optional<double>& number, const scenario::Column& column) {
  if (!number) {
    return nullptr;
  }
  if (column.quantity == scenario::Quantity::panic) {
    return *number != 0.0;
  }
  return std::round(*number * 1e9) / 1e9;
}

Json table_json(const DocumentedTable& table) {
  Json columns = Json::array();
  for (const scenario::Column& column : table.columns) {
    columns.push_back(column.title);
  }
  Json rows = Json::array();
  for (const DocumentedRow& row : table.rows) {
    Json documented = Json::array();
    Json exact = Json::array();
    Json simulated = Json::array();
    Json differences = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const DocumentedCell& cell = row.cells[i];
      documented.push_back(cell.documented.text == "-" ? Json(nullptr)
                                                       : figure(cell.documented.number, table.columns[i]));
      exact.push_back(figure(cell.exact, table.columns[i]));
      simulated.push_back(figure(cell.simulated, table.columns[i]));
      if (cell.differs) {
        differences.push_back({{"column", table.columns[i].title}, {"reason", cell.reason}});
      }
    }
    Json entry = {{"epoch", row.epoch ? Json(*row.epoch) : Json(nullptr)},
                  {"documented", std::move(documented)},
                  {"exact", std::move(exact)},
                  {"simulated", std::move(simulated)},
                  {"differences", std::move(differences)}};
    if (!row.client.empty()) {
      entry.add("client", row.client);
    }
    rows.push_back(std::move(entry));
  }
  return {{"title", table.title}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

}  // namespace

std::vector<documents::JsonText> tables_json(const std::vector<DocumentedTable>& tables) {
  std::vector<Json> array;
  for (const DocumentedTable& table : tables) {
    array.push_back(table_json(table));
  }
  return array;
}

}  // namespace spillway::reports
