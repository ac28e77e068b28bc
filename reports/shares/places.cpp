#include "reports/shares/places.hpp"

#include <fmt/format.h>

#include "reports/text/text_table.hpp"

namespace spillway::reports {

std::string headline(const Diagnostic& diagnostic) {
  return fmt::format("{}[{}]: {}", diagnostic.severity == Severity::error ? "error" : "warning", diagnostic.code,
                     printable(diagnostic.message));
}

std::string place_text(const Span& where, const Sources& sources) {
  const std::string file = where.file < sources.size() ? printable(sources[where.file].name) : "?";
  return fmt::format("{}:{}:{}", file, where.line, where.column);
}

}  // namespace spillway::reports
