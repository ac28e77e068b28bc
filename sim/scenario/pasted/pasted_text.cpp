#include "sim/scenario/pasted/pasted_text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace spillway::scenario::pasted {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view separator = "---";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) {
      line.pop_back();
    }
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : line.substr(first, line.find_last_not_of(blanks) + 1 - first);
}

bool is_fence(std::string_view line) {
  const std::string_view bare = trimmed(line);
  return bare.starts_with("```") || bare.starts_with("~~~");
}

// True if a block has keys of YAML or JSON, and is not the output of a program.
bool holds_documents(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  for (std::size_t line = begin; line < end; ++line) {
    std::string_view bare = trimmed(lines[line]);
    bare.remove_prefix(bare.starts_with('+') ? 1 : 0);  // of a diff
    for (const std::string_view key : {"apiVersion", "\"apiVersion\"", "kind:", "type: Mesh", "spec:", "trafficPolicy:",
                                       "http:", "outlierDetection:", "loadBalancer:", "localityLbSetting:", "host:"}) {
      if (bare.starts_with(key) || (bare.starts_with("- ") && bare.substr(2).starts_with(key)) ||
          bare.starts_with("{\"apiVersion\"")) {
        return true;
      }
    }
  }
  return false;
}

// Keeps the fenced blocks that contain documents, each as a separate document.
void keep_fenced_blocks(std::vector<std::string>& lines) {
  if (std::none_of(lines.begin(), lines.end(), [](const std::string& line) { return is_fence(line); })) {
    return;
  }
  std::size_t line = 0;
  while (line < lines.size()) {
    if (!is_fence(lines[line])) {
      lines[line++].clear();
      continue;
    }
    const std::size_t begin = line + 1;
    std::size_t end = begin;
    while (end < lines.size() && !is_fence(lines[end])) {
      ++end;
    }
    const bool kept = holds_documents(lines, begin, end);
    lines[line] = separator;
    for (std::size_t within = begin; within < end && !kept; ++within) {
      lines[within].clear();
    }
    if (end < lines.size()) {
      lines[end] = separator;
    }
    line = end + 1;
  }
}

// Removes quotation marks such as `> kind: Service` in mails and comments.
void take_off_quotation(std::vector<std::string>& lines) {
  std::size_t quoted = 0;
  std::size_t written = 0;
  for (const std::string& line : lines) {
    written += trimmed(line).empty() ? 0U : 1U;
    quoted += line.starts_with('>') ? 1U : 0U;
  }
  if (2 * quoted < written || quoted == 0) {
    return;
  }
  for (std::string& line : lines) {
    if (line.starts_with("> ---")) {
      line = separator;
    } else if (line.starts_with('>')) {
      line.front() = ' ';
    } else {
      line.clear();
    }
  }
}

// True if every line begins as those of a diff's hunk do, and some are added: a block that was copied without its head.
bool is_hunk_alone(const std::vector<std::string>& lines) {
  const auto fits = [](const std::string& line) {
    return line.empty() || line == separator || std::string_view(" +-").find(line.front()) != std::string_view::npos;
  };
  const auto is_added = [](const std::string& line) { return line.starts_with('+'); };
  return std::all_of(lines.begin(), lines.end(), fits) && std::any_of(lines.begin(), lines.end(), is_added);
}

// Keeps the new side of a unified diff. Returns false if the lines are no diff.
bool keep_new_side(std::vector<std::string>& lines) {
  const auto is_hunk = [](const std::string& line) { return line.starts_with("@@ -"); };
  bool in_hunk = is_hunk_alone(lines);
  if (!in_hunk && std::none_of(lines.begin(), lines.end(), is_hunk)) {
    return false;
  }
  for (std::string& line : lines) {
    const bool is_file = line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ ");
    if (line == separator) {
      continue;  // in place of a fence
    }
    in_hunk = (in_hunk && !is_file) || is_hunk(line);
    if (in_hunk && (line.starts_with('+') || line.starts_with(' '))) {
      line.erase(0, 1);
    } else {
      line = line.starts_with("+++ ") ? separator : std::string_view();
    }
  }
  return true;
}

