#include "sim/scenario/pasted/surrounding_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

#include "sim/scenario/pasted/field_kinds.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::LeftOut;
using documents::WhyLeftOut;

constexpr std::string_view document_separator = "---";

// The look of a line by itself.
enum class Looks { empty, comment, divider, key, item, bracket, words };

struct Line {
  Looks looks = Looks::empty;
  std::size_t indent = 0;
  std::size_t words = 0;
  std::string_view key = {};
  bool has_value = false;
};

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    words += text[at] != ' ' && (at == 0 || text[at - 1] == ' ') ? 1U : 0U;
  }
  return words;
}

// Returns the key of `key: value` or `key:`; empty if there is none.
std::string_view key_of(std::string_view bare) {
  const std::size_t colon = bare.find(": ");
  const std::string_view key = colon != std::string_view::npos ? bare.substr(0, colon)
                               : bare.ends_with(':')           ? bare.substr(0, bare.size() - 1)
                                                               : std::string_view();
  return is_odd_key(key) ? std::string_view() : key;
}

Line line_of(const std::string& text) {
  Line line;
  line.indent = std::min(text.find_first_not_of(" \t"), text.size());
  std::string_view bare = std::string_view(text).substr(line.indent);
  bare = bare.substr(0, bare.find_last_not_of(" \t\r") + 1);
  line.words = count_words(bare);
  line.key = key_of(bare);
  line.has_value = !bare.ends_with(':');
  if (bare.empty()) {
    return line;
  }
  const char first = bare.front();
  line.looks = first == '#'                                                              ? Looks::comment
               : bare == document_separator                                              ? Looks::divider
               : std::string_view("{}[]\"'|>&*!?").find(first) != std::string_view::npos ? Looks::bracket
               : bare == "-" || bare.starts_with("- ")                                   ? Looks::item
               : line.key.empty()                                                        ? Looks::words
                                                                                         : Looks::key;
  return line;
}

bool begins_document(const Line& line) {
  return line.key == "apiVersion" || line.key == "kind" || line.key == "type";
}

// True for a line with which a document, or a part of one, may begin.
bool may_begin(const Line& line) {
  return line.looks == Looks::divider || line.looks == Looks::bracket ||
         (line.looks == Looks::key && is_field(line.key));
}

class Surroundings {
 public:
  explicit Surroundings(std::vector<std::string>& lines) : lines_(lines) {}

  std::vector<LeftOut> leave_out() {
    leave_out_ellipses();
    for (const std::string& line : lines_) {
      looks_.push_back(line_of(line));
    }
    const auto first = next_written(0);
    if (first && (lines_[*first].starts_with('{') || lines_[*first].starts_with('['))) {
      return std::move(parts_);  // JSON: models/documents/left_out.hpp
    }
    leave_out_ending();
    leave_out_sentences();
    return std::move(parts_);
  }

 private:
  void blank(std::size_t line, WhyLeftOut why, std::string text = {}) {
    parts_.push_back({static_cast<std::uint32_t>(line + 1), why, std::move(text)});
    lines_[line].clear();
    if (line < looks_.size()) {
      looks_[line] = {};
    }
  }

