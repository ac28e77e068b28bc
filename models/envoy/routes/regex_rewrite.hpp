// Rewrites text by a regular expression in RE2 syntax (envoy.type.matcher.v3.RegexMatchAndSubstitute).
//
//   RegexRewrite rewrite("^/(\\w+)$", "\\1");
//   rewrite.apply("/bar");    // "bar"
//
// Every match is replaced. In the substitution, \1 to \9 are groups and \0 is the whole match.
#pragma once

#include <memory>
#include <string>

namespace re2 {
class RE2;
}  // namespace re2

namespace spillway::envoy::routes {

class RegexRewrite {
 public:
  // With an expression that RE2 cannot parse, apply() leaves texts unchanged; see error().
  RegexRewrite(std::string regex, std::string substitution);

  [[nodiscard]] std::string apply(std::string text) const;

  // Returns why the expression is refused; empty if it is accepted.
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

// True if the regular expression, in RE2 syntax, matches the whole text. False if the expression cannot be parsed.
[[nodiscard]] bool full_match(const std::string& text, const std::string& regex);

}  // namespace spillway::envoy::routes
