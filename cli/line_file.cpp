#include "cli/line_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "reports/formats.hpp"

namespace spillway::cli {

namespace {

namespace fs = std::filesystem;

// Returns the permissions of the existing file, or those that a new file would get.
mode_t mode_of(const std::string& path) {
  struct stat there{};
  if (stat(path.c_str(), &there) == 0) {
    return there.st_mode & 07777U;
  }
  const mode_t mask = umask(0);
  umask(mask);
  return 0666U & ~mask;
}

}  // namespace

LineFile::LineFile(const std::string& path, Appears appears) : path_(path) {
  std::error_code unknown;
  const fs::file_status there = fs::status(path, unknown);
  if (appears == Appears::whole && (!fs::exists(there) || fs::is_regular_file(there))) {
    // A symbolic link is kept: its target is replaced.
    const fs::path target = fs::exists(there) ? fs::canonical(path, unknown) : fs::path(path);
    path_ = unknown ? path : target.string();
    open_beside();
  }
  if (!file_ && failure_.empty()) {
    file_.reset(std::fopen(path.c_str(), "wb"));
  }
  if (!file_) {
    if (failure_.empty()) {
      fail();
    }
    return;
  }
  // Unbuffered, because the pieces are large.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
}

// Opens a temporary file in the folder. If the folder does not allow it, opens the existing file itself.
void LineFile::open_beside() {
  const fs::path path(path_);
  std::string name = (path.parent_path() / ("." + path.filename().string() + ".XXXXXX")).string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) {
    return;
  }
  written_ = name;
  unfinished_.watch(name);
  if (fchmod(descriptor, mode_of(path_)) == 0) {
    file_.reset(fdopen(descriptor, "wb"));
  }
  if (!file_) {
    fail();
    close(descriptor);
  }
}

LineFile::~LineFile() {
  file_.reset();
  if (!written_.empty()) {
    (void)std::remove(written_.c_str());
  }
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
  if (file_ && failure_.empty() && !written_.empty() && fsync(fileno(file_.get())) != 0) {
    fail();
  }
  if (file_ && std::fclose(file_.release()) != 0 && failure_.empty()) {
    fail();
  }
  if (failure_.empty() && !written_.empty()) {
    if (std::rename(written_.c_str(), path_.c_str()) == 0) {
      written_.clear();
      unfinished_.release();
    } else {
      fail();
    }
  }
  return failure_;
}

}  // namespace spillway::cli
