// What to do about a file that cannot be read, where its name was given by the user: the name that was meant, what
// reads a folder. (Not of names that a scenario gives: what lies beside a file is not shown to whom it is not.)
#pragma once

#include <string>

namespace spillway::documents {

// In words; empty where nothing is known. Looks at the folder of the path, at most a thousand names.
[[nodiscard]] std::string suggestion_of_path(const std::string& path);

}  // namespace spillway::documents
