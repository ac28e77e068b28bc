#include "reports/diagnostic_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace spillway::reports {
namespace {

// Characters of a source line around the place that are shown.
constexpr std::size_t characters_before = 60;
constexpr std::size_t characters_shown = 110;

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  return line;
}

// The bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
      ++at;
    }
    --count;
  }
  return at;
}

// A stretch of source as it is shown: a tab takes the room of one space, so that carets stay below what they point at.
std::string shown(std::string_view source) {
  std::string text(source);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return printable(text);
}

std::string painted(std::string text, std::string_view color, const Look& look) {
  return look.color ? fmt::format("\x1b[1;{}m{}\x1b[0m", color, text) : text;
}

std::string_view color_of(const scenario::Diagnostic& diagnostic) {
  return diagnostic.severity == scenario::Severity::error ? "31" : "33";
}

// The source line with the carets below, or nothing where there is no text.
std::string snippet(const scenario::Diagnostic& diagnostic, std::string_view text, const std::string& gutter,
                    const Look& look) {
  const scenario::Span& where = diagnostic.where;
  std::string_view line = line_of(text, where.line);
  if (line.empty()) {
    return "";
  }
  std::size_t before = where.column > 0 ? where.column - 1 : 0;
  std::string_view left_out_before;
  if (before > characters_before) {
    line.remove_prefix(bytes_of(line, before - characters_before));
    before = characters_before;
    left_out_before = "...";
  }
  const std::size_t shown_bytes = bytes_of(line, characters_shown);
  const std::string_view left_out_after = shown_bytes < line.size() ? "..." : "";
  line = line.substr(0, shown_bytes);
  const std::size_t begin = bytes_of(line, before);
  const std::string_view pointed = line.substr(begin, bytes_of(line.substr(begin), where.length));
  const std::string indent(
      static_cast<std::size_t>(display_width(shown(line.substr(0, begin)))) + left_out_before.size(), ' ');
  const std::string carets(static_cast<std::size_t>(std::max(1, display_width(shown(pointed)))), '^');
  const std::string label = diagnostic.label.empty() ? "" : " " + printable(diagnostic.label);
  std::string result = fmt::format("{} |\n", gutter);
  result += fmt::format("{:>{}} | {}{}{}\n", where.line, gutter.size(), left_out_before, shown(line), left_out_after);
  result += fmt::format("{} | {}{}\n", gutter, indent, painted(carets + label, color_of(diagnostic), look));
  return result;
}

std::string diagnostic_text(const scenario::Diagnostic& diagnostic, const scenario::Sources& sources,
                            const Look& look) {
  const scenario::Span& where = diagnostic.where;
  const std::string gutter(std::to_string(where.line).size(), ' ');
  std::string text = painted(headline(diagnostic), color_of(diagnostic), look) + '\n';
  text += fmt::format("{}--> {}\n", gutter, place_text(where, sources));
  if (where.file < sources.size()) {
    text += snippet(diagnostic, sources[where.file].text, gutter, look);
  }
  for (const std::string& note : diagnostic.notes) {
    text += fmt::format("{} = note: {}\n", gutter, printable(note));
  }
  for (const std::string& help : diagnostic.helps) {
    text += fmt::format("{} = help: {}\n", gutter, printable(help));
  }
  return text;
}

}  // namespace

std::string headline(const scenario::Diagnostic& diagnostic) {
  return fmt::format("{}[{}]: {}", diagnostic.severity == scenario::Severity::error ? "error" : "warning",
                     diagnostic.code, printable(diagnostic.message));
}

std::string place_text(const scenario::Span& where, const scenario::Sources& sources) {
  const std::string file = where.file < sources.size() ? printable(sources[where.file].name) : "?";
  return fmt::format("{}:{}:{}", file, where.line, where.column);
}

std::string diagnostics_text(const scenario::Diagnostics& diagnostics, const scenario::Sources& sources,
                             const Look& look) {
  std::string text;
  for (const scenario::Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) {
      text += '\n';
    }
    text += diagnostic_text(diagnostic, sources, look);
  }
  return text;
}

}  // namespace spillway::reports
