// Commands about a scenario that simulates a control plane.
#pragma once

#include "cli/commands.hpp"
#include "reports/plot/picture.hpp"
#include "sim/control_plane/results.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {

// `spillway run` of a scenario that was read.
[[nodiscard]] CommandResult run_control_plane(const Arguments& arguments, const scenario::Reading& reading);

// Played as the command line says, or what of the command line makes no sense for it.
[[nodiscard]] std::variant<control_plane::Results, UsageProblem> simulate_control_plane(const Arguments& arguments,
                                                                                        scenario::Scenario& scenario);

// What commands say that do not play one; nothing for other scenarios.
[[nodiscard]] std::optional<UsageProblem> refuse_control_plane(const scenario::Scenario& scenario);

}  // namespace spillway::cli
