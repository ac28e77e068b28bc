// Runs gnuplot and Graphviz as programs found on PATH, connected by pipes without a shell.
#pragma once

#include <chrono>
#include <string>
#include <variant>

#include "reports/plot/picture.hpp"

namespace spillway::cli {

struct UsageProblem;  // usage_problem.hpp

// Returns the image, or an error if the program is not installed (SP920), fails, prints no image, or exceeds `limit`
// and is ended (SP921). The program does not see the user's settings for it.
[[nodiscard]] std::variant<std::string, UsageProblem> draw(reports::plot::Program program, reports::plot::Image image,
                                                           const std::string& script, std::chrono::nanoseconds limit);

}  // namespace spillway::cli
