// The report's own JSON: its keys are a promise, not a rule.
#include "reports/document/document.hpp"

namespace spillway::reports {

void write_json(const Document& document, const Look&, const Sink& sink) {
  document.json(sink);
}

}  // namespace spillway::reports
