// Golden files: what a formatter printed when somebody last looked at it and found it right.
//
//   CHECK(golden("reports/golden/table.txt", text) == text);
//
// With SPILLWAY_UPDATE_GOLDEN=1 in the environment the files are written anew instead; read the difference before you
// commit it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace spillway::support {

// The contents of tests/<path>; empty if there is no such file.
inline std::string golden(const std::string& path, const std::string& actual) {
  const std::string file = std::string(SPILLWAY_SOURCE_DIR) + "/tests/" + path;
  if (std::getenv("SPILLWAY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file, std::ios::binary) << actual;
  }
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace spillway::support
