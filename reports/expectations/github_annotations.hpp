// Diagnostics and failed expectations as commands that GitHub's runner reads from a log and shows at their lines of a
// pull request:
//
//   ::error file=a.yaml,line=3,col=5,title=SP104::unknown zone `zone-4`
//
// One line each. Source: GitHub's documentation, workflow commands; percent, line ends, and in properties colons and
// commas are escaped as its toolkit does.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "reports/expectations/verdict.hpp"

namespace spillway::reports {

[[nodiscard]] std::string github_annotations(const Diagnostics& diagnostics,
                                             const Sources& sources);

// Errors for what fails or was not tested.
[[nodiscard]] std::string github_annotations(const Verdicts& verdicts, const Sources& sources);

// Whatever else is to be said at a line.
struct Annotation {
  const char* level = "notice";  // "notice", "warning", "error"
  Span where = {};
  std::string title;
  std::string message;
};
[[nodiscard]] std::string github_annotations(const std::vector<Annotation>& annotations,
                                             const Sources& sources);

}  // namespace spillway::reports
