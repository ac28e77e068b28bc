// The files that `spillway run` writes during the simulation, if requested: one line per request (`--trace`) and one
// per event (`--events`).
#pragma once

#include <optional>

#include "cli/line_file.hpp"
#include "reports/requests/request_lines.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

class RunFiles {
 public:
  // Opens the files. Lifetime: `arguments` and `scenario` must outlive this object.
  RunFiles(const Arguments& arguments, const scenario::Scenario& scenario);

  // Sets the callbacks in `options` that write the files. Lifetime: this object must outlive the simulation.
  void ask(run::Options& options);

  // Returns an error if a file could not be opened; nullopt otherwise.
  [[nodiscard]] std::optional<UsageProblem> problem() const;

  // Closes the files. Returns an error if one is incomplete.
  [[nodiscard]] std::optional<UsageProblem> finish();

 private:
  const Arguments& arguments_;
  const scenario::Scenario& scenario_;
  reports::RequestLines requests_;
  std::optional<LineFile> trace_;
  std::optional<LineFile> events_;
};

}  // namespace spillway::cli
