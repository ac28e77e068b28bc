#include "models/documents/left_out.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "models/config/lower_ascii.hpp"
#include "models/config/trimmed.hpp"
#include "models/documents/secrets.hpp"

namespace spillway::documents {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view dots_character = "…";

bool is_dots(std::string_view text) {
  if (text.empty()) {
    return false;
  }
  while (text.starts_with(dots_character)) {
    text.remove_prefix(dots_character.size());
  }
  return text.empty() || (text.size() >= 2 && text.find_first_not_of('.') == std::string_view::npos);
}

bool is_word_of_omission(std::string_view text) {
  const std::string lower = config::to_lower_ascii(std::string(text));
  constexpr std::array words =
      std::to_array<std::string_view>({"snip", "snipped", "cut", "omitted", "truncated", "output omitted",
                                       "output truncated", "lines omitted", "rest omitted"});
  return std::find(words.begin(), words.end(), lower) != words.end();
}

// Blanks ellipses in JSON that no string contains. One pass; strings and comments are skipped.
class JsonEllipses {
 public:
  explicit JsonEllipses(std::string& text) : text_(text) {}

  std::vector<LeftOut> blank(std::size_t begin) {
    for (std::size_t at = begin; at < text_.size();) {
      const char c = text_[at];
      if (depth_ == 0 && last_ && at > begin && c == '\n') {
        leave_out_behind(at);
        break;
      }
      if (c == '"') {
        last_string_ = at;
        at = end_of_string(at);
        last_ = at - 1;
      } else if (text_.compare(at, 2, "//") == 0) {
        at = std::min(text_.find('\n', at), text_.size());
      } else if (text_.compare(at, 2, "/*") == 0) {
        const std::size_t end = text_.find("*/", at);
        at = end == std::string::npos ? text_.size() : end + 2;
      } else if (const std::size_t length = ellipsis_at(at)) {
        leave_out(at, at + length);
        at += length;
      } else {
        depth_ += c == '{' || c == '[' ? 1 : 0;
        depth_ -= c == '}' || c == ']' ? 1 : 0;
        last_ = blanks.find(c) == std::string_view::npos ? at : last_;
        ++at;
      }
    }
    return std::move(parts_);
  }

 private:
  [[nodiscard]] std::size_t end_of_string(std::size_t begin) const {
    std::size_t at = begin + 1;
    while (at < text_.size() && text_[at] != '"') {
      at += text_[at] == '\\' ? 2 : 1;
    }
    return std::min(at + 1, text_.size());
  }

  // Returns the length of the ellipsis that begins here; 0 if none does.
  [[nodiscard]] std::size_t ellipsis_at(std::size_t at) const {
    const std::string_view rest = std::string_view(text_).substr(at);
    if (rest.starts_with(dots_character)) {
      return dots_character.size();
    }
    if (rest.starts_with("...")) {
      return std::min(rest.find_first_not_of('.'), rest.size());
    }
    const bool brackets =
        !rest.empty() && std::string_view(depth_ > 0 ? "<[{-" : "<-").find(rest.front()) != std::string_view::npos;
    if (!brackets) {
      return 0;
    }
    constexpr std::size_t longest = 40;
    const std::size_t line = std::min({rest.find('\n'), rest.size(), longest});
    const char open = rest.front();
    const std::size_t close = open == '-' ? rest.substr(0, line).find_last_of('-')
                                          : rest.substr(0, line).find(open == '<'   ? '>'
                                                                      : open == '[' ? ']'
                                                                                    : '}');
    // `: [...]` is a list of which nothing is known.
    const bool is_value = last_ && text_[*last_] == ':' && open != '<';
    return close == std::string_view::npos || close == 0 || is_value || !is_ellipsis(rest.substr(0, close + 1))
               ? 0
               : close + 1;
  }

