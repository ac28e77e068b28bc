// A file that grows while a scenario runs, written in large pieces.
//
//   LineFile file("events.jsonl");
//   file.append("{...}\n");
//   if (const std::string failure = file.finish(); !failure.empty()) { say(failure); }
//
// What could not be opened or written ends the writing, not the run; finish says why.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace spillway::cli {

class LineFile {
 public:
  // What is there already is written over.
  explicit LineFile(const std::string& path);

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

  void write();
  void fail();

  std::unique_ptr<std::FILE, Close> file_;
  std::string waiting_;
  std::string failure_;
};

}  // namespace spillway::cli
