#include "models/documents/diagnostic_pages.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace spillway::documents {
namespace {

constexpr std::string_view scenario_label = "This scenario shows it:";
constexpr std::string_view right_label = "Right:";
constexpr std::string_view fence = "```";

struct ExampleLabel {
  std::string_view line;
  ExampleKind kind;
};

constexpr std::array example_labels = std::to_array<ExampleLabel>({
    {"Wrong (keys of a scenario):", ExampleKind::scenario},
    {"Wrong (resources of a mesh):", ExampleKind::istio},
    {"Wrong (a file):", ExampleKind::file},
    {"Wrong (a part of this scenario):", ExampleKind::setting},
    {"Wrong (a command):", ExampleKind::command},
    {"Wrong (in words):", ExampleKind::situation},
});

bool is_code(std::string_view text) {
  return text.size() == 5 && text.starts_with("SP") &&
         std::all_of(text.begin() + 2, text.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
}

// Removes Markdown's backslashes before punctuation, except within code spans.
std::string without_escapes(std::string_view markdown) {
  constexpr std::string_view punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  std::string text;
  bool in_code = false;
  for (std::size_t at = 0; at < markdown.size(); ++at) {
    if (!in_code && markdown[at] == '\\' && at + 1 < markdown.size() &&
        punctuation.find(markdown[at + 1]) != std::string_view::npos) {
      ++at;
    } else if (markdown[at] == '`') {
      in_code = !in_code;
    }
    text += markdown[at];
  }
  return text;
}

class PageParser {
 public:
  explicit PageParser(std::string_view text) : rest_(text) {}

  std::variant<DiagnosticCode, std::string> parse() {
    if (!parse_heading() || !parse_paragraphs() || !parse_scenario() || !parse_example()) {
      return std::move(fault_);
    }
    skip_empty_lines();
    if (!rest_.empty()) {
      return "nothing may follow the examples: " + std::string(line());
    }
    return std::move(page_);
  }

 private:
  [[nodiscard]] std::string_view line() const { return rest_.substr(0, rest_.find('\n')); }

  std::string_view next_line() {
    const std::string_view taken = line();
    rest_.remove_prefix(std::min(taken.size() + 1, rest_.size()));
    return taken;
  }

  void skip_empty_lines() {
    while (rest_.starts_with('\n')) {
      rest_.remove_prefix(1);
    }
  }

  bool fail(std::string reason) {
    fault_ = std::move(reason);
    return false;
  }

  // Parses the first line: "# SP104: an unknown zone".
  bool parse_heading() {
    const std::string_view heading = next_line();
    const std::size_t colon = std::min(heading.find(": "), heading.size());
    if (!heading.starts_with("# ") || !is_code(heading.substr(2, colon - 2)) || colon + 2 >= heading.size()) {
      return fail("the first line is not `# SPnnn: TITLE`: " + std::string(heading));
    }
    page_.code = heading.substr(2, colon - 2);
    page_.title = without_escapes(heading.substr(colon + 2));
    return true;
  }

  bool parse_paragraphs() {
    std::string markdown;
    for (skip_empty_lines(); !rest_.empty() && !is_label(line()); skip_empty_lines()) {
      for (std::string_view separator = markdown.empty() ? "" : "\n\n"; !line().empty(); separator = " ") {
        if (line().starts_with(fence) || line().starts_with('#')) {
          return fail("a block without one of the labels above it: " + std::string(line()));
        }
        markdown += separator;
        markdown += next_line();
      }
    }
    page_.paragraph = without_escapes(markdown);
    return !markdown.empty() || fail("no paragraph below the heading");
  }

  bool parse_scenario() { return line() != scenario_label || parse_block(page_.scenario); }

  bool parse_example() {
    skip_empty_lines();
    if (rest_.empty()) {
      return true;
    }
    const auto* const label = std::find_if(example_labels.begin(), example_labels.end(),
                                           [&](const ExampleLabel& one) { return one.line == line(); });
    if (label == example_labels.end()) {
      return fail("no `Wrong (KIND):` with a known kind: " + std::string(line()));
    }
    if (label->kind == ExampleKind::setting && page_.scenario.empty()) {
      return fail("a part of this scenario needs `" + std::string(scenario_label) + "`");
    }
    page_.of = label->kind;
    if (!parse_block(page_.wrong)) {
      return false;
    }
    skip_empty_lines();
    return line() == right_label ? parse_block(page_.right)
                                 : fail("no `" + std::string(right_label) + "`: " + std::string(line()));
  }

  // Reads a label and the fenced block below it.
  bool parse_block(std::string& block) {
    const std::string_view label = next_line();
    skip_empty_lines();
    if (!next_line().starts_with(fence)) {
      return fail("no fenced block below " + std::string(label));
    }
    while (!rest_.empty() && line() != fence) {
      block += next_line();
      block += '\n';
    }
    if (block.empty() || next_line() != fence) {
      return fail("an empty or unclosed block below " + std::string(label));
    }
    return true;
  }

  static bool is_label(std::string_view text) {
    return text == scenario_label || text.starts_with("Wrong") || text.starts_with(right_label);
  }

  std::string_view rest_;
  DiagnosticCode page_;
  std::string fault_;
};

// Appends a paragraph in lines of at most 100 columns. A longer word gets a line of its own.
void append_wrapped(std::string& text, std::string_view paragraph) {
  constexpr std::size_t widest = 100;
  while (paragraph.size() > widest) {
    std::size_t space = paragraph.rfind(' ', widest);
    space = space == std::string_view::npos ? paragraph.find(' ') : space;
    if (space == std::string_view::npos) {
      break;
    }
    text.append(paragraph.substr(0, space)) += '\n';
    paragraph.remove_prefix(space + 1);
  }
  text.append(paragraph) += '\n';
}

std::string indented(std::string_view block) {
  std::string text;
  for (const char letter : block) {
    text += text.empty() || text.back() == '\n' ? "  " : "";
    text += letter;
  }
  return text;
}

}  // namespace

std::variant<DiagnosticCode, std::string> parse_diagnostic_page(std::string_view text) {
  return PageParser(text).parse();
}

std::span<const DiagnosticCode> diagnostic_codes() {
  static const std::vector<DiagnosticCode> codes = [] {
    std::vector<DiagnosticCode> parsed;
    for (const std::string_view text : diagnostic_page_texts()) {
      auto page = parse_diagnostic_page(text);
      if (auto* const code = std::get_if<DiagnosticCode>(&page)) {
        parsed.push_back(std::move(*code));
      }
    }
    return parsed;
  }();
  return codes;
}

const DiagnosticCode* find_diagnostic_code(std::string_view code) {
  const auto alike = [](char a, char b) { return a == (b >= 'a' && b <= 'z' ? static_cast<char>(b - 'a' + 'A') : b); };
  const std::span<const DiagnosticCode> codes = diagnostic_codes();
  const auto found = std::find_if(codes.begin(), codes.end(), [&](const DiagnosticCode& entry) {
    return std::equal(entry.code.begin(), entry.code.end(), code.begin(), code.end(), alike);
  });
  return found == codes.end() ? nullptr : &*found;
}

std::string explain_diagnostic_code(std::string_view code) {
  const DiagnosticCode* const entry = find_diagnostic_code(code);
  if (entry == nullptr) {
    return {};
  }
  std::string text = entry->code + ": " + entry->title + "\n";
  std::string_view rest = entry->paragraph;
  while (!rest.empty()) {
    const std::string_view paragraph = rest.substr(0, rest.find("\n\n"));
    text += '\n';
    append_wrapped(text, paragraph);
    rest.remove_prefix(std::min(paragraph.size() + 2, rest.size()));
  }
  if (!entry->scenario.empty()) {
    text += "\nThis scenario shows it:\n\n" + entry->scenario;
  }
  if (entry->of != ExampleKind::none) {
    text += "\nWrong:\n\n" + indented(entry->wrong) + "\nRight:\n\n" + indented(entry->right);
  }
  return text;
}

}  // namespace spillway::documents
