#include "models/envoy/api/uri_templates.hpp"

#include <algorithm>
#include <re2/re2.h>
#include <set>
#include <utility>

namespace spillway::api {
namespace {

// Takes the segments of a template off its front, one after the other.
class TemplateReader {
 public:
  explicit TemplateReader(std::string_view text) : text_(text), rest_(text) {}

  std::string fault() {
    static const re2::RE2 printable("/[[:graph:]]*", re2::RE2::Quiet);
    if (!re2::RE2::FullMatch(re2::StringPiece(text_.data(), text_.size()), printable)) {
      return invalid("Invalid pattern", text_);
    }
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      std::string fault = rest_.front() == '{' ? read_variable() : read_segment();
      if (!fault.empty()) {
        return fault;
      }
    }
    return {};
  }

 private:
  static std::string invalid(const char* what, std::string_view text) {
    return std::string(what) + ": \"" + std::string(text) + "\"";
  }

  // Takes a literal or an operator, and the slash after it.
  std::string read_segment() {
    static const re2::RE2 literal(R"([A-Za-z0-9\-._~%!$&'()*+,;:@=]+(\{[A-Za-z][A-Za-z0-9_]{0,15}\})?)",
                                  re2::RE2::Quiet);
    const std::size_t end = std::min(rest_.find('/'), rest_.size());
    const std::string segment(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!re2::RE2::FullMatch(segment, literal)) {
      return invalid("Invalid literal", segment);
    }
    if (!segment.starts_with('*')) {
      return {};
    }
    if (segment != "*" && segment != "**" && !rest_.empty()) {
      return "Prefix match not supported.";
    }
    return glob(segment.starts_with("**"));
  }

  std::string read_variable() {
    static const re2::RE2 variable(R"(\{([^=}]*)(=[^}]*)?\}([^/]*)/?)", re2::RE2::Quiet);
    static const re2::RE2 name_of("[A-Za-z][A-Za-z0-9_]{0,15}", re2::RE2::Quiet);
    static const re2::RE2 suffix_of(R"([A-Za-z0-9\-._~%!$&'()*+,;:@=]*)", re2::RE2::Quiet);
    re2::StringPiece rest(rest_.data(), rest_.size());
    std::string name;
    std::string pattern;
    std::string suffix;
    if (!re2::RE2::Consume(&rest, variable, &name, &pattern, &suffix)) {
      return invalid("Unmatched variable bracket", rest_);
    }
    rest_ = std::string_view(rest.data(), rest.size());
    constexpr std::size_t most = 5;
    if (!re2::RE2::FullMatch(name, name_of)) {
      return invalid("Invalid variable name", name);
    }
    if (!names_.insert(name).second) {
      return invalid("Repeated variable name", name);
    }
    if (names_.size() > most) {
      return "Exceeded variable count limit (5)";
    }
    if (!re2::RE2::FullMatch(suffix, suffix_of)) {
      return invalid("Invalid suffix literal", suffix);
    }
    return pattern.empty() ? glob(false) : read_pattern(std::string_view(pattern).substr(1));
  }

  // Checks what a variable takes: operators and literals between slashes.
  std::string read_pattern(std::string_view pattern) {
    static const re2::RE2 literal(R"([A-Za-z0-9\-._~%!$&'()+,;:@=][A-Za-z0-9\-._~%!$&'()*+,;:@=]*)", re2::RE2::Quiet);
    for (bool more = true; more;) {
      const std::size_t end = std::min(pattern.find('/'), pattern.size());
      const std::string part(pattern.substr(0, end));
      const bool is_glob = part == "*" || part == "**";
      if (!is_glob && (part.empty() || !re2::RE2::FullMatch(part, literal))) {
        return invalid("Invalid variable match", part);
      }
      if (std::string fault = is_glob ? glob(part == "**") : ""; !fault.empty()) {
        return fault;
      }
      more = end < pattern.size();
      pattern.remove_prefix(std::min(end + 1, pattern.size()));
    }
    return {};
  }

  std::string glob(bool text_glob) {
    const bool is_late = std::exchange(after_text_glob_, after_text_glob_ || text_glob);
    return is_late ? "Glob after text glob." : "";
  }

  std::string_view text_;
  std::string_view rest_;
  std::set<std::string> names_;
  bool after_text_glob_ = false;
};

}  // namespace

std::string fault_of_path_template(std::string_view text) {
  return TemplateReader(text).fault();
}

bool is_rewrite_template(const std::string& text) {
  static const re2::RE2 pattern(
      R"(/[A-Za-z0-9\-._~%!$&'()*+,;:@=/]*(\{[A-Za-z][A-Za-z0-9_]{0,15}\}[A-Za-z0-9\-._~%!$&'()*+,;:@=/]*)*)",
      re2::RE2::Quiet);
  return text.find("//") == std::string::npos && re2::RE2::FullMatch(text, pattern);
}

}  // namespace spillway::api
