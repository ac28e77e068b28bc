#include "sim/scenario/pasted/templates.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>

#include "models/config/trimmed.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::LeftOut;
using documents::WhyLeftOut;

constexpr std::string_view opening = "{{";
constexpr std::string_view closing = "}}";

// Returns `if .Values.x` of a line that is `{{- if .Values.x -}}` and nothing else.
std::optional<std::string_view> action_of(std::string_view line) {
  const std::string_view bare = config::trimmed_line(line);
  if (!bare.starts_with(opening) || !bare.ends_with(closing) || bare.find(closing) + closing.size() != bare.size()) {
    return std::nullopt;
  }
  std::string_view inside = bare.substr(opening.size(), bare.size() - opening.size() - closing.size());
  inside = inside.substr(std::min(inside.find_first_not_of("- "), inside.size()));
  return inside.substr(0, inside.find_last_not_of("- ") + 1);
}

bool is_action(std::string_view action, std::string_view word) {
  return action.starts_with(word) && (action.size() == word.size() || action[word.size()] == ' ');
}

// Quotes a part of a line in YAML's single quotes.
std::size_t put_in_quotes(std::string& line, std::size_t begin, std::size_t end) {
  std::string quoted = "'";
  for (const char c : line.substr(begin, end - begin)) {
    quoted += c == '\'' ? "''" : std::string(1, c);
  }
  quoted += "'";
  line.replace(begin, end - begin, quoted);
  return begin + quoted.size();
}

bool begins_unreadable(std::string_view value) {
  return value.starts_with("**") || value.starts_with(opening) || value.starts_with("`") || value.starts_with("@") ||
         value.starts_with("%");
}

// Returns where a value ends that begins at `begin`: at its comment or the line's end; within brackets at a comma or a
// bracket; before the colon behind it, if it is a key.
std::size_t end_of_value(const std::string& line, std::size_t begin, int brackets) {
  std::size_t at = begin;
  while (at < line.size()) {
    if (line.compare(at, 2, opening) == 0) {
      const std::size_t close = line.find(closing, at);
      at = close == std::string::npos ? line.size() : close + closing.size();
      continue;
    }
    if (line.compare(at, 2, "${") == 0 && line.find('}', at) != std::string::npos) {
      at = line.find('}', at) + 1;
      continue;
    }
    const char c = line[at];
    const bool in_flow = brackets > 0 && (c == ',' || c == '}' || c == ']');
    const bool is_comment = c == '#' && at > begin && line[at - 1] == ' ';
    const bool is_key = c == ':' && (at + 1 == line.size() || line[at + 1] == ' ');
    if (in_flow || is_comment || is_key) {
      break;
    }
    ++at;
  }
  while (at > begin && (line[at - 1] == ' ' || line[at - 1] == '\r')) {
    --at;
  }
  return at;
}

// True for `${PORT}` in a value without quotes, whose bracket would end the list or object around it.
bool has_variable(const std::string& line, std::size_t begin, std::size_t end) {
  return std::string_view("{[\"'").find(line[begin]) == std::string_view::npos &&
         std::string_view(line).substr(begin, end - begin).find("${") != std::string_view::npos;
}

// Returns a number, a text in quotes or a truth value that begins the text; empty if it begins with something else.
std::string literal_at(std::string_view text) {
  text = config::trimmed_line(text);
  if (text.empty()) {
    return {};
  }
  if (text.front() == '"' || text.front() == '`' || text.front() == '\'') {
    const std::size_t end = text.find(text.front(), 1);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(1, end - 1));
  }
  const std::string_view word = text.substr(0, text.find_first_of(" |)"));
  const bool is_number =
      std::isdigit(static_cast<unsigned char>(word.front())) != 0 ||
      (word.size() > 1 && word.front() == '-' && std::isdigit(static_cast<unsigned char>(word[1])) != 0);
  return is_number || word == "true" || word == "false" ? std::string(word) : std::string();
}

// Returns X of `default X`, as a function or behind a pipe; empty if there is none.
std::string default_of(std::string_view expression) {
  constexpr std::string_view word = "default ";
  const std::size_t at = expression.find(word);
  return at == std::string_view::npos ||
                 (at > 0 && std::string_view(" |(-{").find(expression[at - 1]) == std::string_view::npos)
             ? std::string()
             : literal_at(expression.substr(at + word.size()));
}

}  // namespace

