#include "sim/scenario/written/string_matcher.hpp"

namespace spillway::scenario::written {

void describe(Fields& fields, StringMatcher& matcher) {
  const grammar::Text text{0, 10'000};
  const grammar::Text some_text{1, 10'000};
  fields.message();
  fields.optional("exact", matcher.exact, text, "the whole text");
  fields.optional("prefix", matcher.prefix, some_text, "its beginning");
  fields.optional("suffix", matcher.suffix, some_text, "its end");
  fields.optional("contains", matcher.contains, some_text, "a part of it");
  fields.optional("safe_regex", matcher.safe_regex, grammar::Record<RegexMatcher>{}, "matches the whole text");
  fields.exactly_one({"exact", "prefix", "suffix", "contains", "safe_regex"});
  fields.optional("ignore_case", matcher.ignore_case, grammar::Flag{},
                  "capital and small letters are alike, but for safe_regex; default: false");
  fields.not_played("custom", "matchers by extensions are not supported yet");
}

}  // namespace spillway::scenario::written
