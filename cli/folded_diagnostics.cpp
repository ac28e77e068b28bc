#include "cli/folded_diagnostics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "models/numeric/stable_sort.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

bool is_ignored_kind(const Diagnostic& problem) {
  return problem.severity == Severity::warning && problem.code == "SP650";
}

// Returns the kind in "`Deployment` is ignored".
std::string kind_in(const std::string& message) {
  const std::size_t begin = message.find('`');
  const std::size_t end = begin == std::string::npos ? begin : message.find('`', begin + 1);
  return end == std::string::npos ? message : message.substr(begin + 1, end - begin - 1);
}

}  // namespace

Diagnostics with_ignored_kinds_together(Diagnostics problems) {
  const auto first = std::find_if(problems.begin(), problems.end(), is_ignored_kind);
  const auto count = std::count_if(problems.begin(), problems.end(), is_ignored_kind);
  if (count < 2) {
    return problems;
  }
  std::map<std::string, std::size_t> kinds;
  std::vector<std::string> reasons;
  for (const Diagnostic& problem : problems) {
    if (is_ignored_kind(problem)) {
      ++kinds[kind_in(problem.message)];
      if (std::find(reasons.begin(), reasons.end(), problem.label) == reasons.end()) {
        reasons.push_back(problem.label);
      }
    }
  }
  std::string names;
  for (const auto& [kind, times] : kinds) {
    names += (names.empty() ? "" : ", ") + kind + (times > 1 ? fmt::format(" ({})", times) : "");
  }
  first->message = fmt::format("{} documents are ignored: {}", count, names);
  first->label = reasons.front();
  reasons.erase(reasons.begin());
  first->notes.insert(first->notes.end(), reasons.begin(), reasons.end());
  const auto rest = std::next(first);
  problems.erase(std::remove_if(rest, problems.end(), is_ignored_kind), problems.end());
  return problems;
}

void put_errors_last(Diagnostics& problems) {
  numeric::stable_sort(problems, [](const Diagnostic& left, const Diagnostic& right) {
    return left.severity != Severity::error && right.severity == Severity::error;
  });
}

std::string short_lines(const Diagnostics& problems, const Sources& sources) {
  std::string text;
  for (const Diagnostic& problem : problems) {
    const bool placed = problem.where.file < sources.size() && !sources[problem.where.file].name.empty();
    text += placed
                ? fmt::format("{}:{}:{}: ", sources[problem.where.file].name, problem.where.line, problem.where.column)
                : "";
    text += fmt::format("{}[{}]: {}{}\n", problem.severity == Severity::error ? "error" : "warning", problem.code,
                        problem.message, problem.label.empty() ? "" : ": " + problem.label);
  }
  return text;
}

}  // namespace spillway::cli
