// Files that the program is asked to write beside its results.
#pragma once

#include <string>

namespace spillway::cli {

// False if it could not be written as a whole.
[[nodiscard]] bool write_file(const std::string& path, const std::string& text);

}  // namespace spillway::cli
