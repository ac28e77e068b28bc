// A file with a line for each request of a run, written piece by piece.
//
//   TraceFile trace(path, scenario);
//   options.trace = [&](const run::TracedRequest& request) { trace.add(request); };
//   ... play ...
//   if (const std::string failure = trace.finish(); !failure.empty()) { say(failure); }
//
// What could not be opened or written ends the writing, not the run; finish says why.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "reports/request_lines.hpp"

namespace spillway::cli {

class TraceFile {
 public:
  // The scenario must outlive this. What is there already is written over.
  TraceFile(const std::string& path, const scenario::Scenario& scenario);

  void add(const run::TracedRequest& request) {
    lines_.add(request);
    if (lines_.text().size() >= piece) {
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

  reports::RequestLines lines_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string failure_;
};

}  // namespace spillway::cli
