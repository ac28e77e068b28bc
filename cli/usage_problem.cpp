#include "cli/usage_problem.hpp"

#include <fmt/format.h>
#include <utility>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/grammar/unit_suggestions.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {

using reports::printable;

UsageProblem problem(std::string code, std::string message, std::string help) {
  return {std::move(code), std::move(message), std::move(help)};
}

std::string did_you_mean(const std::string& written, const std::vector<std::string>& candidates) {
  const std::string nearest = grammar::nearest(written, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean `{}`?", nearest);
}

UsageProblem bad_value(const std::string& option, const std::string& value, const std::string& wanted,
                       const std::vector<std::string>& candidates) {
  std::string meant = did_you_mean(value, candidates);
  if (meant.empty() && candidates.empty()) {
    std::string spelling;
    if (wanted.starts_with("it takes a time")) {
      spelling = grammar::meant_duration(value);
    } else if (wanted.starts_with("it takes requests a second")) {
      spelling = grammar::meant_rate(value);
    } else if (wanted.starts_with("it takes a percentage")) {
      spelling = grammar::meant_percent(value);
    } else if (wanted.starts_with("it takes 100MB")) {
      spelling = grammar::meant_bytes(value);
    }
    // A value refused for its size has no other spelling.
    meant = spelling.empty() || spelling == value ? "" : fmt::format("{}: did you mean `{}`?", wanted, spelling);
  }
  return problem("SP904", fmt::format("`{}` is not a valid value for {}", printable(value), option),
                 meant.empty() ? wanted : meant);
}

}  // namespace spillway::cli
