#include "cli/dump_check_output.hpp"

#include <algorithm>

#include "cli/ending.hpp"
#include "cli/terminal.hpp"

namespace spillway::cli {
namespace {

constexpr std::size_t most_in_memory = std::size_t{16} << 20U;

}  // namespace

void DumpCheckOutput::append(std::string_view piece) {
  if (streams_) {
    write(piece);
    return;
  }
  waiting_ += piece;
  if (waiting_.size() >= most_in_memory) {
    move_to_file();
  }
}

void DumpCheckOutput::move_to_file() {
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

void DumpCheckOutput::write(std::string_view text) {
  if (failure_.empty()) {
    failure_ = write_all(Stream::output, text);
  }
}

std::string DumpCheckOutput::print() {
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

}  // namespace spillway::cli
