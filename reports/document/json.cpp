// Writes the report's own JSON, whose keys are a promise and not derived.
#include "reports/document/document.hpp"

namespace spillway::reports {

void write_json(const Document& document, const Look&, const Sink& sink) {
  document.json(sink);
}

}  // namespace spillway::reports
