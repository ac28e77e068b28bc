// Commands about a scenario that simulates a control plane.
#pragma once

#include <variant>

#include "reports/plot/picture.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::control_plane {
struct Results;  // results.hpp
}  // namespace spillway::control_plane

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp
struct UsageProblem;   // usage_problem.hpp

// Executes `spillway run` for a scenario that was read.
[[nodiscard]] CommandResult run_control_plane(const Arguments& arguments, const scenario::Reading& reading);

// Simulates with the command line's options, or returns the option that does not apply.
[[nodiscard]] std::variant<control_plane::Results, UsageProblem> simulate_control_plane(const Arguments& arguments,
                                                                                        scenario::Scenario& scenario);

// True for a scenario of a control plane, which most commands do not simulate; prints the error.
[[nodiscard]] bool refuse_control_plane(const scenario::Reading& reading, const Arguments& arguments);

}  // namespace spillway::cli
