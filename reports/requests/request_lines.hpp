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

#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

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
