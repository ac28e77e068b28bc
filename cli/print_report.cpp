#include "cli/print_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/ending.hpp"
#include "cli/pasted_input.hpp"
#include "cli/terminal.hpp"

namespace spillway::cli {
namespace {

// Buffers standard output until it is complete. If the program ends during formatting (--limit-time, --limit-memory),
// no partial output is left.
//
//   CompleteOutput output;
//   output.append("endpoint,share\n");
//   if (const std::string failure = output.print(); !failure.empty()) { ... }   // "No space left on device"
//
// Large results are kept in an unnamed temporary file. If that file cannot grow, pieces are written directly, and the
// clock of --limit-time is stopped.
class CompleteOutput {
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

constexpr std::size_t most_in_memory = std::size_t{16} << 20U;

void CompleteOutput::append(std::string_view piece) {
  if (streams_) {
    write(piece);
    return;
  }
  waiting_ += piece;
  if (waiting_.size() >= most_in_memory) {
    move_to_file();
  }
}

void CompleteOutput::move_to_file() {
  if (!file_) {
    file_.reset(std::tmpfile());
    if (file_) {
      std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // pieces are large enough, and a full disk is detected at once
    }
  }
  if (file_ && std::fwrite(waiting_.data(), 1, waiting_.size(), file_.get()) == waiting_.size()) {
    in_file_ += waiting_.size();
    waiting_.clear();
    return;
  }
  failure_ = print();
  streams_ = true;
}

void CompleteOutput::write(std::string_view text) {
  if (failure_.empty()) {
    failure_ = write_all(Stream::output, text);
  }
}

std::string CompleteOutput::print() {
  stop_clock();
  if (file_) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) {
      failure_ = "the temporary file of the results cannot be read";
    }
    std::string piece(std::size_t{1} << 18U, '\0');
    while (in_file_ > 0 && failure_.empty()) {
      const std::size_t size = std::fread(piece.data(), 1, std::min(piece.size(), in_file_), file_.get());
      if (size == 0) {
        failure_ = "the temporary file of the results cannot be read";
      }
      write(std::string_view(piece).substr(0, size));
      in_file_ -= size;
    }
    file_.reset();
  }
  write(waiting_);
  waiting_.clear();
  return failure_;
}

}  // namespace

CommandResult print_report(const Arguments& arguments, const reports::Report& report, const reports::Dimensions& by,
                           ExitCode code) {
  CompleteOutput output;
  bool first = true;
  reports::write(report, arguments.format, by, look_of_output(arguments), [&](std::string_view piece) {
    std::string text = fitted_to_output(arguments, std::string(piece));
    if (first && arguments.format == reports::Format::json) {
      insert_assumed(text);
    }
    first = false;
    output.append(text);
  });
  if (const std::string failure = output.print(); !failure.empty() && !reader_has_exited()) {
    return refuse({"SP908", "cannot write to standard output: " + failure, ""});
  }
  return {"", code};
}

}  // namespace spillway::cli
