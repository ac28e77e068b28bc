// Commands about a scenario that simulates a control plane.
#pragma once

#include <variant>

#include "reports/plot/picture.hpp"

namespace spillway::control_plane {
struct Results;  // results.hpp
}  // namespace spillway::control_plane

namespace spillway::scenario {
struct Reading;   // read_scenario.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::cli {

struct Arguments;      // arguments.hpp
struct CommandResult;  // commands.hpp
struct UsageProblem;   // usage_problem.hpp

// `spillway run` of a scenario that was read.
[[nodiscard]] CommandResult run_control_plane(const Arguments& arguments, const scenario::Reading& reading);

// Played as the command line says, or what of the command line makes no sense for it.
[[nodiscard]] std::variant<control_plane::Results, UsageProblem> simulate_control_plane(const Arguments& arguments,
                                                                                        scenario::Scenario& scenario);

// What commands say that do not play one; nothing for other scenarios.
[[nodiscard]] std::optional<UsageProblem> refuse_control_plane(const scenario::Scenario& scenario);

}  // namespace spillway::cli
