#include <algorithm>
#include <cstddef>
#include <istream>
#include <map>
#include <streambuf>
#include <string>
#include <utility>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/node/node.h>
#include <yaml-cpp/parser.h>

#include "models/documents/core_schema.hpp"
#include "models/documents/front_ends.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/tree_builder.hpp"
#include "models/documents/yaml_mistakes.hpp"

namespace spillway::documents {
namespace {

// A stream buffer that reads a text in place; std::istringstream would copy it.
class TextBuffer final : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // NOLINT: a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

// Returns the total bytes of a node's texts. Its other memory is limited by the number of values.
std::size_t bytes_of(const Node& node) {
  std::size_t sum = node.text.size();
  for (const Node& item : node.items) {
    sum += bytes_of(item);
  }
  for (const Member& member : node.members) {
    sum += member.key.size() + bytes_of(member.value);
  }
  return sum;
}

// Thrown from the handler through yaml-cpp's parser. The problem has already been reported.
struct Refused {};

class YamlHandler final : public YAML::EventHandler {
 public:
  YamlHandler(std::string_view text, const LineIndex& lines, bool several, Diagnostics& problems)
      : text_(text), lines_(lines), several_(several), problems_(problems), builder_(problems) {}

  TreeBuilder& builder() { return builder_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    anchors_.clear();
    if (++documents_ == 2 && !several_) {
      const std::size_t at = offset(mark);
      refuse(error("SP013", lines_.span(at, at + 1), "more than one YAML document", "the second one starts here")
                 .help("one scenario per file: remove the `---`, or make two files"));
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    // After some mistakes within brackets, yaml-cpp emits empty values without end.
    constexpr int most_at_one_place = 1'000;
    nothings_here_ = mark.pos == last_nothing_ ? nothings_here_ + 1 : 0;
    last_nothing_ = mark.pos;
    if (nothings_here_ > most_at_one_place) {
      refuse_unfinished(offset(mark));
    }
    const std::size_t begin = skip_properties(offset(mark));
    Node node;
    node.span = lines_.span(begin, plain_end(begin));
    const bool written = begin < text_.size() && std::string_view("~nN").find(text_[begin]) != std::string_view::npos;
    if (!written && builder_.pending_key() != nullptr) {
      node.span = *builder_.pending_key();
    }
    if (builder_.wants_key()) {
      refuse(error("SP013", node.span, "a key that is not a text", "keys are plain texts"));
    }
    add(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::size_t begin = offset(mark);
    const Span span = lines_.span(begin, plain_end(begin));
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      refuse(error("SP013", span, "an alias inside its own anchor", "would contain itself"));
    }
    repeated_bytes_ += bytes_of(found->second);
    if (repeated_bytes_ > max_bytes) {
      refuse(error("SP009", span, "too many values", "aliases repeat more than 64 MiB"));
    }
    Node node = found->second;
    node.span = span;
    if (!builder_.wants_key()) {
      check(builder_.value(std::move(node)));
    } else if (node.kind == Kind::string) {
      check(builder_.key(std::move(node.text), span));
    } else {
      refuse(error("SP013", span, "a key that is not a text", "keys are plain texts"));
    }
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const std::size_t begin = skip_properties(offset(mark));
    // If a file ends in a newline, yaml-cpp takes its end for the missing quote.
    if (is_quote(begin) && !end_of_quoted(begin)) {
      refuse(error("SP007", lines_.span(begin, begin + 1), "not YAML", "this quote is never closed"));
    }
    Node node;
    node.kind = Kind::string;
    node.span = lines_.span(begin, scalar_end(begin, value));
    node.text = value;
    refuse_tag(tag, node.span, tag == "!");
    if (builder_.wants_key()) {
      refuse_key_without_colon(begin, value);
      keep(anchor, node);
      check(builder_.key(value, node.span));
      return;
    }
    if (tag == "?" || tag.empty()) {
      node.plain = true;
      type_plain_scalar(node, problems_);
    }
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Kind::array, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Kind::object, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  [[noreturn]] void refuse(Diagnostic problem) {
    problems_.push_back(std::move(problem));
    throw Refused{};
  }
  static void check(bool go_on) {
    if (!go_on) {
      throw Refused{};
    }
  }
  void refuse_tag(const std::string& tag, Span span, bool quoted_scalar) {
    if (!tag.empty() && tag != "?" && !quoted_scalar) {
      refuse(error("SP013", span, "a YAML tag", "tagged `{}`", {tag})
                 .help("write the value without its tag; quotes make a text of anything"));
    }
  }
  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::size_t begin = skip_properties(offset(mark));
    const Span span = lines_.span(begin, begin + 1);
    refuse_tag(tag, span, false);
    if (builder_.wants_key()) {
      refuse_bracket_as_key(begin, span);
    }
    check(builder_.open(kind, span));
    open_anchors_.push_back(anchor);
  }
  [[noreturn]] void refuse_unfinished(std::size_t at) {
    YamlMistake mistake = explain_yaml_mistake(text_, at, "end of map flow not found");
    refuse(error("SP007", lines_.span(mistake.begin, mistake.end), "not YAML", "{}", {mistake.label})
               .help("{}", {mistake.help}));
  }
  // yaml-cpp reports a bracket that is never closed as the start of a key. Never returns.
  [[noreturn]] void refuse_bracket_as_key(std::size_t begin, Span span) {
    long long open = 0;
    std::size_t at = begin;
    do {
      open += text_[at] == '[' || text_[at] == '{' ? 1 : 0;
      open -= text_[at] == ']' || text_[at] == '}' ? 1 : 0;
    } while (open > 0 && ++at < text_.size());
    if (open > 0) {
      refuse(error("SP007", span, "not YAML", "this bracket is never closed"));
    }
    refuse(error("SP013", span, "a key that is not a text", "keys are plain texts"));
  }
  // yaml-cpp takes `maxRetries 3` for a key with an empty value if it is the last line of a document, or within braces.
  // A word alone within braces is such a key in YAML, too: `{ enabled }`.
  void refuse_key_without_colon(std::size_t begin, const std::string& key) {
    const bool is_plain = begin < text_.size() && !is_quote(begin) && text_.substr(begin, key.size()) == key;
    const std::size_t behind = is_plain ? text_.find_first_not_of(" \t", begin + key.size()) : std::string_view::npos;
    const std::size_t before = begin == 0 ? std::string_view::npos : text_.find_last_not_of(" \t\r\n", begin - 1);
    const bool is_explicit = before != std::string_view::npos && text_[before] == '?';
    const bool has_colon = behind != std::string_view::npos && text_[behind] == ':';
    const bool in_braces = behind != std::string_view::npos && (text_[behind] == ',' || text_[behind] == '}');
    if (!is_plain || is_explicit || has_colon || (in_braces && key.find(' ') == std::string::npos)) {
      return;
    }
    YamlMistake mistake = key_without_colon(text_, begin, begin + key.size());
    refuse(error("SP007", lines_.span(mistake.begin, mistake.end), "not YAML", "{}", {mistake.label})
               .help("{}", {mistake.help}));
  }
  void close() {
    check(builder_.close());
    keep(open_anchors_.back(), *builder_.last_completed());
    open_anchors_.pop_back();
  }
  void add(Node node, YAML::anchor_t anchor) {
    keep(anchor, node);
    check(builder_.value(std::move(node)));
  }
  void keep(YAML::anchor_t anchor, const Node& node) {
    if (anchor == YAML::NullAnchor) {
      return;
    }
    kept_values_ += count_values(node);
    kept_bytes_ += bytes_of(node);
    if (kept_bytes_ > max_bytes) {
      refuse(error("SP009", node.span, "too many values", "anchors contain more than 64 MiB"));
    }
    if (kept_values_ > max_values) {
      refuse(error("SP009", node.span, "too many values", "anchored values past the limit of 2,000,000"));
    }
    anchors_[anchor] = node;
  }

  [[nodiscard]] std::size_t offset(const YAML::Mark& mark) const {
    return mark.pos < 0 ? text_.size() : std::min(static_cast<std::size_t>(mark.pos), text_.size());
  }
  // Returns the position after an anchor or tag at `at`, where yaml-cpp's mark then is.
  [[nodiscard]] std::size_t skip_properties(std::size_t at) const {
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at), text_.size());
      at = std::min(text_.find_first_not_of(" \t\r\n", end), text_.size());
    }
    return at;
  }
  [[nodiscard]] std::size_t plain_end(std::size_t begin) const {
    return std::min(text_.find_first_of(" \t\r\n,]}", begin), text_.size());
  }
  [[nodiscard]] bool is_quote(std::size_t at) const {
    return at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
  }
  // Returns the position after the quote that closes the one at `begin`; nullopt if none does.
  [[nodiscard]] std::optional<std::size_t> end_of_quoted(std::size_t begin) const {
    const char quote = text_[begin];
    for (std::size_t at = begin + 1; at < text_.size(); ++at) {
      const bool doubled = quote == '\'' && text_.substr(at, 2) == "''";
      if (doubled || (quote == '"' && text_[at] == '\\')) {
        ++at;
      } else if (text_[at] == quote) {
        return at + 1;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::size_t scalar_end(std::size_t begin, const std::string& value) const {
    if (begin >= text_.size()) {
      return begin;
    }
    if (is_quote(begin)) {
      return end_of_quoted(begin).value_or(text_.size());
    }
    const char first = text_[begin];
    if (first == '|' || first == '>') {
      return begin + 1;
    }
    if (text_.substr(begin, value.size()) == value) {
      return begin + value.size();
    }
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    return std::max(begin + 1, end);
  }

  std::string_view text_;
  const LineIndex& lines_;
  bool several_;
  Diagnostics& problems_;
  TreeBuilder builder_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::vector<YAML::anchor_t> open_anchors_;
  std::size_t kept_values_ = 0;
  std::size_t kept_bytes_ = 0;
  std::size_t repeated_bytes_ = 0;
  int documents_ = 0;
  int last_nothing_ = -1;
  int nothings_here_ = 0;
};

// Finds a place with too many open brackets. yaml-cpp's scanner queues every token up to the end of an open bracket
// before its parser sees the first, so a file of only brackets would exhaust the memory before the depth is checked.
// Quotes and comments are not skipped: no real file has this many brackets in texts.
std::optional<std::size_t> find_bracket_bomb(std::string_view text) {
  constexpr long long most_open = 10'000;
  long long open = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || c == '{') {
      ++open;
    } else if ((c == ']' || c == '}') && open > 0) {
      --open;
    }
    if (open > most_open) {
      return at;
    }
  }
  return std::nullopt;
}

// Finds a text with too many values. Each value has at most two of these separators, so more than twice the limit means
// too many values.
std::optional<std::size_t> find_value_bomb(std::string_view text) {
  constexpr std::size_t most = 2 * max_values;
  std::size_t seen = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool separates = c == '[' || c == '{' || c == ',' || c == ':' || c == '?' || c == '&' || c == '*' || c == '!';
    if (separates && ++seen > most) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<Node> parse_stream(std::string_view text, const LineIndex& lines, bool several, Diagnostics& problems) {
  if (const auto at = find_bracket_bomb(text)) {
    problems.error("SP008", lines.span(*at, *at + 1), "nested deeper than 128 levels",
                   "more than 10,000 brackets are open here");
    return std::nullopt;
  }
  if (const auto at = find_value_bomb(text)) {
    problems.error("SP009", lines.span(*at, *at + 1), "too many values", "more than can be read");
    return std::nullopt;
  }
  YamlHandler handler(text, lines, several, problems);
  TextBuffer buffer(text);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    if (several && !handler.builder().open(Kind::array, lines.span(0, 1))) {
      return std::nullopt;
    }
    if (!parser.HandleNextDocument(handler)) {
      problems.error("SP003", lines.span(0, 1), "nothing in the file", "no value in here");
      return std::nullopt;
    }
    while (parser.HandleNextDocument(handler)) {
    }
    if (several && !handler.builder().close()) {
      return std::nullopt;
    }
  } catch (const Refused&) {
    return std::nullopt;
  } catch (const YAML::Exception& problem) {
    const std::size_t at = problem.mark.pos < 0 ? text.size() : static_cast<std::size_t>(problem.mark.pos);
    if (handler.builder().depth() >= max_depth) {
      problems.error("SP008", lines.span(at, at + 1), "nested deeper than 128 levels", "too deep");
    } else {
      YamlMistake mistake = explain_yaml_mistake(text, at, problem.msg);
      problems.error("SP007", lines.span(mistake.begin, mistake.end), "not YAML", "{}", {mistake.label});
      if (!mistake.help.empty()) {
        problems.back().helps.push_back(std::move(mistake.help));
      }
    }
    return std::nullopt;
  }
  return handler.builder().take_root();
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view text, const LineIndex& lines, Diagnostics& problems) {
  return parse_stream(text, lines, false, problems);
}

std::optional<Node> parse_yaml_documents(std::string_view text, const LineIndex& lines, Diagnostics& problems) {
  auto documents = parse_stream(text, lines, true, problems);
  if (documents) {
    std::erase_if(documents->items, [](const Node& document) { return document.kind == Kind::null; });
  }
  return documents;
}

}  // namespace spillway::documents
