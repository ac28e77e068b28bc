// Defines a sheet by its columns: each column's name next to the function that fills its cells.
//
//   Columns<run::EndpointLoad> columns;
//   columns.text("endpoint", [&](const auto& load) { return scenario.endpoints[load.endpoint.value].id; });
//   columns.number("requests", [](const auto& load) { return with_thousands(load.requests); }, any_requests);
//   Sheet sheet = columns.sheet("endpoints", loads);
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reports/document/sheet.hpp"

namespace spillway::reports {

template <class Row>
class Columns {
 public:
  using Cell = std::function<std::string(const Row&)>;

  // Add a column, unless `is_wanted` is false.
  void text(std::string name, Cell cell, bool is_wanted = true) { add({std::move(name)}, std::move(cell), is_wanted); }
  void number(std::string name, Cell cell, bool is_wanted = true) {
    add({std::move(name), true}, std::move(cell), is_wanted);
  }
  void verdict(std::string name, Cell cell) {
    SheetField field{std::move(name)};
    field.verdict = true;
    add(std::move(field), std::move(cell));
  }
  void add(SheetField field, Cell cell, bool is_wanted = true) {
    if (is_wanted) {
      fields_.push_back(std::move(field));
      cells_.push_back(std::move(cell));
    }
  }

  [[nodiscard]] const std::vector<SheetField>& fields() const noexcept { return fields_; }
  [[nodiscard]] SheetRow row(const Row& row) const {
    SheetRow cells;
    cells.reserve(cells_.size());
    for (const Cell& cell : cells_) {
      cells.push_back(cell(row));
    }
    return cells;
  }

  template <class Rows>
  [[nodiscard]] Sheet sheet(std::string subject, const Rows& rows) const {
    Sheet sheet{std::move(subject), fields_};
    for (const Row& each : rows) {
      sheet.rows.push_back(row(each));
    }
    return sheet;
  }

  // Returns a sheet whose cells are made on access. Lifetime: `rows` must outlive the sheet and its cells.
  template <class Rows>
  [[nodiscard]] Sheet made(std::string subject, const Rows& rows) && {
    Sheet sheet{std::move(subject), fields_};
    sheet.made = [columns = std::move(*this), &rows](const auto& visit) {
      for (const Row& each : rows) {
        visit(columns.row(each));
      }
    };
    return sheet;
  }

 private:
  std::vector<SheetField> fields_;
  std::vector<Cell> cells_;
};

}  // namespace spillway::reports
