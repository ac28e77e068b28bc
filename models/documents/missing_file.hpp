// Advice on an unreadable file that the user named: a similar name, or the command that reads folders. Names that a
// scenario gives get none, since a scenario must not reveal the files next to it.
#pragma once

#include <string>

namespace spillway::documents {

// In words; empty where nothing is known. Looks at the folder of the path, at most a thousand names.
[[nodiscard]] std::string suggestion_of_path(const std::string& path);

}  // namespace spillway::documents
