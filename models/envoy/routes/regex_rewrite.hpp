// Rewrites a text by a regular expression of RE2's syntax (envoy.type.matcher.v3.RegexMatchAndSubstitute).
//
//   RegexRewrite rewrite("^/(\\w+)$", "\\1");
//   rewrite.apply("/bar");    // "bar"
//
// Every match is replaced; \1 to \9 in the substitution stand for groups, \0 for the whole match.
#pragma once

#include <memory>
#include <string>

namespace re2 {
class RE2;
}  // namespace re2

namespace spillway::envoy::routes {

class RegexRewrite {
 public:
  // An expression that RE2 does not understand leaves texts alone; see error().
  RegexRewrite(std::string regex, std::string substitution);

  [[nodiscard]] std::string apply(std::string text) const;

  // Why the expression or the substitution is refused; empty: it is not.
  [[nodiscard]] std::string error() const;

  [[nodiscard]] const std::string& pattern() const noexcept { return pattern_; }
  [[nodiscard]] const std::string& substitution() const noexcept { return substitution_; }

  friend bool operator==(const RegexRewrite& left, const RegexRewrite& right) {
    return left.pattern_ == right.pattern_ && left.substitution_ == right.substitution_;
  }

 private:
  std::string pattern_;
  std::string substitution_;
  std::shared_ptr<const re2::RE2> regex_;
};

// Whether the whole text matches a regular expression of RE2's syntax; an expression that it does not understand
// matches nothing.
[[nodiscard]] bool full_match(const std::string& text, const std::string& regex);

}  // namespace spillway::envoy::routes
