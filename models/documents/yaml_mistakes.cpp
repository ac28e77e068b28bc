#include "models/documents/yaml_mistakes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "models/documents/grammar/suggestion_table.hpp"
#include "models/documents/secrets.hpp"

namespace spillway::documents {
namespace {

struct Line {
  std::size_t begin = 0;  // of its first character that is not a blank
  std::size_t end = 0;
  std::size_t indent = 0;
  [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

Line line_around(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  Line line;
  line.end = std::min(text.find_first_of("\r\n", at), text.size());
  line.begin = std::min(text.find_first_not_of(" \t", start), line.end);
  line.indent = line.begin - start;
  return line;
}

// Returns the nearest line above that is neither empty nor a comment; nullopt if there is none.
std::optional<Line> line_above(std::string_view text, const Line& below) {
  std::size_t start = below.begin - below.indent;
  while (start > 0) {
    const Line line = line_around(text, start - 1);
    if (line.begin < line.end && text[line.begin] != '#') {
      return line;
    }
    start = line.begin - line.indent;
  }
  return std::nullopt;
}

// Returns the columns, from 1, at which a line may begin to continue an enclosing object or list: those of the lines
// above it, in descending order.
std::vector<std::size_t> open_columns(std::string_view text, const Line& line) {
  std::vector<std::size_t> columns;
  std::size_t outermost = text.size() + 1;
  for (auto above = line_above(text, line); above && outermost > 1; above = line_above(text, *above)) {
    std::size_t content = above->indent + 1;
    std::vector<std::size_t> here{content};
    // The text after a dash starts an object within the item.
    for (std::string_view rest = above->of(text); rest.starts_with("- "); rest.remove_prefix(2)) {
      here.push_back(content += 2);
    }
    for (auto column = here.rbegin(); column != here.rend(); ++column) {
      if (*column < outermost) {
        columns.push_back(*column);
        outermost = *column;
      }
    }
  }
  return columns;
}

std::string columns_in_words(const std::vector<std::size_t>& columns, std::size_t own) {
  std::size_t left = 0;
  std::size_t right = 0;
  for (const std::size_t column : columns) {
    if (column < own) {
      left = std::max(left, column);
    } else if (column > own && (right == 0 || column < right)) {
      right = column;
    }
  }
  if (left == 0 && right == 0) {
    return {};
  }
  return "lines above that it may belong to begin in column " +
         (left == 0 || right == 0 ? std::to_string(std::max(left, right))
                                  : std::to_string(left) + " or " + std::to_string(right));
}

YamlMistake bad_indentation(std::string_view text, std::size_t at) {
  const Line line = line_around(text, at);
  if (text.substr(line.begin - line.indent, line.indent).find('\t') != std::string_view::npos) {
    return {at, at + 1, "indented by a tab", "YAML is indented by spaces: two of them instead of the tab"};
  }
  const std::string columns = columns_in_words(open_columns(text, line), line.indent + 1);
  return {
      line.begin, std::max(line.end, line.begin + 1),
      "this line begins in column " + std::to_string(line.indent + 1) + ", where nothing goes on",
      "keys of one object, and items of one list, begin in the same column" + (columns.empty() ? "" : "; " + columns)};
}

// Returns the position of the innermost bracket open at `at`; quotes and comments are skipped. nullopt if there is
// none.
std::optional<std::size_t> open_bracket(std::string_view text, std::size_t at) {
  std::vector<std::size_t> open;
  char quote = '\0';
  for (std::size_t i = 0; i < std::min(at, text.size()); ++i) {
    const char c = text[i];
    const bool after_space = i == 0 || text[i - 1] == ' ' || text[i - 1] == '\n' || text[i - 1] == '\t';
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if ((c == '"' || c == '\'') && i > 0 &&
               std::string_view(" [{,:\t\n").find(text[i - 1]) != std::string_view::npos) {
      quote = c;
    } else if (c == '#' && after_space) {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '[' || c == '{') {
      open.push_back(i);
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    }
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

YamlMistake unfinished_bracket(std::string_view text, std::size_t at, bool map) {
  const auto bracket = open_bracket(text, at);
  const std::string closing = map ? "}" : "]";
  if (bracket && line_around(text, *bracket).begin != line_around(text, at).begin) {
    return {*bracket, *bracket + 1, "this bracket is never closed",
            "a `" + closing + "` is missing, or a comma between two values"};
  }
  // The last word before the end of parsing is the first unexpected one.
  const std::size_t last = at == 0 ? std::string_view::npos : text.find_last_not_of(" :", at - 1);
  const std::size_t space = last == std::string_view::npos ? last : text.find_last_of(" \n,[{", last);
  const std::size_t begin = space == std::string_view::npos ? at : space + 1;
  return {begin, std::max(begin + 1, at), "something is missing before this",
          "a comma between two values, a `" + closing + "`, or quotes around a text with `: ` in it"};
}

// Explains a colon in an unexpected place. `key value`, `key:value` and `key = value` are texts; YAML continues them in
// the next line until its colon.
YamlMistake misplaced_colon(std::string_view text, std::size_t at) {
  const Line line = line_around(text, at);
  const auto above = line_above(text, line);
  const auto is_pair = [&](const Line& one) {
    const std::string_view words = one.of(text);
    return words.find(": ") != std::string_view::npos || words.ends_with(':') || words.starts_with('#');
  };
  const std::size_t first = text.substr(0, at).rfind(": ");
  if (first != std::string_view::npos && first >= line.begin) {
    return {at, at + 1, "a second `: ` in one line", "put a text with a colon in it into quotes"};
  }
  if (above && !is_pair(*above)) {
    return key_without_colon(text, above->begin, above->end);
  }
  return bad_indentation(text, at);
}

}  // namespace

YamlMistake key_without_colon(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view words = text.substr(begin, end - begin);
  const std::size_t tight = std::min({words.find(':'), words.find('='), words.find(' ')});
  const std::string key(words.substr(0, std::min(tight, words.size())));
  const std::size_t value = words.find_first_not_of(":= \t", tight);
  const std::string rest = value == std::string_view::npos ? "..." : std::string(words.substr(value));
  const bool shown =
      key.size() + rest.size() < 80 && !key.empty() && key != "-" && !ends_within_pem(text.substr(0, begin));
  return {begin, end, "no key and value",
          "a key ends in a colon and a space" + (shown ? ": `" + masked(key + ": " + rest) + "`" : std::string())};
}

YamlMistake explain_yaml_mistake(std::string_view text, std::size_t at, std::string_view message) {
  using grammar::YamlPlace;
  at = std::min(at, text.size());
  YamlMistake mistake{at, std::min(at + 1, text.size()), std::string(message), {}};
  const auto rows = grammar::yaml_suggestion_table();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const grammar::YamlSuggestion& one) {
    return message.find(one.message) != std::string_view::npos;
  });
  if (row == rows.end()) {
    return mistake;
  }
  switch (row->place) {
    case YamlPlace::bracket:
      return unfinished_bracket(text, at, message.find("map") != std::string_view::npos);
    case YamlPlace::colon:
      return misplaced_colon(text, at);
    case YamlPlace::indentation:
      return bad_indentation(text, at);
    case YamlPlace::tab: {
      const std::size_t tab = text.find('\t', at);
      mistake.begin = tab == std::string_view::npos ? std::min(at, text.size() - 1) : tab;
      mistake.end = mistake.begin + 1;
      break;
    }
    case YamlPlace::at_mark:
      break;
  }
  if (!row->label.empty()) {
    mistake.label = row->label;
  }
  mistake.help = row->help;
  return mistake;
}

}  // namespace spillway::documents
