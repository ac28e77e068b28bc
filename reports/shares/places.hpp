// Short texts for a diagnostic and for a position in a file.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::reports {

// Returns the first line of a diagnostic: "warning[SP231]: failoverThreshold 70 acts as 100".
[[nodiscard]] std::string headline(const Diagnostic& diagnostic);

// Returns "failover.yaml:20:27".
[[nodiscard]] std::string place_text(const Span& where, const Sources& sources);

}  // namespace spillway::reports
