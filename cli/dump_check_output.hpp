// Buffers standard output until it is complete. If the program ends during formatting (--limit-time, --limit-memory),
// no partial output is left.
//
//   DumpCheckOutput output;
//   output.append("endpoint,share\n");
//   if (const std::string failure = output.print(); !failure.empty()) { ... }   // "No space left on device"
//
// Large results are kept in an unnamed temporary file. If that file cannot grow, pieces are written directly, and the
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

  // Stops the clock of --limit-time, then writes everything. Returns the reason of a failure; empty on success.
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
  bool streams_ = false;     // pieces are written directly
  std::string failure_;
};

}  // namespace spillway::cli
