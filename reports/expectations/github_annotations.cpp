#include "reports/expectations/github_annotations.hpp"

#include <fmt/format.h>
#include <string_view>

#include "sim/scenario/terminal_text.hpp"

namespace spillway::reports {
namespace {

// Its lines are printable, so that nothing in a name is invisible on the page of a pull request.
std::string command_escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char letter : scenario::printable_lines(text)) {
    const bool special =
        letter == '%' || letter == '\r' || letter == '\n' || (property && (letter == ':' || letter == ','));
    escaped += special ? fmt::format("%{:02X}", static_cast<unsigned>(letter)) : std::string(1, letter);
  }
  return escaped;
}

std::string annotation(std::string_view level, const scenario::Span& where, const scenario::Sources& sources,
                       std::string_view title, std::string_view message) {
  const std::string_view file = where.file < sources.size() ? std::string_view(sources[where.file].name) : "";
  return fmt::format("::{} file={},line={},col={},title={}::{}\n", level, command_escaped(file, true), where.line,
                     where.column, command_escaped(title, true), command_escaped(message, false));
}

}  // namespace

std::string github_annotations(const scenario::Diagnostics& diagnostics, const scenario::Sources& sources) {
  std::string text;
  for (const scenario::Diagnostic& diagnostic : diagnostics) {
    std::string message = diagnostic.message;
    if (!diagnostic.label.empty()) {
      message += ": " + diagnostic.label;
    }
    for (const auto& [kind, lines] : {std::pair{"note", &diagnostic.notes}, {"help", &diagnostic.helps}}) {
      for (const std::string& line : *lines) {
        message += fmt::format("\n{}: {}", kind, line);
      }
    }
    const bool error = diagnostic.severity == scenario::Severity::error;
    text += annotation(error ? "error" : "warning", diagnostic.where, sources, diagnostic.code, message);
  }
  return text;
}

std::string github_annotations(const Verdicts& verdicts, const scenario::Sources& sources) {
  std::string text;
  for (const Verdict& verdict : verdicts) {
    for (const Failure& failure : verdict.failures) {
      text += annotation("error", failure.where, sources, "expectation failed", failure.message);
    }
    if (verdict.outcome == Outcome::not_tested) {
      text += annotation("error", verdict.where, sources, "expectation not tested",
                         verdict.title + ": not tested: " + verdict.not_tested);
    }
  }
  return text;
}

std::string github_annotations(const std::vector<Annotation>& annotations, const scenario::Sources& sources) {
  std::string text;
  for (const Annotation& one : annotations) {
    text += annotation(one.level, one.where, sources, one.title, one.message);
  }
  return text;
}

}  // namespace spillway::reports
