// Determines the times at which the shown rows of `spillway run` begin.
#pragma once

#include <optional>
#include <vector>

#include "sim/run/nanoseconds.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// The settings of a simulation for the requested rows. Cuts do not affect requests, so one run is enough unless the
// epochs themselves are needed: by expectations, JSON or metrics.
struct Slicing {
  std::vector<run::Nanoseconds> cuts = {};  // empty if epochs are shown
  bool joins_alike_rows = false;
  bool simulates_epochs = false;  // in an additional run
};

// Returns the cuts. `--every` cuts evenly, and `--every-event` at every event. Otherwise a table of shares or requests
// also begins a row at each actual change, if its epochs have no expectations and are few. It also cuts evenly after
// the first failure if proxies detect failures by themselves. JSON has rows from event to event in addition to its
// epochs.
[[nodiscard]] Slicing slicing_of(const Arguments& arguments, const scenario::Scenario& scenario);

// Returns where the slices of drawings in reports and plots begin: evenly, and at actual changes. Empty in mode exact,
// and if there are too many clients.
[[nodiscard]] std::vector<run::Nanoseconds> report_cuts(const Arguments& arguments, const scenario::Scenario& scenario);

// Returns an error if `--every` needs more rows than a table can have (SP904).
[[nodiscard]] std::optional<UsageProblem> check_every(const Arguments& arguments, const scenario::Scenario& scenario);

}  // namespace spillway::cli
