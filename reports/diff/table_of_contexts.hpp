// Tables of a difference in which each row begins with its context.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reports/diff/context_words.hpp"
#include "reports/diff/diff_tables.hpp"
#include "reports/document/columns.hpp"

namespace spillway::reports {

// A table that merges rows that differ only in their context. Times with the same name become one row that lists all of
// them; failures become one row with the number of the others.
class TableOfContexts {
 public:
  TableOfContexts(const diff::Difference& difference, std::string subject);

  void field(std::string name, bool number = false) { sheet_.fields.push_back({std::move(name), number}); }

  // Adds a row: `cells` come after its context.
  void row(std::size_t context, std::vector<std::string> cells);

  // Returns the first 30 rows, which are the largest.
  [[nodiscard]] DiffTable finish();

 private:
  struct Row {
    std::size_t context = 0;
    std::vector<std::string> cells;
    std::vector<std::string> times;
    std::size_t more = 0;
  };
  const diff::Difference& difference_;
  std::vector<ContextLabel> names_;
  Sheet sheet_;
  std::vector<Row> rows_;
  std::map<std::vector<std::string>, std::size_t> places_;
};

// Builds the table from the rows that have a `context` and that `is_wanted` accepts.
template <class Row, class Rows, class Wanted>
DiffTable table_of_contexts(const diff::Difference& difference, std::string subject, const Columns<Row>& columns,
                            const Rows& rows, Wanted is_wanted) {
  TableOfContexts table(difference, std::move(subject));
  for (const SheetField& field : columns.fields()) {
    table.field(field.name, field.number);
  }
  for (const Row& row : rows) {
    if (is_wanted(row)) {
      table.row(row.context, columns.row(row));
    }
  }
  return table.finish();
}

template <class Row, class Rows>
DiffTable table_of_contexts(const diff::Difference& difference, std::string subject, const Columns<Row>& columns,
                            const Rows& rows) {
  return table_of_contexts(difference, std::move(subject), columns, rows, [](const Row&) { return true; });
}

}  // namespace spillway::reports
