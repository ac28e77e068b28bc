// Texts that replace files: a scenario generated from pasted documents is read as if a file contained it.
//
//   documents::lay_over("assumed.yaml", text);
//   documents::load_source("assumed.yaml", 0, problems);   // returns this text
//
// An overlay lasts until the process ends. Only the program can add one; no document can.
#pragma once

#include <string>

namespace spillway::documents {

void lay_over(const std::string& path, std::string text);

// Returns the text that replaces a file; null if none does.
[[nodiscard]] const std::string* laid_over(const std::string& path);

}  // namespace spillway::documents
