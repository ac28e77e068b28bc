#include "models/envoy/routes/regex_rewrite.hpp"

#include <re2/re2.h>
#include <utility>

namespace spillway::envoy::routes {

RegexRewrite::RegexRewrite(std::string regex, std::string substitution)
    : pattern_(std::move(regex)),
      substitution_(std::move(substitution)),
      regex_(std::make_shared<const re2::RE2>(pattern_, re2::RE2::Quiet)) {}

std::string RegexRewrite::apply(std::string text) const {
  if (regex_->ok()) {
    re2::RE2::GlobalReplace(&text, *regex_, substitution_);
  }
  return text;
}

// Envoy does not look at the substitution: one that names a group too many leaves texts unchanged (a live Envoy 1.40).
std::string RegexRewrite::error() const {
  return regex_->error();
}

bool full_match(const std::string& text, const std::string& regex) {
  const re2::RE2 compiled(regex, re2::RE2::Quiet);
  return compiled.ok() && re2::RE2::FullMatch(text, compiled);
}

}  // namespace spillway::envoy::routes