  // Sentences behind the last bracket. Another document there stays, so that it is refused.
  void leave_out_behind(std::size_t begin) {
    std::uint32_t line = 1 + static_cast<std::uint32_t>(
                                 std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    if (text_.find("\n{", begin) != std::string::npos || text_.find("\n---", begin) != std::string::npos ||
        text_.find("\n[{", begin) != std::string::npos || text_.find("```", begin) != std::string::npos ||
        text_.find("apiVersion", begin) != std::string::npos) {
      return;
    }
    for (std::size_t at = begin; at < text_.size();) {
      ++at;
      ++line;
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      if (text_.find_first_not_of(blanks, at) < end) {
        const std::string words = text_.substr(at, end - at);
        const bool dots = is_ellipsis(words);
        parts_.push_back({line, dots ? WhyLeftOut::ellipsis : WhyLeftOut::around, dots ? words : std::string()});
        fill(at, end);
      }
      at = end;
    }
  }

  void fill(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      text_[at] = text_[at] == '\n' ? '\n' : ' ';
    }
  }

  void leave_out(std::size_t begin, std::size_t end) {
    parts_.push_back(
        {static_cast<std::uint32_t>(1 + std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n')) +
             lines_,
         WhyLeftOut::ellipsis, text_.substr(begin, end - begin)});
    lines_ = parts_.back().line - 1;
    counted_ = begin;
    if (last_ && text_[*last_] == ':') {
      fill(last_string_, end);  // the member whose value it is
      last_ = last_string_ == 0 ? std::nullopt : significant_before(last_string_);
    }
    fill(begin, end);
    const std::size_t next = text_.find_first_not_of(blanks, end);
    const char before = last_ ? text_[*last_] : '\0';
    const char behind = next == std::string::npos ? '\0' : text_[next];
    const bool opens = before == '{' || before == '[' || before == '\0';
    if (before == ',' && (behind == '}' || behind == ']' || behind == ',' || behind == '\0')) {
      text_[*last_] = ' ';
      last_ = significant_before(*last_);
    } else if (opens && behind == ',') {
      text_[next] = ' ';
    } else if (depth_ > 0 && !opens && before != ',' && behind != '}' && behind != ']' && behind != ',' &&
               behind != '\0') {
      text_[begin] = ',';
      last_ = begin;
    }
  }

  [[nodiscard]] std::optional<std::size_t> significant_before(std::size_t at) const {
    const std::size_t found = at == 0 ? std::string::npos : text_.find_last_not_of(blanks, at - 1);
    return found == std::string::npos ? std::nullopt : std::optional(found);
  }

  std::string& text_;
  std::vector<LeftOut> parts_;
  std::optional<std::size_t> last_ = {};  // the last character that is no blank
  std::size_t last_string_ = 0;           // where the last string begins
  std::size_t counted_ = 0;               // to here, lines are counted
  std::uint32_t lines_ = 0;
  int depth_ = 0;
};

// Returns where JSON begins behind a few lines of other text; nullopt if the text is something else.
std::optional<std::size_t> begin_of_json(std::string_view text) {
  constexpr std::size_t most_lines = 12;
  std::size_t begin = 0;
  for (std::size_t line = 0; line < most_lines && begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view words = text.substr(begin, end - begin);
    const std::size_t inside = words.empty() ? std::string_view::npos : text.find_first_not_of(blanks, begin + 1);
    const char first = inside == std::string_view::npos ? '\0' : text[inside];
    if (words.starts_with('{') && (first == '"' || first == '}' || first == '.' || first == '/')) {
      return begin;
    }
    if (words.starts_with('[') && first == '{') {
      return begin;
    }
    const bool is_other = words.starts_with(' ') || words.starts_with('\t') || words.starts_with("- ") ||
                          words.starts_with("---") || words.starts_with('#') || words.starts_with('>') ||
                          words.starts_with('+') || words.starts_with("```") || words.starts_with("~~~") ||
                          words.find("::") != std::string_view::npos || words.starts_with("apiVersion") ||
                          words.starts_with("kind:") || words.starts_with("type:") || words.find("<<") < words.size();
    if (is_other) {
      return std::nullopt;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

// Returns "line 3", "lines 3 and 4", "lines 3-7, 9 and 12".
std::string lines_in_words(const std::vector<std::uint32_t>& lines) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first;
    while (last + 1 < lines.size() && lines[last + 1] <= lines[last] + 1) {
      ++last;
    }
    const std::string begin = std::to_string(lines[first]);
    ranges.push_back(lines[last] == lines[first] ? begin : begin + "-" + std::to_string(lines[last]));
    first = last + 1;
  }
  constexpr std::size_t most = 6;
  const std::size_t shown = std::min(ranges.size(), most);
  std::string words = lines.front() == lines.back() ? "line " : "lines ";
  for (std::size_t range = 0; range < shown; ++range) {
    words += (range == 0 ? "" : range + 1 == ranges.size() ? " and " : ", ") + ranges[range];
  }
  return words + (shown < ranges.size() ? " and others" : "");
}

}  // namespace

bool is_ellipsis(std::string_view line) {
  std::string_view text = config::trimmed(line, " \t\r,");
  if (text.starts_with("- ")) {
    text = config::trimmed(text.substr(2), " ");
  }
  if (is_dots(text)) {
    return true;
  }
  const std::string_view marked = config::trimmed(text, "#/ ");
  const std::string_view inner = config::trimmed(marked, "[](){}<>-*= ");
  // `--More--(42%)`
  const bool more = inner.starts_with("More") && marked.starts_with("--More--");
  return inner.size() < marked.size() || marked.size() < text.size()
             ? more || is_dots(inner) || (marked.size() > inner.size() + 1 && is_word_of_omission(inner))
             : false;
}

std::vector<LeftOut> leave_out_of_json(std::string& text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) {
    return {};
  }
  std::vector<LeftOut> around;
  const bool begins = text[first] == '{' || text[first] == '[' || text[first] == '/';
  const auto begin = begins ? std::optional(first) : begin_of_json(text);
  if (!begin) {
    return {};
  }
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < *begin; ++at) {
    if (text[at] == '\n') {
      ++line;
    } else if (blanks.find(text[at]) == std::string_view::npos || text[at] == ' ') {
      if (text[at] != ' ' && (around.empty() || around.back().line != line)) {
        around.push_back({line, WhyLeftOut::around, {}});
      }
      text[at] = ' ';
    }
  }
  const auto has = [&](std::string_view mark) { return text.find(mark, *begin) != std::string::npos; };
  const bool ends = text.find_last_of("}]") == text.find_last_not_of(blanks);
  if (!ends || has("...") || has(dots_character) || has("snip") || has("omitted") || has("truncated")) {
    std::vector<LeftOut> parts = JsonEllipses(text).blank(*begin);
    around.insert(around.end(), parts.begin(), parts.end());
  }
  return around;
}

