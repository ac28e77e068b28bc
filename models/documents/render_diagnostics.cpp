#include "models/documents/render_diagnostics.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <string_view>
#include <vector>

#include "models/documents/problem.hpp"
#include "models/documents/quoted_line.hpp"
#include "models/documents/secrets.hpp"
#include "models/documents/terminal_text.hpp"
#include "models/documents/utf8.hpp"

namespace spillway::documents {
namespace {

constexpr std::size_t widest_line = 120;  // limit of the shown columns of a source line
constexpr std::size_t before_caret = 60;  // shown columns before the caret if the line is cut
constexpr std::size_t longest_file_line = 4096;

class Palette {
 public:
  explicit Palette(bool color) : color_(color) {}
  [[nodiscard]] std::string paint(const char* code, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  [[nodiscard]] std::string severity(Severity severity, std::string_view text) const {
    return paint(severity == Severity::error ? "1;31" : "1;33", text);
  }
  [[nodiscard]] std::string frame(std::string_view text) const { return paint("1;34", text); }
  [[nodiscard]] std::string strong(std::string_view text) const { return paint("1", text); }

 private:
  bool color_;
};

// Finds lines of a file. Linear in all, for diagnostics that are sorted by position.
class LineFinder {
 public:
  explicit LineFinder(const Sources& sources) : sources_(sources) {}

  // Returns the line without its end; empty if it must not be shown.
  std::string_view find(Span where) {
    if (where.file >= sources_.size() || sources_[where.file].shown != Shown::lines) {
      return {};
    }
    const std::string& text = sources_[where.file].text;
    if (where.file != file_ || where.line < line_) {
      file_ = where.file;
      line_ = 1;
      start_ = 0;
    }
    while (line_ < where.line) {
      const std::size_t end = text.find('\n', start_);
      if (end == std::string::npos) {
        return {};
      }
      start_ = end + 1;
      ++line_;
    }
    const std::size_t end = std::min(text.find('\n', start_), text.size());
    std::string_view line = std::string_view(text).substr(start_, end - start_);
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    if (!quoted_ || quoted_->line().data() != line.data()) {
      quoted_.emplace(line, std::string_view(text).substr(0, start_));
    }
    return line;
  }

  // Returns the line found last.
  QuotedLine& quoted() { return *quoted_; }

