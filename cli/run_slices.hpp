// Where the rows of `spillway run` that are shown begin.
#pragma once

#include <optional>
#include <vector>

#include "sim/run/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// How a scenario is played for the rows that are asked for. Cuts move no request, so that one run is enough unless
// somebody looks at the epochs themselves: expectations, JSON, metrics.
struct Slicing {
  std::vector<run::Nanoseconds> cuts = {};  // empty: epochs are shown
  bool joins_alike_rows = false;
  bool simulates_epochs = false;  // besides
};

// `--every` cuts evenly and `--every-event` at every event; else a table of shares or requests begins a row at what
// really happens too, where nothing is expected of its epochs and there are few of them; and evenly from the first
// failure on where proxies find out by themselves who fails. JSON has rows from event to event beside its epochs.
[[nodiscard]] Slicing slicing_of(const Arguments& arguments, const scenario::Scenario& scenario);

// Where the slices of a report's or a plot's drawings begin: evenly, and where something really happens; nothing in
// mode exact, and where clients are so many that it would be too much.
[[nodiscard]] std::vector<run::Nanoseconds> report_cuts(const Arguments& arguments, const scenario::Scenario& scenario);

// What is wrong with `--every` for this scenario (SP904): more rows than a table can have.
[[nodiscard]] std::optional<UsageProblem> check_every(const Arguments& arguments, const scenario::Scenario& scenario);

}  // namespace spillway::cli
