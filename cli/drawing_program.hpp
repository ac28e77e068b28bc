// gnuplot and Graphviz as programs of their own, found on PATH and fed through pipes; no shell is between.
#pragma once

#include <chrono>
#include <string>
#include <variant>

#include "reports/plot/picture.hpp"

namespace spillway::cli {

struct UsageProblem;  // usage_problem.hpp

// The image, or why there is none: the program is not installed (SP920), fails, prints none, or takes longer than
// `limit` (SP921) and is ended. It sees none of the user's own settings for it.
[[nodiscard]] std::variant<std::string, UsageProblem> draw(reports::plot::Program program, reports::plot::Image image,
                                                           const std::string& script, std::chrono::nanoseconds limit);

}  // namespace spillway::cli
