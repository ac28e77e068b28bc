// A file that is written in large pieces.
//
//   LineFile file("requests.csv", LineFile::Appears::whole);
//   file.append("0.000000000,client,1\n");
//   if (const std::string failure = file.finish(); !failure.empty()) { say(failure); }
//
// `whole`: it is written under a name of its own beside the one that it gets when it is finished, so that a full disk
// or a kill leaves what was there before; what is no ordinary file (/dev/null, a pipe) is written to straight.
// `growing`: for those who read along. What could not be opened or written ends the writing, not the run; finish says
// why.
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

  // What is there already is written over.
  LineFile(const std::string& path, Appears appears);
  LineFile(LineFile&& other) = delete;
  // What is not finished is not there.
  ~LineFile();

  void append(std::string_view text) {
    waiting_ += text;
    if (waiting_.size() >= piece) {
      write();
    }
  }

  // Why it cannot be written, "No space left on device"; empty: it can.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }

  // Writes the rest and closes the file; why it is not whole.
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
  std::string written_;  // the name until it is finished; empty: its own
  UnfinishedFile unfinished_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string waiting_;
  std::string failure_;
};

}  // namespace spillway::cli
