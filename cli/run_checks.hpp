// Checks the command line of `spillway run` against its scenario.
#pragma once

#include <optional>

#include "sim/scenario/forward.hpp"

namespace spillway::reports {
class Dimensions;  // group_by.hpp
}  // namespace spillway::reports

namespace spillway::cli {

struct Arguments;     // arguments.hpp
struct UsageProblem;  // usage_problem.hpp

// Returns the first problem: options that this scenario does not allow, names that it does not have, files that would
// be overwritten, more output than can be read. nullopt if there is none.
[[nodiscard]] std::optional<UsageProblem> problem_of_run(const Arguments& arguments, const scenario::Reading& reading,
                                                         const reports::Dimensions& by);

}  // namespace spillway::cli
