// Renders diagnostics for people, in the style of rustc, and for programs, as JSON.
//
//   error[SP104]: unknown zone `zone-4`
//     --> failover.yaml:20:27
//      |
//   20 |       - { count: 5, zone: zone-4, service_time: 4ms }
//      |                           ^^^^^^ no zone of this name
//      = note: the zones are zone-1, zone-2, zone-3 (line 7)
//      = help: did you mean `zone-3`?
#pragma once

#include <cstddef>
#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::documents {

struct RenderOptions {
  bool color = false;      // ANSI colours
  std::size_t most = 100;  // limit of the diagnostics shown; a last line counts the rest
};

// Renders diagnostics in the given order, each followed by an empty line. Cuts long source lines around the location.
// Shows characters that could control a terminal as escapes such as \x1b or \u{202e}.
[[nodiscard]] std::string render_diagnostics(const Diagnostics& diagnostics, const Sources& sources,
                                             const RenderOptions& options = {});

// Returns an array of {"severity", "code", "message", "file", "line", "column", "length", "label", "notes", "helps"},
// indented, with a final newline.
[[nodiscard]] std::string diagnostics_json(const Diagnostics& diagnostics, const Sources& sources);

}  // namespace spillway::documents
