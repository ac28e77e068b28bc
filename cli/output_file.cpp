#include "cli/output_file.hpp"

#include <fstream>

namespace spillway::cli {

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

}  // namespace spillway::cli
