// What became of the requests that were sent within the windows in which a scenario expects some number of outcomes.
//
//   results.outcomes_in_windows = outcomes_in_windows(scenario, options, results);
//
// Where a window begins and ends with rows, they are these rows' outcomes. Where one does not, the run is simulated
// once more, with the same requests and rows that end there: it takes twice as long.
#pragma once

#include <vector>

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

struct Options;   // run.hpp
struct Outcomes;  // results.hpp
struct Results;   // results.hpp

// By scenario::outcome_windows; empty in mode exact. `results` is of a run with these options.
[[nodiscard]] std::vector<Outcomes> outcomes_in_windows(const scenario::Scenario& scenario, const Options& options,
                                                        const Results& results);

}  // namespace spillway::run