 private:
  const Sources& sources_;
  std::uint32_t file_ = 0;
  std::uint32_t line_ = 1;
  std::size_t start_ = 0;
  std::optional<QuotedLine> quoted_;
};

std::size_t width_of(const std::vector<Glyph>& glyphs, std::size_t begin, std::size_t end) {
  std::size_t width = 0;
  for (std::size_t i = begin; i < std::min(end, glyphs.size()); ++i) {
    width += glyphs[i].width;
  }
  return width;
}

std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for (; characters > 0 && bytes < text.size(); --characters) {
    bytes += documents::bytes_of_character(text[bytes]);
  }
  return std::min(bytes, text.size());
}

// The shown part of a line around [column, column + length), and the position of the caret below it.
struct Excerpt {
  std::string text;
  std::size_t indent = 0;
  std::size_t carets = 1;
};

Excerpt excerpt_of(QuotedLine& quoted, const Diagnostic& diagnostic) {
  const Span where = diagnostic.where;
  // A message about an unknown or repeated key hides the key's value.
  const bool with_value = diagnostic.code != "SP020" && diagnostic.code != "SP010";
  const std::string_view whole = quoted.line();
  // Skips whole characters up to shortly before the location: a line may be as long as the file.
  std::size_t column = where.column - 1;
  std::size_t skipped = 0;
  std::string_view line = whole;
  if (line.size() > longest_file_line) {
    while (skipped + before_caret < column && !line.empty()) {
      line.remove_prefix(std::min(documents::bytes_of_character(line.front()), line.size()));
      ++skipped;
    }
  }
  column -= std::min(column, skipped);
  const std::size_t from = whole.size() - line.size();
  const std::size_t about = from + bytes_of(line, column);
  const std::vector<Glyph> glyphs = glyphs_of(
      quoted.part(from, {{about, about + bytes_of(whole.substr(about), where.length)}, with_value}, longest_file_line));
  std::size_t begin = 0;
  if (width_of(glyphs, 0, glyphs.size()) > widest_line) {
    while (begin < column && width_of(glyphs, begin, column) > before_caret) {
      ++begin;
    }
  }
  std::size_t end = begin;
  for (std::size_t width = 0; end < glyphs.size() && width + glyphs[end].width <= widest_line; ++end) {
    width += glyphs[end].width;
  }
  Excerpt excerpt;
  if (begin > 0 || skipped > 0) {
    excerpt.text = "...";
    excerpt.indent = 3;
  }
  excerpt.indent += width_of(glyphs, begin, std::min(column, glyphs.size()));
  excerpt.carets =
      std::max<std::size_t>(1, width_of(glyphs, column, std::min<std::size_t>(column + where.length, end)));
  for (std::size_t i = begin; i < end; ++i) {
    excerpt.text += glyphs[i].text;
  }
  excerpt.text += end < glyphs.size() ? "..." : "";
  return excerpt;
}

// Returns the words of a message, which may quote a value.
std::string said(const std::string& words) {
  return printable(without_secrets(words));
}

void render_one(std::string& out, const Diagnostic& diagnostic, const Sources& sources, LineFinder& lines,
                const Palette& palette) {
  const char* word = diagnostic.severity == Severity::error ? "error" : "warning";
  out += palette.severity(diagnostic.severity, fmt::format("{}[{}]", word, diagnostic.code));
  out += palette.strong(": " + said(diagnostic.message)) + "\n";
  const Span where = diagnostic.where;
  const std::string number = std::to_string(where.line);
  const std::string margin(number.size(), ' ');
  const std::string file = where.file < sources.size() ? printable(sources[where.file].name) : "?";
  out += fmt::format("{}{} {}:{}:{}\n", margin, palette.frame("-->"), file, where.line, where.column);
  const std::string_view line = lines.find(where);
  if (!line.empty()) {
    const Excerpt excerpt = excerpt_of(lines.quoted(), diagnostic);
    out += fmt::format("{} {}\n", margin, palette.frame("|"));
    out += fmt::format("{} {}\n", palette.frame(number + " |"), excerpt.text);
    out += fmt::format(
        "{} {} {}{}\n", margin, palette.frame("|"), std::string(excerpt.indent, ' '),
        palette.severity(diagnostic.severity, std::string(excerpt.carets, '^') + " " + said(diagnostic.label)));
  } else if (!diagnostic.label.empty()) {
    out += fmt::format("{} {} {}\n", margin, palette.frame("|"), said(diagnostic.label));
  }
  for (const std::string& note : diagnostic.notes) {
    out += fmt::format("{} {} {} {}\n", margin, palette.frame("="), palette.strong("note:"), said(note));
  }
  for (const std::string& help : diagnostic.helps) {
    out += fmt::format("{} {} {} {}\n", margin, palette.frame("="), palette.strong("help:"), said(help));
  }
}

}  // namespace

std::string render_diagnostics(const Diagnostics& diagnostics, const Sources& sources, const RenderOptions& options) {
  const Palette palette(options.color);
  LineFinder lines(sources);
  std::string out;
  const std::size_t shown = std::min(options.most, diagnostics.size());
  for (std::size_t i = 0; i < shown; ++i) {
    render_one(out, diagnostics[i], sources, lines, palette);
    out += "\n";
  }
  if (shown < diagnostics.size()) {
    out += fmt::format("... and {} more\n\n", diagnostics.size() - shown);
  }
  return out;
}

}  // namespace spillway::documents