std::vector<LeftOut> leave_out_controls(std::vector<std::string>& lines) {
  std::vector<LeftOut> parts;
  std::vector<bool> in_other_branch;  // by the `if`, `with` and `range` that are open
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const auto action = action_of(lines[line]);
    const bool hidden = std::find(in_other_branch.begin(), in_other_branch.end(), true) != in_other_branch.end();
    if (!action && !hidden) {
      continue;
    }
    bool is_control = false;
    if (action) {
      for (const std::string_view word : {"if", "with", "range", "define", "block"}) {
        is_control = is_control || is_action(*action, word);
      }
      if (is_control) {
        in_other_branch.push_back(false);
      } else if (is_action(*action, "else") && !in_other_branch.empty()) {
        in_other_branch.back() = true;
        is_control = true;
      } else if (is_action(*action, "end") && !in_other_branch.empty()) {
        in_other_branch.pop_back();
        is_control = true;
      }
      is_control = is_control || action->starts_with("/*") || action->starts_with('$');
    }
    if (!is_control && !config::trimmed_line(lines[line]).empty()) {
      parts.push_back({static_cast<std::uint32_t>(line + 1), WhyLeftOut::template_,
                       std::string(config::trimmed_line(lines[line]))});
    }
    lines[line].clear();
  }
  return parts;
}

void quote_unreadable(std::string& line) {
  int brackets = 0;
  bool at_begin = true;  // a value or a key
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const bool begins_here = at_begin && c != ' ' && c != '\t';
    if (begins_here && (begins_unreadable(std::string_view(line).substr(at)) ||
                        (brackets > 0 && has_variable(line, at, end_of_value(line, at, brackets))))) {
      at = put_in_quotes(line, at, end_of_value(line, at, brackets)) - 1;
      at_begin = false;
      continue;
    }
    if (begins_here && (c == '"' || c == '\'')) {
      at = std::min(line.find(c, at + 1), line.size());
    } else if (begins_here && c == '*' && (at + 1 == line.size() || line[at + 1] == '.')) {
      // `*.example.com` would be an alias of YAML.
      at = put_in_quotes(line, at, end_of_value(line, at, brackets)) - 1;
    } else if (c == '#' && (at == 0 || line[at - 1] == ' ')) {
      break;
    }
    const bool opens = begins_here && (c == '{' || c == '[');
    brackets += opens ? 1 : 0;
    brackets -= brackets > 0 && (c == '}' || c == ']') ? 1 : 0;
    const bool dash = begins_here && c == '-' && line.substr(at + 1, 1) == " ";
    const bool colon = c == ':' && (at + 1 == line.size() || line[at + 1] == ' ');
    at_begin = opens || dash || colon || (brackets > 0 && c == ',') || (at_begin && (c == ' ' || c == '\t'));
  }
}

bool use_defaults(std::string& text) {
  bool complete = true;
  std::string made;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool of_helm = text.compare(at, 2, opening) == 0;
    const bool of_shell = text.compare(at, 2, "${") == 0;
    const std::size_t end = of_helm ? text.find(closing, at) : of_shell ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      made += text[at++];
      continue;
    }
    const std::string_view inside = std::string_view(text).substr(at + 2, end - at - 2);
    const std::size_t mark = of_shell ? inside.find(":-") : std::string_view::npos;
    const std::string given = of_helm                          ? default_of(inside)
                              : mark == std::string_view::npos ? std::string()
                                                               : std::string(inside.substr(mark + 2));
    const std::size_t behind = end + (of_helm ? 2 : 1);
    complete = complete && !given.empty();
    made += given.empty() ? text.substr(at, behind - at) : given;
    at = behind;
  }
  text = made;
  return complete;
}

std::string name_of_template(std::string_view expression) {
  std::string name;
  for (const char letter : expression) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) {
    name.pop_back();
  }
  for (const std::string_view prefix : {"include-", "template-", "tpl-", "values-"}) {
    if (name.starts_with(prefix)) {
      name.erase(0, prefix.size());
    }
  }
  return name;
}

}  // namespace spillway::scenario::pasted
