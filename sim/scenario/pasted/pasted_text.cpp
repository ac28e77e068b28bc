#include "sim/scenario/pasted/pasted_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "models/config/trimmed.hpp"
#include "sim/scenario/pasted/surrounding_text.hpp"
#include "sim/scenario/pasted/templates.hpp"

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

bool is_fence(std::string_view line) {
  const std::string_view bare = config::trimmed_line(line);
  return bare.starts_with("```") || bare.starts_with("~~~");
}

// True if a block has keys of YAML or JSON, and is not the output of a program.
bool holds_documents(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  for (std::size_t line = begin; line < end; ++line) {
    std::string_view bare = config::trimmed_line(lines[line]);
    bare = bare.starts_with('+') ? config::trimmed_line(bare.substr(1)) : bare;
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

// Keeps the new side of a diff: of a unified one its hunks, of another one all lines. A blank takes the place of the
// mark. Returns false if the lines are no diff.
bool keep_new_side(std::vector<std::string>& lines, std::size_t begin, std::size_t end,
                   std::vector<documents::LeftOut>& left_out) {
  const auto is_hunk = [](const std::string& line) { return line.starts_with("@@ -"); };
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = lines.begin() + static_cast<std::ptrdiff_t>(end);
  const bool has_hunks = std::any_of(first, last, is_hunk);
  if (!has_hunks && !looks_like_diff(lines, begin, end)) {
    return false;
  }
  bool in_hunk = !has_hunks;
  for (auto line = first; line != last; ++line) {
    const bool is_file = line->starts_with("diff ") || line->starts_with("--- ") || line->starts_with("+++ ");
    in_hunk = (in_hunk && !(is_file && has_hunks)) || is_hunk(*line);
    const auto number = static_cast<std::uint32_t>(line - lines.begin() + 1);
    if (documents::is_ellipsis(*line)) {
      left_out.push_back({number, documents::WhyLeftOut::ellipsis, std::string(config::trimmed_line(*line))});
    } else if (!has_hunks && !config::trimmed_line(*line).empty() &&
               std::string_view(" +-").find(line->front()) == std::string_view::npos) {
      left_out.push_back({number, documents::WhyLeftOut::around, {}});
    }
    if (in_hunk && !is_file && !documents::is_ellipsis(*line) && (line->starts_with('+') || line->starts_with(' '))) {
      line->front() = ' ';
      *line = config::trimmed_line(*line) == separator ? std::string(separator) : *line;
    } else {
      *line = line->starts_with("+++ ") ? separator : std::string_view();
    }
  }
  return true;
}

// Keeps the fenced blocks that contain documents, each as a separate document. Of a block that is a diff, its new side.
void keep_fenced_blocks(std::vector<std::string>& lines, CleanedText& cleaned) {
  if (std::none_of(lines.begin(), lines.end(), [](const std::string& line) { return is_fence(line); })) {
    return;
  }
  const auto blank = [&](std::size_t line) {
    if (!config::trimmed_line(lines[line]).empty()) {
      cleaned.left_out.push_back({static_cast<std::uint32_t>(line + 1), documents::WhyLeftOut::around, {}});
    }
    lines[line].clear();
  };
  std::size_t line = 0;
  while (line < lines.size()) {
    if (!is_fence(lines[line])) {
      blank(line++);
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
      blank(within);
    }
    cleaned.is_diff = (kept && keep_new_side(lines, begin, end, cleaned.left_out)) || cleaned.is_diff;
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
    written += config::trimmed_line(line).empty() ? 0U : 1U;
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

// A document in quotes: `echo "apiVersion: ...` to `..." | kubectl apply -f -`.
void unwrap_echoes(std::vector<std::string>& lines) {
  char quote = '\0';
  for (std::string& line : lines) {
    if (quote == '\0') {
      const std::size_t indent = std::min(line.find_first_not_of(blanks), line.size());
      const std::string_view bare = config::trimmed_line(line);
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
    if (end != std::string::npos && config::trimmed_line(std::string_view(line).substr(end + 1)).starts_with('|')) {
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

// True for a line that a shell prints before a command: `$ kubectl ...`, `user@host:~$ kubectl ...`,
// `[user@host dir]# kubectl ...`.
bool is_prompt(std::string_view bare) {
  const std::size_t dollar = bare.find("$ ");
  const std::size_t bracket = std::min(bare.find("]# "), bare.find("]$ "));
  if (bare.starts_with('[') && bracket != std::string_view::npos && bare.find('@') < bracket) {
    return true;
  }
  return bare == "$" || bare.starts_with("$ ") ||
         (dollar != std::string_view::npos && bare.find('@') < dollar && bare.find(' ') > dollar);
}

// Blanks shell lines.
void blank_shell_lines(std::vector<std::string>& lines, std::vector<documents::LeftOut>& left_out) {
  std::string end_of_input;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    std::string& line = lines[at];
    const std::string_view bare = config::trimmed_line(line);
    if (const std::size_t here = line.find("<<"); here != std::string::npos && end_of_input.empty()) {
      std::string_view word = config::trimmed_line(std::string_view(line).substr(here + 2));
      word = word.substr(std::min(word.find_first_not_of("-'\"\\ "), word.size()));
      end_of_input = std::string(word.substr(0, word.find_first_of(" '\"|>")));
      line = separator;
    } else if (!end_of_input.empty() && bare == end_of_input) {
      end_of_input.clear();
      line = separator;
    } else if (is_prompt(bare) || is_answer_of_kubectl(bare)) {
      left_out.push_back({static_cast<std::uint32_t>(at + 1), documents::WhyLeftOut::around, {}});
      line.clear();
    }
  }
}

constexpr std::array odd_blanks = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"\xC2\xA0", " "},       // no-break
     {"\xE3\x80\x80", "  "},  // ideographic, two columns wide
     {"\xE2\x80\x82", " "},   // en
     {"\xE2\x80\x83", " "},   // em
     {"\xE2\x80\x89", " "},   // thin
     {"\xE2\x80\xAF", " "},   // narrow no-break
     {"\xE2\x80\x8B", ""},    // of no width
     {"\xEF\xBB\xBF", ""}});  // a mark of the byte order

}  // namespace

bool has_odd_blanks(std::string_view text) {
  return std::any_of(odd_blanks.begin(), odd_blanks.end(),
                     [&](const auto& blank) { return text.find(blank.first) != std::string_view::npos; });
}

std::optional<std::string> unfenced(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  bool inside = false;
  bool fenced = false;
  std::size_t begin = 0;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (is_fence(lines[line])) {
      if (inside && holds_documents(lines, begin, line)) {
        return std::nullopt;
      }
      fenced = fenced || inside;
      begin = line + 1;
      inside = !inside;
      lines[line].clear();
    } else if (!inside) {
      lines[line].clear();
    }
  }
  if (!fenced) {
    return std::nullopt;
  }
  std::string kept;
  for (const std::string& line : lines) {
    kept += line + "\n";
  }
  return kept;
}

CleanedText clean_text(const std::string& text) {
  CleanedText cleaned;
  std::vector<std::string> lines = lines_of(text);
  const auto add = [&](std::vector<documents::LeftOut> parts) {
    std::move(parts.begin(), parts.end(), std::back_inserter(cleaned.left_out));
  };
  for (std::string& line : lines) {
    for (const auto& [odd, plain] : odd_blanks) {
      for (std::size_t at = line.find(odd); at != std::string::npos; at = line.find(odd, at)) {
        line.replace(at, odd.size(), plain);
        cleaned.has_odd_blanks = true;
      }
    }
  }
  take_off_quotation(lines);
  keep_fenced_blocks(lines, cleaned);
  cleaned.is_diff = keep_new_side(lines, 0, lines.size(), cleaned.left_out) || cleaned.is_diff;
  unwrap_echoes(lines);
  blank_shell_lines(lines, cleaned.left_out);
  cleaned.is_template = text.find("{{") != std::string::npos;
  add(leave_out_controls(lines));
  add(leave_out_surroundings(lines));
  for (std::string& line : lines) {
    quote_unreadable(line);
    cleaned.text += (&line == &lines.front() ? "" : "\n") + line;
  }
  return cleaned;
}

}  // namespace spillway::scenario::pasted
