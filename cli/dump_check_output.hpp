// Standard output, of which nothing is written until all of it is made: what ends the program while results are being
// formatted (--limit-time, --limit-memory) leaves no part of a file behind.
//
//   DumpCheckOutput output;
//   output.append("endpoint,share\n");
//   if (const std::string failure = output.print(); !failure.empty()) { ... }   // "No space left on device"
//
// Large results wait in a temporary file without a name. If it takes no more, pieces are written as they come, and the
// clock of --limit-time is stopped.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace spillway::cli {

class DumpCheckOutput {
 public:
  void append(std::string_view piece);

  // Stops the clock of --limit-time, then writes everything; returns why it could not, else an empty text.
  [[nodiscard]] std::string print();

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };

  void move_to_file();
  void write(std::string_view text);

  std::string waiting_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t in_file_ = 0;  // [bytes]
  bool streams_ = false;     // pieces are written as they come
  std::string failure_;
};

}  // namespace spillway::cli
