// Names that come from outside, as every format writes them: none ends its place or does anything there.
#include <cstdint>
#include <string>

#include "models/documents/terminal_text.hpp"
#include "models/documents/utf8.hpp"
#include "reports/text/escapes.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

// UTF-8 by the table of RFC 3629, one character after the other.
std::optional<std::size_t> slow_invalid(std::string_view text) {
  const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  const auto tail = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned lead = byte(at);
    std::size_t length = 0;
    if (lead < 0x80) {
      length = 1;
    } else if (lead >= 0xC2 && lead <= 0xDF && tail(at + 1)) {
      length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF && tail(at + 1) && tail(at + 2) && (lead != 0xE0 || byte(at + 1) >= 0xA0) &&
               (lead != 0xED || byte(at + 1) < 0xA0)) {
      length = 3;
    } else if (lead >= 0xF0 && lead <= 0xF4 && tail(at + 1) && tail(at + 2) && tail(at + 3) &&
               (lead != 0xF0 || byte(at + 1) >= 0x90) && (lead != 0xF4 || byte(at + 1) < 0x90)) {
      length = 4;
    }
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return std::nullopt;
}

void harmless(const std::string& text, std::string_view promise) {
  require(!slow_invalid(text), promise);
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    require(byte >= ' ' && byte != 0x7F, promise);
  }
}

// A field of RFC 4180 as it is read.
std::string read_field(const std::string& field) {
  if (field.empty() || field.front() != '"') {
    require(field.find_first_of(",\"\n") == std::string::npos, "a field without quotes is one field");
    return field;
  }
  std::string text;
  require(field.size() >= 2 && field.back() == '"', "a quoted field ends with its quote");
  for (std::size_t at = 1; at + 1 < field.size(); ++at) {
    if (field[at] == '"') {
      ++at;
      require(at + 1 < field.size() && field[at] == '"', "quotes within a field are doubled");
    }
    text += field[at];
  }
  return text;
}

// A word as a shell of POSIX reads it, where it has no more than single quotes and escaped ones.
std::string read_word(const std::string& word) {
  std::string text;
  bool quoted = false;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] == '\'') {
      quoted = !quoted;
    } else if (word[at] == '\\' && !quoted) {
      ++at;
      require(at < word.size() && word[at] == '\'', "a quote alone is escaped");
      text += '\'';
    } else {
      require(quoted || std::string_view(" \t\n$`\"*?[]{}()<>|&;!#~").find(word[at]) == std::string_view::npos,
              "what a shell acts upon stands in quotes");
      text += word[at];
    }
  }
  require(!quoted, "a shell's quotes end");
  return text;
}

}  // namespace

void write_names(std::string_view bytes) {
  const std::string name(bytes);
  require(documents::find_invalid_utf8(name) == slow_invalid(name), "UTF-8 is that of RFC 3629");
  const std::string printed = documents::printable(name);
  harmless(printed, "what is printed drives no terminal");
  require(printed.find("##[") == std::string::npos && printed.compare(0, 6, "::stop") != 0,
          "what is printed is no command of a runner");
  std::size_t width = 0;
  for (const documents::Glyph& glyph : documents::glyphs_of(name)) {
    width += glyph.width;
  }
  require(documents::display_width(name) == width, "a name is as wide as its characters");

  const std::string field = read_field(reports::csv_field(name));
  require(!slow_invalid(field) && field.find('\x1b') == std::string::npos, "a field drives no terminal");
  const std::size_t first = field.find_first_not_of(' ');
  require(first == std::string::npos || field.size() - first < 2 ||
              std::string_view("=@").find(field[first]) == std::string_view::npos,
          "a field is no formula");

  const std::string drawn = reports::dot_text(name);
  harmless(drawn, "a name in a drawing is harmless");
  for (std::size_t at = 0; at < drawn.size(); ++at) {
    at += drawn[at] == '\\' ? 1 : 0;
    require(at < drawn.size() && (drawn[at] != '"' || drawn[at - 1] == '\\'), "a name does not end its quotes");
  }
  const std::string marked = reports::xml_escaped(name);
  harmless(marked, "a name in XML is harmless");
  require(marked.find_first_of("<>\"") == std::string::npos, "a name in XML opens nothing");
  harmless(reports::markdown_escaped(name), "a name in Markdown is harmless");
  if (name.find('\0') == std::string::npos) {
    require(read_word(reports::shell_word(name)) == name, "a shell reads the word that was written");
  }
}

}  // namespace spillway::fuzzing
