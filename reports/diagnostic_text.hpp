// Problems of the input as people read them, in the manner of rustc:
//
//   error[SP104]: unknown zone `zone-4`
//     --> failover.yaml:20:27
//      |
//   20 |       - { count: 5, zone: zone-4, service_time: 4ms }
//      |                           ^^^^^^ no zone of this name
//      = note: the zones are zone-1, zone-2, zone-3 (line 7)
//      = help: did you mean `zone-3`?
#pragma once

#include <string>

#include "reports/text_table.hpp"
#include "sim/scenario/diagnostic.hpp"
#include "sim/scenario/source.hpp"

namespace spillway::reports {

// One after the other with an empty line between. Long source lines are cut around the place. Control characters of the
// file are spelled out.
[[nodiscard]] std::string diagnostics_text(const scenario::Diagnostics& diagnostics, const scenario::Sources& sources,
                                           const Look& look);

// "warning[SP231]: failoverThreshold 70 acts as 100": the first line alone.
[[nodiscard]] std::string headline(const scenario::Diagnostic& diagnostic);

// "failover.yaml:20:27".
[[nodiscard]] std::string place_text(const scenario::Span& where, const scenario::Sources& sources);

}  // namespace spillway::reports
