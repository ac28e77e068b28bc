#include "reports/expectations/github_annotations.hpp"

#include <fmt/format.h>
#include <string_view>

#include "models/documents/terminal_text.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::reports {
namespace {

// Escapes the text of a command. Its lines are printable, so that nothing in a name is invisible on a pull request's
// page.
std::string command_escaped(std::string_view text, bool property) {
  std::string escaped;
  for (const char letter : documents::printable_lines(text)) {
    const bool special =
        letter == '%' || letter == '\r' || letter == '\n' || (property && (letter == ':' || letter == ','));
    escaped += special ? fmt::format("%{:02X}", static_cast<unsigned>(letter)) : std::string(1, letter);
  }
  return escaped;
}

// Limits of annotations. GitHub shows ten of each kind per step, and cuts long ones.
constexpr std::ptrdiff_t most_annotations = 100;
constexpr std::size_t most_bytes = 4'000;

// Returns at most `most_bytes` bytes of the text, in whole characters.
std::string_view cut(std::string_view text) {
  if (text.size() <= most_bytes) {
    return text;
  }
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return text.substr(0, end);
}

}  // namespace

std::string github_annotations(const std::vector<Annotation>& annotations, const Sources& sources) {
  std::string text;
  for (const Annotation& one : annotations) {
    if (&one - annotations.data() == most_annotations) {
      return text + fmt::format("::notice title=and {} more::the first {} of {} are annotations\n",
                                annotations.size() - most_annotations, most_annotations, annotations.size());
    }
    const std::string_view file = one.where.file < sources.size() ? std::string_view(sources[one.where.file].name) : "";
    text += fmt::format("::{} file={},line={},col={},title={}::{}\n", one.level, command_escaped(file, true),
                        one.where.line, one.where.column, command_escaped(cut(one.title), true),
                        command_escaped(cut(one.message), false));
  }
  return text;
}

std::string github_annotations(const Diagnostics& diagnostics, const Sources& sources) {
  std::vector<Annotation> annotations;
  for (const Diagnostic& diagnostic : diagnostics) {
    std::string message = diagnostic.message;
    if (!diagnostic.label.empty()) {
      message += ": " + diagnostic.label;
    }
    for (const auto& [kind, lines] : {std::pair{"note", &diagnostic.notes}, {"help", &diagnostic.helps}}) {
      for (const std::string& line : *lines) {
        message += fmt::format("\n{}: {}", kind, line);
      }
    }
    annotations.push_back({diagnostic.severity == Severity::error ? "error" : "warning", diagnostic.where,
                           diagnostic.code, std::move(message)});
  }
  return github_annotations(annotations, sources);
}

std::string github_annotations(const Verdicts& verdicts, const Sources& sources) {
  std::vector<Annotation> annotations;
  for (const Verdict& verdict : verdicts) {
    for (const Failure& failure : verdict.failures) {
      annotations.push_back({"error", failure.where, "expectation failed", failure.message});
    }
    if (verdict.is_open()) {
      const bool tested = verdict.outcome == study::Verdict::undecided;
      annotations.push_back({"error", verdict.where, tested ? "expectation undecided" : "expectation not tested",
                             verdict.open_sentence()});
    }
  }
  return github_annotations(annotations, sources);
}

}  // namespace spillway::reports
