#include "sim/scenario/secrets.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace spillway::scenario {
namespace {

// As long as a line of a PEM file, or a hash in hexadecimal digits.
constexpr std::size_t opaque_run = 64;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool is_opaque(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/' || c == '=';
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text), hidden_(text.size(), false) {}

  std::string mask() {
    for (std::size_t colon = text_.find(':'); colon != std::string_view::npos; colon = text_.find(':', colon + 1)) {
      look_at_member(colon);
    }
    hide_credentials();
    hide_parameters();
    hide_pem();
    hide_opaque_runs();
    std::string result;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const bool continues = (static_cast<unsigned char>(text_[i]) & 0xC0U) == 0x80U;  // within a character of UTF-8
      if (!hidden_[i]) {
        result += text_[i];
      } else if (!continues) {
        result += '*';
      }
    }
    return result;
  }

 private:
  [[nodiscard]] char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  [[nodiscard]] std::string_view key_before(std::size_t colon) const {
    std::size_t end = colon;
    if (end > 0 && (text_[end - 1] == '"' || text_[end - 1] == '\'')) {
      --end;
    }
    std::size_t begin = end;
    while (begin > 0 && is_word(text_[begin - 1])) {
      --begin;
    }
    return text_.substr(begin, end - begin);
  }

  // Without its quotes; empty for objects and lists.
  [[nodiscard]] Stretch value_behind(std::size_t colon) const {
    std::size_t begin = colon + 1;
    while (at(begin) == ' ') {
      ++begin;
    }
    const char quote = at(begin);
    if (quote == '{' || quote == '[') {
      return {begin, begin};
    }
    if (quote == '"' || quote == '\'') {
      std::size_t end = ++begin;
      while (end < text_.size() && text_[end] != quote) {
        end += quote == '"' && text_[end] == '\\' ? 2 : 1;
      }
      return {begin, std::min(end, text_.size())};
    }
    std::size_t end = std::min({text_.find_first_of(",}]\n", begin), text_.find(" #", begin), text_.size()});
    while (end > begin && text_[end - 1] == ' ') {
      --end;
    }
    return {begin, end};
  }

  void look_at_member(std::size_t colon) {
    const std::string_view key = key_before(colon);
    const bool is_name = key == "key" || key == "name" || key == "header_name" || key == "headerName";
    if (!is_name && !may_be_secret(key) && !(named_secret_ && holds_value(key))) {
      return;
    }
    const Stretch value = value_behind(colon);
    if (value.begin == value.end) {
      return;
    }
    if (is_name) {
      named_secret_ = may_be_secret(text_.substr(value.begin, value.end - value.begin));
    } else {
      hide(value);
    }
  }

  // Keys under which headers, parameters and matchers have what their name is of.
  static bool holds_value(std::string_view key) {
    constexpr std::array keys =
        std::to_array<std::string_view>({"value", "raw_value", "rawValue", "exact", "prefix", "suffix", "contains",
                                         "regex", "exact_match", "prefix_match", "suffix_match", "contains_match",
                                         "exactMatch", "prefixMatch", "suffixMatch", "containsMatch"});
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  void hide(Stretch part) {
    std::fill(hidden_.begin() + static_cast<std::ptrdiff_t>(part.begin),
              hidden_.begin() + static_cast<std::ptrdiff_t>(part.end), true);
  }

  void hide_credentials() {
    for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic "}) {
      for (std::size_t found = text_.find(scheme); found != std::string_view::npos;
           found = text_.find(scheme, found + 1)) {
        const std::size_t begin = found + scheme.size();
        hide({begin, std::min(text_.find_first_of(" \"',}]", begin), text_.size())});
      }
    }
  }

  void hide_parameters() {
    for (std::size_t equal = text_.find('='); equal != std::string_view::npos; equal = text_.find('=', equal + 1)) {
      std::size_t begin = equal;
      while (begin > 0 && is_word(text_[begin - 1])) {
        --begin;
      }
      if (may_be_secret(text_.substr(begin, equal - begin))) {
        hide({equal + 1, std::min(text_.find_first_of("& ;\"',}]", equal + 1), text_.size())});
      }
    }
  }

  // What stands between the two lines of a key or a certificate, under whatever name.
  void hide_pem() {
    constexpr std::string_view beginning = "-----BEGIN ";
    for (std::size_t found = text_.find(beginning); found != std::string_view::npos;
         found = text_.find(beginning, found + 1)) {
      const std::size_t first = found + beginning.size();
      const std::size_t head = text_.find("-----", first);
      const std::size_t begin = std::min(head == std::string_view::npos ? first : head + 5, text_.size());
      hide({begin, std::min(text_.find("-----END", begin), text_.size())});
    }
  }

  void hide_opaque_runs() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (i < text_.size() && is_opaque(text_[i])) {
        continue;
      }
      if (i - begin >= opaque_run) {
        hide({begin, i});
      }
      begin = i + 1;
    }
  }

  std::string_view text_;
  std::vector<bool> hidden_;
  bool named_secret_ = false;  // the last name that was seen is one of a secret
};

}  // namespace

bool may_be_secret(std::string_view name) {
  constexpr std::array words = std::to_array<std::string_view>(
      {"authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential", "api-key",
       "api_key", "apikey", "private-key", "private_key", "privatekey", "inline_string", "inlinestring", "inline_bytes",
       "inlinebytes", "signature"});
  const std::string lower = lower_case(name);
  if (lower.ends_with("tokens") || lower.ends_with("token_bucket") || lower.ends_with("tokenbucket")) {
    return false;
  }
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string without_secret_query(const std::string& path) {
  const std::size_t query = path.find('?');
  return query != std::string::npos && masked(path) != path ? path.substr(0, query) : path;
}

std::string masked(std::string_view text) {
  return Masker(text).mask();
}

}  // namespace spillway::scenario
