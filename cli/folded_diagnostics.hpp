// Diagnostics as a terminal shows them: repeated ones together, in one line each if asked for, errors last.
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"

namespace spillway::cli {

// Joins the warnings of ignored kinds (SP650) into one that counts them: "28 documents are ignored: Deployment (13),
// ...". Others stay as they are.
[[nodiscard]] Diagnostics with_ignored_kinds_together(Diagnostics problems);

// Moves errors behind warnings, so that they remain visible on the screen. The order within each stays.
void put_errors_last(Diagnostics& problems);

// Returns "mesh.yaml:12:3: error[SP104]: unknown zone `zone-4`: no zone of this name", a line each.
[[nodiscard]] std::string short_lines(const Diagnostics& problems, const Sources& sources);

}  // namespace spillway::cli
