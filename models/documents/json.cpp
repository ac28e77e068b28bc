#include <cstddef>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/documents/front_ends.hpp"
#include "models/documents/number.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/tree_builder.hpp"

namespace spillway::documents {
namespace {

// An iterator for nlohmann's lexer that records how far the lexer has read; its events do not report this.
class ReadingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ReadingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  ReadingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  friend bool operator!=(const ReadingIterator& a, const ReadingIterator& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// Returns "unexpected '}'; expected string literal" for "[json.exception.parse_error.101] parse error at line 2, column
// 3: syntax error while parsing object key - unexpected '}'; expected string literal".
std::string reason_of(const std::string& what) {
  std::string reason = what;
  for (const std::string_view before : {"] ", ": ", " - "}) {
    if (const auto at = reason.find(before); at != std::string::npos) {
      reason.erase(0, at + before.size());
    }
  }
  // The lexer repeats the text that it read, which the caret already shows.
  if (const auto at = reason.find("; last read: "); at != std::string::npos) {
    const auto expected = reason.find("; expected ", at);
    reason.erase(at, expected == std::string::npos ? std::string::npos : expected - at);
  }
  return reason;
}

// Receives nlohmann's events. An event comes when the lexer has read past a token, for a number one character further.
// So each token's start is computed from its end.
class JsonHandler final : public nlohmann::json_sax<nlohmann::json> {
 public:
  JsonHandler(std::string_view text, const LineIndex& lines, Diagnostics& problems)
      : text_(text), lines_(lines), problems_(problems), builder_(problems), reached_(text.data()) {}

  const char** reached() { return &reached_; }
  TreeBuilder& builder() { return builder_; }

  bool null() override { return builder_.value(scalar(Kind::null, token(4))); }
  bool boolean(bool value) override {
    Node node = scalar(Kind::boolean, token(value ? 4 : 5));
    node.boolean = value;
    return builder_.value(std::move(node));
  }
  bool number_integer(number_integer_t /*value*/) override { return number(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return number(); }
  bool number_float(number_float_t /*value*/, const string_t& /*spelling*/) override { return number(); }
  bool string(string_t& value) override {
    Node node = scalar(Kind::string, string_token());
    node.text = std::move(value);
    return builder_.value(std::move(node));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return builder_.open(Kind::object, token(1)); }
  bool key(string_t& value) override { return builder_.key(std::move(value), string_token()); }
  bool end_object() override { return builder_.close(); }
  bool start_array(std::size_t /*elements*/) override { return builder_.open(Kind::array, token(1)); }
  bool end_array() override { return builder_.close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& problem) override {
    if (problem.id == 406) {
      problems_.error("SP012", number_span(), "number out of range", "does not fit into 64 bits");
      return false;
    }
    const std::string reason = reason_of(problem.what());
    problems_.error("SP006", unexpected_token(reason), "not JSON", "{}", {reason});
    if (follows_comma()) {
      problems_.back().help("remove the comma before it: JSON allows none after the last item");
    } else if (const char* const slip = usual_slip(reason); *slip != '\0') {
      problems_.back().help("{}", {slip});
    }
    return false;
  }

 private:
  // Returns what to do about a text of another program that is nearly JSON; empty if it is none of the usual ones.
  [[nodiscard]] const char* usual_slip(std::string_view reason) const {
    const std::size_t end = offset();
    const auto says = [&](std::string_view words) { return reason.find(words) != std::string_view::npos; };
    if (says("unexpected end of input") || says("missing closing")) {
      return "the text breaks off here: give it to its end";
    }
    switch (end == 0 ? '\0' : text_[end - 1]) {
      case '#':
        return "JSON has no comments of this kind: remove it";
      case 'N':
      case 'T':
      case 'F':
      case '\'':
        return "this is how Python prints objects: `json.dumps` writes JSON, with null, true, false and double quotes";
      default:
        return "";
    }
  }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(reached_ - text_.data()); }
  // True if the token just read closes a list or an object right after a comma.
  [[nodiscard]] bool follows_comma() const {
    const std::size_t end = offset();
    if (end < 2 || (text_[end - 1] != ']' && text_[end - 1] != '}')) {
      return false;
    }
    const std::size_t before = text_.find_last_not_of(" \t\r\n", end - 2);
    return before != std::string_view::npos && text_[before] == ',';
  }
  // True if the lexer has asked for more after the last character. If it has only read that character, the offset is
  // the same; the kind of character tells which.
  [[nodiscard]] bool at_end() const {
    return offset() == text_.size() &&
           (text_.empty() || std::string_view("}]\", \t\r\n").find(text_.back()) != std::string_view::npos);
  }
  [[nodiscard]] Span unexpected_token(std::string_view reason) const {
    if (reason.starts_with("unexpected number literal")) {
      return number_span();
    }
    if (reason.starts_with("unexpected string literal")) {
      return string_token();
    }
    const std::size_t end = offset();
    const std::size_t begin = at_end() || end == 0 ? end : end - 1;
    return lines_.span(begin, begin + 1);
  }
  [[nodiscard]] Span token(std::size_t length) const {
    const std::size_t end = offset();
    return lines_.span(end - length, end);
  }
  // A string contains no unescaped quote, so the nearest one before the closing quote opens it.
  [[nodiscard]] Span string_token() const {
    const std::size_t end = offset();
    std::size_t begin = end - 1;
    do {
      begin = text_.rfind('"', begin - 1);
    } while (begin > 0 && escaped(begin));
    return lines_.span(begin, end);
  }
  [[nodiscard]] bool escaped(std::size_t at) const {
    std::size_t backslashes = 0;
    while (backslashes < at && text_[at - 1 - backslashes] == '\\') {
      ++backslashes;
    }
    return backslashes % 2 == 1;
  }
  static bool is_number_character(char c) {
    return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
  }
  [[nodiscard]] std::pair<std::size_t, std::size_t> number_token() const {
    std::size_t end = offset();
    if (end > 0 && !is_number_character(text_[end - 1])) {
      --end;
    }
    std::size_t begin = end;
    while (begin > 0 && is_number_character(text_[begin - 1])) {
      --begin;
    }
    return {begin, end};
  }
  [[nodiscard]] Span number_span() const {
    const auto [begin, end] = number_token();
    return lines_.span(begin, end);
  }
  static Node scalar(Kind kind, Span span) {
    Node node;
    node.kind = kind;
    node.span = span;
    return node;
  }
  bool number() {
    const auto [begin, end] = number_token();
    Node node = scalar(Kind::number, lines_.span(begin, end));
    if (read_number(text_.substr(begin, end - begin), node) == NumberVerdict::fine) {
      return builder_.value(std::move(node));
    }
    problems_.error("SP012", node.span, "number out of range", "does not fit into 64 bits");
    return builder_.value(std::move(node));
  }

  std::string_view text_;
  const LineIndex& lines_;
  Diagnostics& problems_;
  TreeBuilder builder_;
  const char* reached_;
};

}  // namespace

std::optional<Node> parse_json(std::string_view text, const LineIndex& lines, Diagnostics& problems) {
  JsonHandler handler(text, lines, problems);
  const char* const first = std::to_address(text.begin());
  const ReadingIterator begin(first, handler.reached());
  const ReadingIterator end(first + text.size(), handler.reached());
  constexpr bool strict = true;
  constexpr bool ignore_comments = true;
  if (!nlohmann::json::sax_parse(begin, end, &handler, nlohmann::json::input_format_t::json, strict, ignore_comments)) {
    return std::nullopt;
  }
  return handler.builder().take_root();
}

}  // namespace spillway::documents
