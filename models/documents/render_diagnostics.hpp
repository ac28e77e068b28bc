// Diagnostics for people, in the manner of rustc, and for programs, as JSON.
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
  std::size_t most = 100;  // so many diagnostics are shown; a last line counts the others
};

// In the order given, an empty line after each. Long source lines are cut around the place, and whatever could drive a
// terminal (control characters, directions of writing) is shown as an escape such as \x1b or \u{202e}.
[[nodiscard]] std::string render_diagnostics(const Diagnostics& diagnostics, const Sources& sources,
                                             const RenderOptions& options = {});

// An array of {"severity", "code", "message", "file", "line", "column", "length", "label", "notes", "helps"}, pretty,
// with a line end.
[[nodiscard]] std::string diagnostics_json(const Diagnostics& diagnostics, const Sources& sources);

}  // namespace spillway::documents
