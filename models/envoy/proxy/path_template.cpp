#include "models/envoy/proxy/path_template.hpp"

#include <algorithm>

namespace spillway::proxy {
namespace {

// The characters of a segment: `pchar` of RFC 3986.
constexpr std::string_view segment = "[a-zA-Z0-9._~%!$&'()*+,;:@=-]+";
constexpr std::string_view segments = "[a-zA-Z0-9._~%!$&'()*+,;:@=/-]*";

// Envoy escapes these letters of a literal and no others: `a*` matches any number of a.
std::string regex_of_literal(std::string_view text) {
  constexpr std::string_view escaped = "$().+";
  std::string regex;
  for (const char letter : text) {
    regex += escaped.find(letter) == std::string_view::npos ? "" : "\\";
    regex += letter;
  }
  return regex;
}

// Returns the expression of what `*` or `**` begins, or of a literal.
std::string regex_of_segment(std::string_view text) {
  if (text.starts_with("**")) {
    return std::string(segments) + regex_of_literal(text.substr(2));
  }
  return text.starts_with('*') ? std::string(segment) + regex_of_literal(text.substr(1)) : regex_of_literal(text);
}

// Returns the expression of segments with slashes between.
std::string regex_of_segments(std::string_view text) {
  std::string regex;
  while (true) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    regex += regex_of_segment(text.substr(0, slash));
    if (slash == text.size()) {
      return regex;
    }
    regex += '/';
    text.remove_prefix(slash + 1);
  }
}

}  // namespace

std::optional<std::string> regex_of_path_template(std::string_view path_template) {
  std::string regex;
  if (!path_template.starts_with('/')) {
    return std::nullopt;
  }
  while (!path_template.empty()) {
    const std::size_t brace = std::min(path_template.find('{'), path_template.size());
    regex += regex_of_segments(path_template.substr(0, brace));
    path_template.remove_prefix(brace);
    if (path_template.empty()) {
      break;
    }
    const std::size_t end = path_template.find('}');
    if (end == std::string_view::npos || !regex.ends_with('/')) {
      return std::nullopt;
    }
    const std::string_view variable = path_template.substr(1, end - 1);
    const std::size_t equals = variable.find('=');
    regex += equals == std::string_view::npos ? std::string(segment) : regex_of_segments(variable.substr(equals + 1));
    path_template.remove_prefix(end + 1);
    // Between a variable and the next slash there is a literal.
    const std::size_t slash = std::min(path_template.find('/'), path_template.size());
    if (path_template.substr(0, slash).find('{') != std::string_view::npos) {
      return std::nullopt;
    }
    regex += regex_of_literal(path_template.substr(0, slash));
    path_template.remove_prefix(slash);
  }
  return regex;
}

}  // namespace spillway::proxy
