// Files that a scenario names, and what messages may show of them: a scenario may be a stranger's (a pull request), and
// the file that it names none of theirs.
//
//   const std::string path = path_beside(sources.front(), "documents/mesh.yaml");
//   source.shown = shown_of(sources.front(), path);
//   hide_contents(sources, problems);
#pragma once

#include <string>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// Relative to the folder of the scenario's file; of standard input, to the present one.
[[nodiscard]] std::string path_beside(const SourceFile& scenario, const std::string& written);

// Lines of files below the scenario's folder, links followed; of others the codes of their mistakes alone.
[[nodiscard]] Shown shown_of(const SourceFile& scenario, const std::string& path);

// Whether a trace may be read from there: below the scenario's folder, or anywhere once that is allowed. For the life
// of the process, by who started it: no scenario can.
[[nodiscard]] bool may_be_read(const SourceFile& scenario, const std::string& path);
void allow_files_anywhere();

// Mistakes in files of which codes alone are shown lose everything that could quote them. Where there is no error the
// files are what they are taken for, and warnings keep their words.
void hide_contents(const Sources& sources, Diagnostics& problems);

}  // namespace spillway::scenario