  void leave_out_ellipses() {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
      if (documents::is_ellipsis(lines_[line])) {
        const std::string& text = lines_[line];
        blank(line, WhyLeftOut::ellipsis, text.substr(std::min(text.find_first_not_of(" \t"), text.size())));
      }
    }
  }

  [[nodiscard]] std::optional<std::size_t> next_written(std::size_t line) const {
    while (line < looks_.size() && (looks_[line].looks == Looks::empty || looks_[line].looks == Looks::comment)) {
      ++line;
    }
    return line < looks_.size() ? std::optional(line) : std::nullopt;
  }

  // The column at which documents begin: quoted ones are indented.
  [[nodiscard]] std::size_t base_indent() const {
    std::size_t least = std::string::npos;
    for (const Line& line : looks_) {
      least = may_begin(line) && line.looks == Looks::key ? std::min(least, line.indent) : least;
    }
    return least == std::string::npos ? 0 : least;
  }

  // `baseEjec` at the end of a text that was cut.
  void leave_out_ending() {
    const std::size_t base = base_indent();
    for (std::size_t line = looks_.size(); line > 0; --line) {
      const Line& one = looks_[line - 1];
      if (one.looks == Looks::empty || one.looks == Looks::comment || one.looks == Looks::divider ||
          (one.looks == Looks::words && one.indent <= base && !lacks_colon(one, line - 1))) {
        continue;  // a sentence behind the end
      }
      if (one.looks == Looks::words && one.indent > base && one.words == 1 && !lacks_colon(one, line - 1)) {
        std::string text = lines_[line - 1].substr(one.indent);
        blank(line - 1, WhyLeftOut::ending, std::move(text));
      }
      return;
    }
  }

  // True for `maxRetries 3`: a field and its value, or `maxRetries=3`.
  [[nodiscard]] bool lacks_colon(const Line& line, std::size_t at) const {
    const std::string_view bare = std::string_view(lines_[at]).substr(line.indent);
    const std::string_view first = bare.substr(0, bare.find_first_of(" =:"));
    const bool is_name = is_field(first) || first.find('_') != std::string_view::npos ||
                         std::any_of(first.begin() + (first.empty() ? 0 : 1), first.end(),
                                     [](unsigned char c) { return std::isupper(c) != 0; });
    return line.words <= 2 && first.size() < bare.size() && is_name && !is_odd_key(first);
  }

  // True for the line of a sentence, at the column of documents. `begun`: a document has begun above.
  [[nodiscard]] bool is_sentence(std::size_t at, std::size_t base, bool begun, bool after_sentence) const {
    const Line& line = looks_[at];
    if (line.indent > base) {
      return !begun && line.looks == Looks::words;
    }
    if (line.looks == Looks::words) {
      return !lacks_colon(line, at);
    }
    constexpr std::size_t least_words = 3;
    const bool free = at == 0 || looks_[at - 1].looks == Looks::empty || after_sentence;
    if (line.looks == Looks::item) {
      return line.words > least_words && free && line_of(lines_[at].substr(line.indent + 2)).looks == Looks::words;
    }
    if (line.looks != Looks::key || is_field(line.key)) {
      return false;
    }
    // `Hello:`, or `Note: the mesh has three zones`, apart from the lines of a document.
    const bool alone = at + 1 >= looks_.size() || looks_[at + 1].looks == Looks::empty ||
                       (!begun && looks_[at + 1].looks == Looks::bracket);
    return free && alone && (!begun || line.words > least_words);
  }

  void leave_out_sentences() {
    const std::size_t base = base_indent();
    bool begun = false;
    bool after_sentence = false;
    for (std::size_t line = 0; line < looks_.size(); ++line) {
      const Line& one = looks_[line];
      if (one.looks == Looks::empty || one.looks == Looks::comment) {
        continue;
      }
      if (one.looks == Looks::divider) {
        after_sentence = false;
        continue;
      }
      if (!is_sentence(line, base, begun, after_sentence)) {
        begun = begun || may_begin(one) || one.looks == Looks::item;
        after_sentence = false;
        continue;
      }
      after_sentence = true;
      blank(line, WhyLeftOut::around);
      const auto next = next_written(line + 1);
      const bool separates = begun && next && looks_[*next].indent <= base &&
                             (begins_document(looks_[*next]) || looks_[*next].looks == Looks::bracket);
      if (separates) {
        lines_[line] = document_separator;
      }
    }
  }

  std::vector<std::string>& lines_;
  std::vector<Line> looks_;
  std::vector<LeftOut> parts_;
};

template <class Is>
bool any_line(std::string_view text, Is is) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (is(text.substr(0, end))) {
      return true;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

bool is_odd_key(std::string_view key) {
  if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) {
    key = key.substr(1, key.size() - 2);
  }
  const bool is_upper = !key.empty() && std::isupper(static_cast<unsigned char>(key.front())) != 0;
  return key.empty() || is_upper || !std::all_of(key.begin(), key.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 ||
                  std::string_view("_.@/$-").find(static_cast<char>(c)) != std::string_view::npos;
         });
}

bool looks_like_diff(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  bool changes = false;
  bool begun = false;
  for (std::size_t line = begin; line < end; ++line) {
    const std::string& text = lines[line];
    if (text.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    const char first = text.front();
    if (first != ' ' && first != '+' && first != '-') {
      const Line looks = line_of(text);
      if (begun && looks.looks != Looks::words) {
        return false;
      }
      if (looks.looks != Looks::words && looks.looks != Looks::comment &&
          !(looks.looks == Looks::key && !begun && !is_field(looks.key))) {
        return false;
      }
      continue;
    }
    begun = true;
    const bool removes = first == '-' && text.size() > 1 && (text[1] != ' ' || text.substr(1, 2) == "  ") &&
                         !text.starts_with(document_separator);
    changes = changes || first == '+' || removes;
  }
  return changes;
}

bool has_ellipsis(std::string_view text) {
  return any_line(text, documents::is_ellipsis);
}

bool has_fields(std::string_view text) {
  return any_line(text, [](std::string_view text_of_line) {
    const std::string line(text_of_line);
    const Line looks = line_of(line);
    return looks.looks == Looks::key && is_field(looks.key);
  });
}

std::vector<LeftOut> leave_out_surroundings(std::vector<std::string>& lines) {
  return Surroundings(lines).leave_out();
}

}  // namespace spillway::scenario::pasted
