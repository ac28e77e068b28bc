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
constexpr std::size_t most_annotations = 100;
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

std::string more_of_them(std::size_t all) {
  return all <= most_annotations ? std::string()
                                 : fmt::format("::notice title=and {} more::the first {} of {} are annotations\n",
                                               all - most_annotations, most_annotations, all);
}

std::string annotation(std::string_view level, const Span& where, const Sources& sources, std::string_view title,
                       std::string_view message) {
  const std::string_view file = where.file < sources.size() ? std::string_view(sources[where.file].name) : "";
  return fmt::format("::{} file={},line={},col={},title={}::{}\n", level, command_escaped(file, true), where.line,
                     where.column, command_escaped(cut(title), true), command_escaped(cut(message), false));
}

}  // namespace

std::string github_annotations(const Diagnostics& diagnostics, const Sources& sources) {
  std::string text;
  std::size_t count = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (++count > most_annotations) {
      continue;
    }
    std::string message = diagnostic.message;
    if (!diagnostic.label.empty()) {
      message += ": " + diagnostic.label;
    }
    for (const auto& [kind, lines] : {std::pair{"note", &diagnostic.notes}, {"help", &diagnostic.helps}}) {
      for (const std::string& line : *lines) {
        message += fmt::format("\n{}: {}", kind, line);
      }
    }
    const bool error = diagnostic.severity == Severity::error;
    text += annotation(error ? "error" : "warning", diagnostic.where, sources, diagnostic.code, message);
  }
  return text + more_of_them(count);
}

std::string github_annotations(const Verdicts& verdicts, const Sources& sources) {
  std::string text;
  std::size_t count = 0;
  for (const Verdict& verdict : verdicts) {
    for (const Failure& failure : verdict.failures) {
      if (++count > most_annotations) {
        continue;
      }
      text += annotation("error", failure.where, sources, "expectation failed", failure.message);
    }
    if (verdict.outcome == study::Verdict::unknown && ++count <= most_annotations) {
      text += annotation("error", verdict.where, sources, "expectation not tested",
                         verdict.title + ": not tested: " + verdict.not_tested);
    }
    if (verdict.outcome == study::Verdict::undecided && ++count <= most_annotations) {
      text += annotation("error", verdict.where, sources, "expectation undecided", verdict.undecided);
    }
  }
  return text + more_of_them(count);
}

std::string github_annotations(const std::vector<Annotation>& annotations, const Sources& sources) {
  std::string text;
  for (std::size_t i = 0; i < annotations.size() && i < most_annotations; ++i) {
    const Annotation& one = annotations[i];
    text += annotation(one.level, one.where, sources, one.title, one.message);
  }
  return text + more_of_them(annotations.size());
}

}  // namespace spillway::reports
