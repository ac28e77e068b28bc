// Formats one line per record, under the names of its fields.
#include "reports/document/document.hpp"
#include "reports/text/escapes.hpp"

namespace spillway::reports {

void write_csv(const Document& document, const Look&, const Sink& sink) {
  const Sheet records = document.records();
  std::vector<std::string> names;
  for (const SheetField& field : records.fields) {
    names.push_back(field.name);
  }
  std::string text = names.empty() ? "" : csv_line(names);
  for_each_row(records, [&](const SheetRow& row) {
    text += csv_line(row);
    write_full(text, sink);
  });
  sink(text);
}

}  // namespace spillway::reports
