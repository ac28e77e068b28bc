#include "cli/line_file.hpp"

#include <cerrno>
#include <system_error>

namespace spillway::cli {

LineFile::LineFile(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) {
    fail();
    return;
  }
  // Pieces are large enough.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

void LineFile::fail() {
  failure_ = std::generic_category().message(errno);
}

void LineFile::write() {
  if (file_ && failure_.empty() && std::fwrite(waiting_.data(), 1, waiting_.size(), file_.get()) != waiting_.size()) {
    fail();
  }
  waiting_.clear();
}

std::string LineFile::finish() {
  write();
  if (file_ && std::fclose(file_.release()) != 0 && failure_.empty()) {
    fail();
  }
  return failure_;
}

}  // namespace spillway::cli
