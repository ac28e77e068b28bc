// Writes the report's own JSON. Its keys are stable (output.md), so it is not derived from sheets.
#include "reports/document/document.hpp"

namespace spillway::reports {

void write_json(const Document& document, const Look&, const Sink& sink) {
  document.json(sink);
}

}  // namespace spillway::reports
