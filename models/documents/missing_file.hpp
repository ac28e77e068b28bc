// Advice on an unreadable file that the user named: a similar name, or the command that reads folders. Names that a
// scenario gives get no advice, because a scenario must not reveal the files next to it.
#pragma once

#include <string>

namespace spillway::documents {

// Returns the advice in words; empty if nothing is known. Reads at most a thousand names of the path's folder.
[[nodiscard]] std::string suggestion_of_path(const std::string& path);

}  // namespace spillway::documents
