
#include "models/documents/json_writer.hpp"
#include "models/documents/render_diagnostics.hpp"

namespace spillway::documents {

std::string diagnostics_json(const Diagnostics& diagnostics, const Sources& sources) {
  JsonText list = JsonText::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    JsonText entry;
    entry.add("severity", diagnostic.severity == Severity::error ? "error" : "warning");
    entry.add("code", diagnostic.code);
    entry.add("message", diagnostic.message);
    entry.add("file", diagnostic.where.file < sources.size() ? sources[diagnostic.where.file].name : "");
    entry.add("line", diagnostic.where.line);
    entry.add("column", diagnostic.where.column);
    entry.add("length", diagnostic.where.length);
    entry.add("label", diagnostic.label);
    entry.add("notes", diagnostic.notes);
    entry.add("helps", diagnostic.helps);
    list.push_back(std::move(entry));
  }
  return indented(list, 2) + "\n";
}

}  // namespace spillway::documents
