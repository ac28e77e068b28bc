// Formats diagnostics and failed expectations as workflow commands, which GitHub shows at lines of a pull request:
//
//   ::error file=a.yaml,line=3,col=5,title=SP104::unknown zone `zone-4`
//
// Each is one line. Source: GitHub's documentation, workflow commands. Percent signs, line ends, and in properties
// colons and commas, are escaped as in GitHub's toolkit.
#pragma once

#include <string>
#include <vector>

#include "models/documents/diagnostic.hpp"
#include "models/documents/source.hpp"
#include "reports/expectations/verdict.hpp"

namespace spillway::reports {

[[nodiscard]] std::string github_annotations(const Diagnostics& diagnostics, const Sources& sources);

// Returns errors for expectations that failed or were not tested.
[[nodiscard]] std::string github_annotations(const Verdicts& verdicts, const Sources& sources);

// A message at a line.
struct Annotation {
  const char* level = "notice";  // "notice", "warning", "error"
  Span where = {};
  std::string title;
  std::string message;
};
[[nodiscard]] std::string github_annotations(const std::vector<Annotation>& annotations, const Sources& sources);

}  // namespace spillway::reports