// A document in quotes: `echo "apiVersion: ...` to `..." | kubectl apply -f -`.
void unwrap_echoes(std::vector<std::string>& lines) {
  char quote = '\0';
  for (std::string& line : lines) {
    if (quote == '\0') {
      const std::size_t indent = std::min(line.find_first_not_of(blanks), line.size());
      const std::string_view bare = trimmed(line);
      const bool echoes = bare.starts_with("echo \"") || bare.starts_with("echo '");
      constexpr std::size_t command = 6;
      if (!echoes || bare.size() < command || bare.find(bare[command - 1], command) != std::string_view::npos) {
        continue;
      }
      quote = bare[command - 1];
      std::string rest(bare.substr(command));
      line = std::string(indent, ' ') + rest;
      continue;
    }
    const std::size_t end = line.rfind(quote);
    if (end != std::string::npos && trimmed(std::string_view(line).substr(end + 1)).starts_with('|')) {
      line.erase(end);
      quote = '\0';
    }
  }
}

// True for a line such as `destinationrule.networking.istio.io/cart created`.
bool is_answer_of_kubectl(std::string_view line) {
  const std::size_t space = line.find(' ');
  const std::string_view did = space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  return line.substr(0, space).find('/') != std::string_view::npos &&
         (did == "created" || did == "configured" || did == "unchanged" || did == "serverside-applied" ||
          did == "deleted" || did == "patched" || did == "edited");
}

// Blanks shell lines, and `...` in place of omitted lines.
void blank_lines_around_documents(std::vector<std::string>& lines) {
  std::string end_of_input;
  for (std::string& line : lines) {
    const std::string_view bare = trimmed(line);
    if (const std::size_t here = line.find("<<"); here != std::string::npos && end_of_input.empty()) {
      std::string_view word = trimmed(std::string_view(line).substr(here + 2));
      word = word.substr(std::min(word.find_first_not_of("-'\"\\ "), word.size()));
      end_of_input = std::string(word.substr(0, word.find_first_of(" '\"|>")));
      line = separator;
    } else if (!end_of_input.empty() && (bare == end_of_input || bare == end_of_input + ")")) {
      end_of_input.clear();
      line = separator;
    } else if (bare == "..." || bare == "[...]" || bare == "…" || bare.starts_with("$ ") || bare == "$" ||
               is_answer_of_kubectl(bare)) {
      line.clear();
    }
  }
}

// True for a line of a conversation: at the first column, and neither a key, an item, a comment nor a part of JSON.
bool is_prose(const std::string& line) {
  if (line.empty() || std::isalpha(static_cast<unsigned char>(line.front())) == 0) {
    return false;
  }
  const std::size_t colon = line.find(':');
  const std::string_view key = std::string_view(line).substr(0, colon);
  const bool is_key = colon != std::string::npos && (colon + 1 == line.size() || line[colon + 1] == ' ') &&
                      key.find(' ') == std::string_view::npos && std::islower(static_cast<unsigned char>(key.front()));
  return !is_key;
}

void blank_prose(std::vector<std::string>& lines) {
  if (!holds_documents(lines, 0, lines.size())) {
    return;
  }
  for (std::string& line : lines) {
    if (is_prose(line)) {
      line = separator;
    }
  }
}

// The branches of a template of Helm that a line is in: of each `if`, the first one is kept.
class Actions {
 public:
  // Returns the line without its actions: empty if it has nothing else, because such actions decide, repeat, or insert
  // whole lines.
  std::string replace_in_line(const std::string& line) {
    std::string kept = replace(line);
    const bool has_text = line.find("{{") == std::string::npos || has_text_;
    return has_text ? kept : std::string();
  }

  // Returns the text with names or defaults in the places of actions.
  std::string replace(const std::string& line) {
    std::string kept;
    has_text_ = false;
    std::size_t at = 0;
    while (at < line.size()) {
      const std::size_t begin = std::min(line.find("{{", at), line.size());
      const std::string_view text = std::string_view(line).substr(at, begin - at);
      has_text_ = has_text_ || text.find_first_not_of(blanks) != std::string_view::npos;
      kept += is_left_out() ? std::string_view() : text;
      const std::size_t end = line.find("}}", begin);
      if (end == std::string::npos) {
        kept += is_left_out() ? std::string_view() : std::string_view(line).substr(begin);
        has_text_ = has_text_ || begin < line.size();
        break;
      }
      found_ = true;
      kept += follow(std::string_view(line).substr(begin + 2, end - begin - 2));
      at = end + 2;
    }
    return kept;
  }

  [[nodiscard]] bool found() const { return found_; }

 private:
  [[nodiscard]] bool is_left_out() const {
    return std::find(left_out_.begin(), left_out_.end(), true) != left_out_.end();
  }

