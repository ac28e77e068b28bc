// Access to files that a scenario names, and limits on quoting them. A scenario may come from a stranger (a pull
// request) who must not read other files.
//
//   const std::string path = path_beside(sources.front(), "documents/mesh.yaml");
//   source.shown = shown_of(sources.front(), path);
//   hide_contents(sources, problems);
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// Returns a path relative to the folder of the scenario's file; for standard input, relative to the current folder.
[[nodiscard]] std::string path_beside(const SourceFile& scenario, const std::string& written);

// Returns how much diagnostics may show: lines of files below the scenario's folder, with links followed; only codes of
// errors for other files.
[[nodiscard]] Shown shown_of(const SourceFile& scenario, const std::string& path);

// True if a trace may be read: it is below the scenario's folder, or files anywhere are allowed. allow_files_anywhere()
// lasts for the process; only the user who starts it can allow this, no scenario can.
[[nodiscard]] bool may_be_read(const SourceFile& scenario, const std::string& path);
void allow_files_anywhere();

// Removes from errors in files that may show only codes everything that could quote them. Without errors, the files
// have the expected format, and warnings keep their text.
void hide_contents(const Sources& sources, Diagnostics& problems);

}  // namespace spillway::scenario
