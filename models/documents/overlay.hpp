// Texts that stand in for files: what a command makes of pasted documents is read as if a file contained it.
//
//   documents::lay_over("assumed.yaml", text);
//   documents::load_source("assumed.yaml", 0, problems);   // returns this text
//
// They last for the process. Only the program itself lays a text over a name, no document can.
#pragma once

#include <string>

namespace spillway::documents {

void lay_over(const std::string& path, std::string text);

// Returns the text that stands in for a file; null if none does.
[[nodiscard]] const std::string* laid_over(const std::string& path);

}  // namespace spillway::documents