  std::string follow(std::string_view action) {
    while (!action.empty() && (action.front() == '-' || blanks.find(action.front()) != std::string_view::npos)) {
      action.remove_prefix(1);
    }
    while (!action.empty() && (action.back() == '-' || blanks.find(action.back()) != std::string_view::npos)) {
      action.remove_suffix(1);
    }
    const std::string_view word = action.substr(0, action.find_first_of(" \t"));
    if (word == "if" || word == "with" || word == "range" || word == "define" || word == "block") {
      left_out_.push_back(word == "define");
      return {};
    }
    if (word == "end" || word == "else") {
      if (!left_out_.empty() && word == "else") {
        left_out_.back() = true;
      } else if (!left_out_.empty()) {
        left_out_.pop_back();
      }
      return {};
    }
    const bool no_value = action.starts_with("/*") || (word.starts_with('$') && action.find(":=") != std::string::npos);
    return no_value || is_left_out() ? std::string() : value_of(action);
  }

  // `.Values.port | default 80` is 80; `include "app.fullname" .` is a name of its words.
  static std::string value_of(std::string_view action) {
    if (const std::size_t given = action.find("default "); given != std::string_view::npos) {
      std::string_view value = action.substr(given + std::string_view("default ").size());
      const bool quoted = value.starts_with('"');
      value = quoted ? value.substr(1, value.find('"', 1) - 1) : value.substr(0, value.find_first_of(" |)"));
      if (!value.empty() && value.front() != '.' && value.front() != '$' && value.front() != '(') {
        return std::string(value);
      }
    }
    std::string name;
    for (const char letter : action) {
      if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
      } else if (!name.empty() && name.back() != '-') {
        name += '-';
      }
    }
    while (name.ends_with('-')) {
      name.pop_back();
    }
    return "$(" + (name.empty() ? std::string(redacted_text) : name) + ")";
  }

  std::vector<bool> left_out_;  // of each enclosing action: is this branch left out?
  bool found_ = false;
  bool has_text_ = false;  // the last line has text that is no action
};

bool replace_actions(std::vector<std::string>& lines) {
  Actions actions;
  for (std::string& line : lines) {
    line = actions.replace_in_line(line);
  }
  return actions.found();
}

// True if a plain value is not valid YAML, because it was redacted.
bool is_unreadable(std::string_view value) {
  return value.starts_with("**") || value.starts_with("`") || value.starts_with("@") || value.starts_with("%") ||
         value.starts_with("…");
}

void replace_redactions(std::vector<std::string>& lines, std::size_t& count) {
  for (std::string& line : lines) {
    const std::size_t first = line.find_first_not_of(" -");
    if (first == std::string::npos || line[first] == '#') {
      continue;
    }
    const std::size_t colon = line.find(": ", first);
    const std::size_t begin = colon == std::string::npos ? first : line.find_first_not_of(' ', colon + 2);
    if (begin == std::string::npos) {
      continue;
    }
    const std::string_view value = std::string_view(line).substr(begin);
    if (is_unreadable(value) && (colon != std::string::npos || line.find("- ") < begin)) {
      line = line.substr(0, begin) + redacted_text;
      ++count;
    } else if (value.starts_with('*') && (value.size() == 1 || value[1] == '.')) {
      // Quotes `*.example.com` in `host: *.example.com`, which would be a YAML alias.
      line = line.substr(0, begin) + "\"" + std::string(trimmed(value)) + "\"";
    }
  }
}

}  // namespace

CleanedText clean_text(const std::string& text) {
  CleanedText cleaned;
  std::vector<std::string> lines = lines_of(text);
  take_off_quotation(lines);
  keep_fenced_blocks(lines);
  cleaned.is_diff = keep_new_side(lines);
  unwrap_echoes(lines);
  cleaned.is_template = replace_actions(lines);
  blank_lines_around_documents(lines);
  blank_prose(lines);
  replace_redactions(lines, cleaned.redactions);
  for (auto last = lines.rbegin(); last != lines.rend() && (trimmed(*last).empty() || *last == separator); ++last) {
    *last = *last == separator ? std::string() : *last;  // no document is behind it
  }
  for (std::size_t line = 0; line < lines.size(); ++line) {
    cleaned.text += (line == 0 ? "" : "\n") + lines[line];
  }
  return cleaned;
}

std::string without_actions(const std::string& text) {
  return Actions().replace(text);
}

}  // namespace spillway::scenario::pasted
