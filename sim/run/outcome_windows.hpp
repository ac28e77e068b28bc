// Outcomes of the requests sent in the windows for which a scenario expects a number of outcomes.
//
//   results.outcomes_in_windows = outcomes_in_windows(scenario, options, results);
//
// If a window begins and ends with rows, its outcomes are those of the rows. If one does not, the run is simulated
// again, with the same requests and with rows that end there: it takes twice as long.
#pragma once

#include <vector>

#include "sim/scenario/forward.hpp"

namespace spillway::run {

struct Options;   // run.hpp
struct Outcomes;  // results.hpp
struct Results;   // results.hpp

// Returns outcomes by scenario::outcome_windows; empty in mode exact. `results` is of a run with these options.
[[nodiscard]] std::vector<Outcomes> outcomes_in_windows(const scenario::Scenario& scenario, const Options& options,
                                                        const Results& results);

}  // namespace spillway::run