std::vector<std::string> in_words(const std::vector<LeftOut>& parts) {
  std::vector<std::string> words;
  constexpr std::size_t longest = 60;
  for (const WhyLeftOut why : {WhyLeftOut::around, WhyLeftOut::template_, WhyLeftOut::ellipsis, WhyLeftOut::ending}) {
    std::vector<std::uint32_t> lines;
    std::string text;
    for (const LeftOut& part : parts) {
      if (part.why == why) {
        lines.push_back(part.line);
        text = text.empty() ? masked(part.text.substr(0, longest)) : text;
      }
    }
    if (lines.empty()) {
      continue;
    }
    std::sort(lines.begin(), lines.end());
    const std::string where = lines_in_words(lines);
    const char* const are = lines.front() == lines.back() ? " is" : " are";
    switch (why) {
      case WhyLeftOut::around:
        words.push_back(where + are + " left out: text around the documents");
        break;
      case WhyLeftOut::template_:
        words.push_back(where + are + " left out: a template writes them, or reads them only in another case");
        break;
      case WhyLeftOut::ellipsis:
        words.push_back(fmt::format("`{}` in {}: what stood there is not known", text, where));
        break;
      case WhyLeftOut::ending:
        words.push_back(fmt::format("{} `{}`{} left out: the text breaks off there", where, text, are));
        break;
    }
  }
  return words;
}

}  // namespace spillway::documents
