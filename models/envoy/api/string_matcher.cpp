#include "models/envoy/api/string_matcher.hpp"

#include <utility>

#include "models/documents/problem.hpp"
#include "models/envoy/routes/regex_rewrite.hpp"

namespace spillway::messages {

using grammar::Text;

namespace {

struct RegexText {
  static constexpr const char* definition = "envoy.type.matcher.v3.RegexMatcher";
  Field<std::string> regex;
};

void describe(Fields& fields, RegexText& matcher) {
  fields.message();
  fields.required("regex", matcher.regex, not_empty, "in RE2's syntax; must match the whole text");
  fields.without_influence({"google_re2"});
}

// Returns a regular expression that matches only this text.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       static_cast<unsigned char>(c) >= 0x80;
    result += plain ? std::string(1, c) : std::string("\\") + c;
  }
  return result;
}

}  // namespace

bool RegexMatcher::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  RegexText message;
  const bool read = grammar::Record<RegexText>{}.read(node, message, what, problems);
  into = message.regex.value_or("");
  std::string wrong = checked && message.regex ? envoy::routes::RegexRewrite(into, "").error() : "";
  if (!wrong.empty()) {
    problems.error("SP139", message.regex.where, "Envoy refuses this regular expression", "{}", {wrong});
  }
  return read;
}

grammar::Schema RegexMatcher::schema(grammar::Definitions& definitions) const {
  return grammar::Record<RegexText>{}.schema(definitions);
}

documents::Node RegexMatcher::write(const Value& value) const {
  return message_with("regex", Text{}.write(value));
}

envoy::routes::HeaderMatcher StringMatcher::of_header(std::string name) const {
  envoy::routes::HeaderMatcher header{.name = std::move(name), .kind = kind, .value = text};
  if (ignore_case.value_or(false) && kind != Kind::regex) {
    // Only a regular expression can ignore the case of letters.
    const std::string open = kind == Kind::suffix || kind == Kind::contains ? ".*" : "";
    const std::string close = kind == Kind::prefix || kind == Kind::contains ? ".*" : "";
    header.value = "(?is)" + open + quoted(text) + close;
    header.kind = Kind::regex;
  }
  return header;
}

void Grammar<StringMatcher>::describe(Fields& fields, StringMatcher& matcher) {
  using Matched = StringMatcher::Kind;
  const Text text = any_length;
  const auto key = [&](const char* name, Matched kind, const auto& shape, const char* documentation) {
    text_of_kind(fields, name, kind, matcher.kind, matcher.text, shape, documentation);
  };
  fields.message();
  key("exact", Matched::exact, text, "the whole text");
  key("prefix", Matched::prefix, not_empty, "its beginning");
  key("suffix", Matched::suffix, not_empty, "its end");
  key("contains", Matched::contains, not_empty, "a part of it");
  key("safe_regex", Matched::regex, RegexMatcher{}, "matches the whole text");
  fields.exactly_one({"exact", "prefix", "suffix", "contains", "safe_regex"});
  optional(fields, "ignore_case", matcher.ignore_case, grammar::Flag{},
           "capital and small letters are alike, but for safe_regex; default: false");
  fields.not_simulated("custom", "matchers by extensions are not supported yet");
}

}  // namespace spillway::messages
