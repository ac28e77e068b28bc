#include "models/envoy/proxy/sample_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

constexpr char any_letter = 'a';

// A single pass over the expression.
class RegexSampler {
 public:
  explicit RegexSampler(std::string_view regex) : rest_(regex) {}

  std::string all() {
    std::string text;
    while (!rest_.empty()) {
      text += alternatives();
      if (!rest_.empty()) {
        rest_.remove_prefix(1);  // an unbalanced bracket
      }
    }
    return text;
  }

 private:
  // Returns the text for the first of "a|b|c", up to a closing bracket or the end.
  std::string alternatives() {
    std::string first = sequence();
    while (rest_.starts_with('|')) {
      rest_.remove_prefix(1);
      (void)sequence();
    }
    return first;
  }

  std::string sequence() {
    std::string text;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string piece = atom();
      for (std::size_t times = repeats(); times > 0; --times) {
        text += piece;
      }
    }
    return text;
  }

  std::string atom() {
    const char first = rest_.front();
    rest_.remove_prefix(1);
    switch (first) {
      case '(':
        return group();
      case '[':
        return letter_class();
      case '\\':
        return escape();
      case '.':
        return {any_letter};
      case '^':
      case '$':
        return "";
      default:
        return {first};
    }
  }

  std::string group() {
    if (rest_.starts_with('?')) {
      // Groups "(?:", "(?i:", "(?P<name>", or only flags: "(?i)".
      const std::size_t end = rest_.starts_with("?P<") ? rest_.find('>') : rest_.find_first_of(":)");
      const bool flags = end != std::string_view::npos && rest_[end] == ')';
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + (flags ? 0 : 1));
    }
    std::string text = alternatives();
    if (rest_.starts_with(')')) {
      rest_.remove_prefix(1);
    }
    return text;
  }

  std::string letter_class() {
    const bool other = rest_.starts_with('^');
    if (other) {
      rest_.remove_prefix(1);
    }
    std::string listed;
    for (bool first = true; !rest_.empty() && (first || rest_.front() != ']'); first = false) {
      const char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '[' && rest_.starts_with(':')) {
        listed += '1';
        const std::size_t end = rest_.find(":]");
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
      } else {
        listed += letter == '\\' && !rest_.empty() ? escape() : std::string{letter};
      }
    }
    if (!rest_.empty()) {
      rest_.remove_prefix(1);
    }
    if (!other) {
      return listed.substr(0, 1);
    }
    for (const char letter : std::string_view("aA0-_~")) {
      if (listed.find(letter) == std::string::npos) {
        return {letter};
      }
    }
    return "";
  }

  std::string escape() {
    if (rest_.empty()) {
      return "";
    }
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    switch (letter) {
      case 'd':
        return "0";
      case 'w':
      case 'S':
      case 'D':
        return {any_letter};
      case 's':
        return " ";
      case 'W':
        return "-";
      case 'b':
      case 'B':
      case 'A':
      case 'z':
        return "";
      default:
        return {letter};
    }
  }

  // Reads a quantifier. Returns the minimum number of repetitions of the previous piece.
  std::size_t repeats() {
    std::size_t least = 1;
    if (rest_.starts_with('*') || rest_.starts_with('?')) {
      least = 0;
      rest_.remove_prefix(1);
    } else if (rest_.starts_with('+')) {
      rest_.remove_prefix(1);
    } else if (rest_.starts_with('{') && rest_.size() > 1 && std::isdigit(static_cast<unsigned char>(rest_[1])) != 0) {
      constexpr std::size_t most = 1'000;
      least = 0;
      const std::size_t end = std::min(rest_.find('}'), rest_.size());
      for (std::size_t i = 1; i < end && std::isdigit(static_cast<unsigned char>(rest_[i])) != 0; ++i) {
        least = std::min(most, 10 * least + static_cast<std::size_t>(rest_[i] - '0'));
      }
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
    } else {
      return 1;
    }
    if (rest_.starts_with('?') || rest_.starts_with('+')) {
      rest_.remove_prefix(1);  // lazy or possessive
    }
    return least;
  }

  std::string_view rest_;
};

std::string regex_in(const Node& matcher) {
  return text_at(matcher, "regex");
}

}  // namespace

std::string sample_of_regex(std::string_view regex) {
  return RegexSampler(regex).all();
}

std::optional<std::string> sample_of_string(const Node& matcher) {
  for (const char* const key : {"exact", "prefix", "suffix", "contains"}) {
    if (const Node* const text = find_value(matcher, key)) {
      return text->text;
    }
  }
  const Node* const regex = find_value(matcher, "safe_regex");
  return regex == nullptr ? std::nullopt : std::optional(sample_of_regex(regex_in(*regex)));
}

namespace {

constexpr std::array value_matchers =
    std::to_array<const char*>({"string_match", "exact_match", "prefix_match", "suffix_match", "contains_match",
                                "safe_regex_match", "range_match"});

// Returns the value condition of a HeaderMatcher, from its StringMatcher or its older form; null if there is none.
const Node* wanted_of(const Node& matcher, std::string_view kind) {
  const Node* const string = find_value(matcher, "string_match");
  return string != nullptr ? find_value(*string, kind) : find_value(matcher, std::string(kind) + "_match");
}

// Returns a value that the matcher rejects, for inverted matchers: a missing header would not meet them.
std::optional<std::string> sample_beside(const Node& matcher) {
  for (const char* const text : {"none", "0", "-"}) {
    const std::string_view sample = text;
    bool is_taken = false;
    for (const char* const kind : {"exact", "prefix", "suffix", "contains"}) {
      const Node* const wanted = wanted_of(matcher, kind);
      is_taken = is_taken || (wanted != nullptr && sample.find(wanted->text) != std::string_view::npos);
    }
    if (const Node* const regex = wanted_of(matcher, "safe_regex")) {
      is_taken = is_taken || envoy::routes::full_match(text, regex_in(*regex));
    }
    if (!is_taken) {
      return text;  // not a number of a range either
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> sample_of_header(const Node& matcher) {
  const bool inverted = is_true(matcher, "invert_match");
  const bool of_value = std::any_of(value_matchers.begin(), value_matchers.end(),
                                    [&](const char* key) { return find_value(matcher, key) != nullptr; });
  if (inverted && of_value) {
    return is_true(matcher, "treat_missing_header_as_empty") ? std::nullopt : sample_beside(matcher);
  }
  if (const Node* const string = find_value(matcher, "string_match")) {
    return sample_of_string(*string);
  }
  for (const char* const key : {"exact_match", "prefix_match", "suffix_match", "contains_match"}) {
    if (const Node* const text = find_value(matcher, key)) {
      return text->text;
    }
  }
  if (const Node* const regex = find_value(matcher, "safe_regex_match")) {
    return sample_of_regex(regex_in(*regex));
  }
  if (const Node* const range = find_value(matcher, "range_match")) {
    const Node* const start = find_value(*range, "start");
    std::string digits = start == nullptr ? "0" : start->text.empty() ? std::to_string(start->magnitude) : start->text;
    return digits;
  }
  const Node* const present = find_value(matcher, "present_match");
  const bool wanted = present == nullptr || present->boolean;
  return wanted != inverted ? std::optional<std::string>("1") : std::nullopt;
}

}  // namespace spillway::proxy
