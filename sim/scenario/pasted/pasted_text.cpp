#include "sim/scenario/pasted/pasted_text.hpp"

#include <algorithm>
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
    const std::string_view bare = trimmed(lines[line]);
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

// Keeps the new side of a unified diff. Returns false if the lines are no diff.
bool keep_new_side(std::vector<std::string>& lines) {
  const auto is_hunk = [](const std::string& line) { return line.starts_with("@@ -"); };
  if (std::none_of(lines.begin(), lines.end(), is_hunk)) {
    return false;
  }
  bool in_hunk = false;
  for (std::string& line : lines) {
    const bool is_file = line.starts_with("diff ") || line.starts_with("--- ") || line.starts_with("+++ ");
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
    } else if (!end_of_input.empty() && bare == end_of_input) {
      end_of_input.clear();
      line = separator;
    } else if (bare == "..." || bare == "…" || bare.starts_with("$ ") || bare == "$" || bare.starts_with("{{") ||
               is_answer_of_kubectl(bare)) {
      line.clear();
    }
  }
}

// True if a plain value is not valid YAML, because it was redacted or is a template.
bool is_unreadable(std::string_view value) {
  return value.starts_with("**") || value.starts_with("{{") || value.starts_with("`") || value.starts_with("@") ||
         value.starts_with("%") || value.starts_with("…");
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
  blank_lines_around_documents(lines);
  replace_redactions(lines, cleaned.redactions);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    cleaned.text += (line == 0 ? "" : "\n") + lines[line];
  }
  return cleaned;
}

}  // namespace spillway::scenario::pasted
