// A file that is written in large pieces.
//
//   LineFile file("requests.csv", LineFile::Appears::whole);
//   file.append("0.000000000,client,1\n");
//   if (const std::string failure = file.finish(); !failure.empty()) { say(failure); }
//
// `whole`: the file has a temporary name in the same folder until it is complete. So a full disk or a kill leaves the
// old file intact. A special file (/dev/null, a pipe) is written directly. `growing`: other programs can read the file
// while it grows. A failure to open or write stops the writing, not the run; finish() returns the reason.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/ending.hpp"

namespace spillway::cli {

class LineFile {
 public:
  enum class Appears { whole, growing };

  // Opens the file. An existing file is overwritten.
  LineFile(const std::string& path, Appears appears);
  LineFile(LineFile&& other) = delete;
  // Removes the file unless it is complete.
  ~LineFile();

  void append(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= piece) {
      write();
    }
  }

  // Returns why the file cannot be written, "No space left on device"; empty if it can.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

  // Writes the rest and closes the file. Returns why it is incomplete; empty on success.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t piece = 1U << 18U;
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void open_beside();
  void write();
  void fail();

  std::string path_;
  std::string written_;  // temporary name until the file is complete; empty if it is the final name
  UnfinishedFile unfinished_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string waiting_;
  std::string failure_;
};

}  // namespace spillway::cli
