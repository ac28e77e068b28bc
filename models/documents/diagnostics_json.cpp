#include <nlohmann/json.hpp>

#include "models/documents/render_diagnostics.hpp"

namespace spillway::documents {

std::string diagnostics_json(const Diagnostics& diagnostics, const Sources& sources) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    nlohmann::ordered_json entry;
    entry["severity"] = diagnostic.severity == Severity::error ? "error" : "warning";
    entry["code"] = diagnostic.code;
    entry["message"] = diagnostic.message;
    entry["file"] = diagnostic.where.file < sources.size() ? sources[diagnostic.where.file].name : "";
    entry["line"] = diagnostic.where.line;
    entry["column"] = diagnostic.where.column;
    entry["length"] = diagnostic.where.length;
    entry["label"] = diagnostic.label;
    entry["notes"] = diagnostic.notes;
    entry["helps"] = diagnostic.helps;
    list.push_back(std::move(entry));
  }
  // A file's name may be any bytes.
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace spillway::documents
