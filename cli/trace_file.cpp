#include "cli/trace_file.hpp"

#include <cerrno>
#include <system_error>

namespace spillway::cli {

TraceFile::TraceFile(const std::string& path, const scenario::Scenario& scenario)
    : lines_(scenario), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) {
    fail();
    return;
  }
  // Pieces are large enough.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

void TraceFile::fail() {
  failure_ = std::generic_category().message(errno);
}

void TraceFile::write() {
  if (file_ && failure_.empty() &&
      std::fwrite(lines_.text().data(), 1, lines_.text().size(), file_.get()) != lines_.text().size()) {
    fail();
  }
  lines_.clear();
}

std::string TraceFile::finish() {
  write();
  if (file_ && std::fclose(file_.release()) != 0 && failure_.empty()) {
    fail();
  }
  return failure_;
}

}  // namespace spillway::cli
