// What is wrong with the command line, and what was probably meant.
#pragma once

#include <string>
#include <vector>

namespace spillway::cli {

// Printed as "error[SP901]: ..." with its help below.
struct UsageProblem {
  std::string code;
  std::string message;
  std::string help;  // may be empty
};

[[nodiscard]] UsageProblem problem(std::string code, std::string message, std::string help = "");

// "did you mean `--seed`?", or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& written, const std::vector<std::string>& candidates);

// `wanted` is "it takes ...". The help names the nearest of the candidates, or the value in the right unit where one of
// another program was written: "did you mean `10s`?" of 10sec.
[[nodiscard]] UsageProblem bad_value(const std::string& option, const std::string& value, const std::string& wanted,
                                     const std::vector<std::string>& candidates = {});

}  // namespace spillway::cli
