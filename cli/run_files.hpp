// The files that `spillway run` writes while it simulates: a line for each request (`--trace`) and for each happening
// (`--events`), as far as they are asked for.
#pragma once

#include <optional>
#include <string>

#include "cli/line_file.hpp"
#include "reports/requests/request_lines.hpp"

namespace spillway::run {
struct Options;  // run.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

class RunFiles {
 public:
  // Opens them. `arguments` and `scenario` outlive it.
  RunFiles(const Arguments& arguments, const scenario::Scenario& scenario);

  // Has `options` hand over what is written; they are simulated while this lives.
  void ask(run::Options& options);

  // What could not be opened; nothing: all is open.
  [[nodiscard]] std::optional<UsageProblem> problem() const;

  // Closes them; what is not whole.
  [[nodiscard]] std::optional<UsageProblem> finish();

 private:
  const Arguments& arguments_;
  const scenario::Scenario& scenario_;
  reports::RequestLines requests_;
  std::optional<LineFile> trace_;
  std::optional<LineFile> events_;
};

}  // namespace spillway::cli
