// Formats requests as lines of comma-separated values.
//
//   RequestLines lines(scenario);
//   lines.add(request);                                  // of run::Options::trace
//   if (lines.text().size() > enough) { write(lines.text()); lines.clear(); }
//
// The first line names the columns (docs/output.md). Times have nine decimals. The caller writes and clears the text to
// keep it small. Formatting a line does not allocate once the text has grown.
#pragma once

#include <string>
#include <vector>

namespace spillway::run {
struct TracedRequest;  // request_trace.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class RequestLines {
 public:
  // Creates the header line. Lifetime: the scenario must outlive this object.
  explicit RequestLines(const scenario::Scenario& scenario);

  void add(const run::TracedRequest& request);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  void clear() noexcept { text_.clear(); }

 private:
  const scenario::Scenario& scenario_;
  std::vector<std::string> clients_;  // names as fields, by index
  std::vector<std::string> services_;
  std::vector<std::string> endpoints_;
  std::vector<std::string> zones_;
  std::string text_;
};

}  // namespace spillway::reports
