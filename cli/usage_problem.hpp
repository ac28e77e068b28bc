// Errors in the command line, with suggestions.
#pragma once

#include <string>
#include <vector>

namespace spillway::cli {

// An error that is printed as "error[SP901]: ..." with its help below.
struct UsageProblem {
  std::string code;
  std::string message;
  std::string help;  // may be empty
};

[[nodiscard]] UsageProblem problem(std::string code, std::string message, std::string help = "");

// Returns "did you mean `--seed`?"; empty if no candidate is near.
[[nodiscard]] std::string did_you_mean(const std::string& written, const std::vector<std::string>& candidates);

// Returns the error for a bad value. `wanted` is "it takes ...". The help names the nearest candidate. For a unit of
// another program it suggests the right one: "did you mean `10s`?" for 10sec.
[[nodiscard]] UsageProblem bad_value(const std::string& option, const std::string& value, const std::string& wanted,
                                     const std::vector<std::string>& candidates = {});

}  // namespace spillway::cli
