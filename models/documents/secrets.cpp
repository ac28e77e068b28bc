#include "models/documents/secrets.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "models/config/lower_ascii.hpp"

namespace spillway::documents {
namespace {

// The shortest run of letters and digits that is hidden: a line of a PEM file, or a hash in hexadecimal.
constexpr std::size_t opaque_run = 64;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool is_opaque(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '/' || c == '=';
}

// Splits a name into lower-case words: "tlsKey", "tls.key" and "TLS_KEY" are "tls" and "key".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool begins = true;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const auto letter = static_cast<unsigned char>(name[at]);
    if (std::isalnum(letter) == 0) {
      begins = true;
      continue;
    }
    const bool is_hump = std::isupper(letter) != 0 && at > 0 && std::islower(static_cast<unsigned char>(name[at - 1]));
    if (begins || is_hump) {
      words.emplace_back();
    }
    begins = false;
    words.back() += static_cast<char>(std::tolower(letter));
  }
  return words;
}

class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text), hidden_(text.size(), false) {}

  std::vector<bool> all() {
    for_each(":", [&](std::size_t colon) { look_at_member(colon); });
    hide_unmarked_values();
    hide_opaque_runs(0);
    return by_look();
  }

  std::vector<bool> by_look() {
    hide_credentials();
    hide_parameters();
    hide_pem();
    constexpr std::size_t digits_of_a_key = 5;  // paths of files have fewer
    hide_opaque_runs(digits_of_a_key);
    hide_user_info();
    hide_tokens();
    hide_hooks();
    return std::move(hidden_);
  }

 private:
  [[nodiscard]] char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

  // Calls visit(begin) for each place of a text.
  template <class Visit>
  void for_each(std::string_view wanted, const Visit& visit) const {
    for (std::size_t at = text_.find(wanted); at != std::string_view::npos; at = text_.find(wanted, at + 1)) {
      visit(at);
    }
  }

  // Hides what begins here, up to one of these characters.
  void hide_up_to(std::string_view ends, std::size_t begin) {
    hide({begin, std::min(text_.find_first_of(ends, begin), text_.size())});
  }

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

  // Returns the value after a colon, without quotes; empty for objects and lists.
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

  // Hides what follows a name at the beginning of a line without a colon in between: `password hunter2`.
  void hide_unmarked_values() {
    for (std::size_t line = 0; line < text_.size(); line = std::min(text_.find('\n', line), text_.size() - 1) + 1) {
      const std::size_t begin = std::min(text_.find_first_not_of(" \t-", line), text_.size());
      std::size_t end = begin;
      while (is_word(at(end))) {
        ++end;
      }
      const bool is_unmarked = at(end) == ' ' || at(end) == '\t' || at(end) == '=';
      if (is_unmarked && may_be_secret(text_.substr(begin, end - begin))) {
        const std::size_t value = std::min(text_.find_first_not_of(" \t=", end), text_.size());
        hide({value, std::max(value, std::min(text_.find('\n', end), text_.size()))});
      }
    }
  }

  // True for keys of headers, parameters and matchers that contain the value belonging to a `name`.
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
      for_each(scheme, [&](std::size_t found) { hide_up_to(" \"',}]", found + scheme.size()); });
    }
  }

  void hide_parameters() {
    for_each("=", [&](std::size_t equal) {
      std::size_t begin = equal;
      while (begin > 0 && is_word(text_[begin - 1])) {
        --begin;
      }
      if (may_be_secret(text_.substr(begin, equal - begin))) {
        hide_up_to("& ;\"',}]", equal + 1);
      }
    });
  }

  // Hides the text between the two lines of a PEM key or certificate, under any name.
  void hide_pem() {
    constexpr std::string_view beginning = "-----BEGIN ";
    for_each(beginning, [&](std::size_t found) {
      const std::size_t first = found + beginning.size();
      const std::size_t head = text_.find("-----", first);
      const std::size_t begin = std::min(head == std::string_view::npos ? first : head + 5, text_.size());
      hide({begin, std::min(text_.find("-----END", begin), text_.size())});
    });
  }

  void hide_opaque_runs(std::size_t least_digits) {
    std::size_t begin = 0;
    std::size_t digits = 0;
    for (std::size_t i = 0; i <= text_.size(); ++i) {
      if (i < text_.size() && is_opaque(text_[i])) {
        digits += std::isdigit(static_cast<unsigned char>(text_[i])) != 0 ? 1 : 0;
        continue;
      }
      if (i - begin >= opaque_run && digits >= least_digits) {
        hide({begin, i});
      }
      digits = 0;
      begin = i + 1;
    }
  }

  // Hides passwords in URLs: `https://name:PASSWORD@host`.
  void hide_user_info() {
    constexpr std::string_view scheme_end = "://";
    for_each(scheme_end, [&](std::size_t found) {
      const std::size_t begin = found + scheme_end.size();
      const std::size_t end = std::min(text_.find_first_of("/?# \"'`,\n", begin), text_.size());
      const std::size_t at_sign = text_.substr(begin, end - begin).rfind('@');
      if (at_sign != std::string_view::npos) {
        hide({begin, begin + at_sign});
      }
    });
  }

  // Hides tokens that are recognized by how they begin: JSON Web Tokens, tokens of clouds, code hosts and chats.
  void hide_tokens() {
    struct Kind {
      std::string_view begins;
      std::size_t least;  // minimum number of characters after `begins`
    };
    constexpr std::array kinds = std::to_array<Kind>(
        {{"eyJ", 10},    {"AKIA", 12}, {"ASIA", 12},    {"ghp_", 8},           {"gho_", 8},     {"ghu_", 8},
         {"ghs_", 8},    {"ghr_", 8},  {"glpat-", 8},   {"xoxb-", 8},          {"xoxp-", 8},    {"xoxa-", 8},
         {"xoxs-", 8},   {"xapp-", 8}, {"sk_live_", 8}, {"sk_test_", 8},       {"rk_live_", 8}, {"sk-", 16},
         {"AIza", 16},   {"ya29.", 8}, {"SG.", 16},     {"github_pat_", 8},    {"npm_", 16},    {"pypi-", 16},
         {"dop_v1_", 8}, {"hvs.", 8},  {"shpat_", 8},   {"AGE-SECRET-KEY-", 8}});
    for (const Kind& kind : kinds) {
      for_each(kind.begins, [&](std::size_t found) {
        std::size_t end = found + kind.begins.size();
        while (end < text_.size() && (is_word(text_[end]) || is_opaque(text_[end]))) {
          ++end;
        }
        const bool begins_word = found == 0 || !is_word(text_[found - 1]);
        if (begins_word && end - found >= kind.begins.size() + kind.least) {
          hide({found, end});
        }
      });
    }
  }

  // Hides URLs that are secrets themselves: anyone who knows one may post to a channel.
  void hide_hooks() {
    for (const std::string_view place :
         {"hooks.slack.com/", "/api/webhooks/", ".webhook.office.com/", "hooks.zapier.com/", "/webhook/", "/webhooks/",
          "/hooks/", "chat.googleapis.com/"}) {
      for_each(place, [&](std::size_t found) {
        const std::size_t begin = found + place.size();
        const std::size_t word = text_.find_last_of(" \"'`,\n", found) + 1;  // 0 if there is none
        if (text_.substr(word, begin - word).find("://") != std::string_view::npos) {
          hide_up_to(" \"'`,}]\n", begin);
        }
      });
    }
  }

  std::string_view text_;
  std::vector<bool> hidden_;
  bool named_secret_ = false;  // the last name seen is that of a secret
};

// A fast test in one pass: false if Masker::by_look would hide nothing. False for nearly all messages.
bool may_have_secret(std::string_view text) {
  constexpr std::size_t shortest = 12;  // shortest token
  std::size_t run = 0;
  bool is_odd = false;  // the run has characters that natural language does not have
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '=' || letter == '/' || letter == '@') {
      return true;
    }
    if (!is_word(letter) && letter != '+') {
      run = 0;
      is_odd = false;
      continue;
    }
    is_odd = is_odd || std::isdigit(byte) != 0 || std::isupper(byte) != 0 || letter == '_' || letter == '-';
    if (++run >= shortest && is_odd) {
      return true;
    }
  }
  return text.find("earer ") != std::string_view::npos || text.find("asic ") != std::string_view::npos;
}

}  // namespace

bool may_be_secret(std::string_view name) {
  constexpr std::array parts = std::to_array<std::string_view>(
      {"authorization", "cookie",       "token",        "secret",      "password",    "passwd",      "passphrase",
       "credential",    "api-key",      "api_key",      "apikey",      "private-key", "private_key", "privatekey",
       "inline_string", "inlinestring", "inline_bytes", "inlinebytes", "signature",   "webhook"});
  const std::string lower = config::to_lower_ascii(std::string(name));
  if (lower.ends_with("tokens") || lower.ends_with("token_bucket") || lower.ends_with("tokenbucket")) {
    return false;
  }
  if (std::any_of(parts.begin(), parts.end(),
                  [&](std::string_view part) { return lower.find(part) != std::string::npos; })) {
    return true;
  }
  constexpr std::array words = std::to_array<std::string_view>(
      {"pass", "pwd", "pw", "pin", "otp", "salt", "sig", "jwt", "pem", "psk", "dsn", "bearer"});
  // Words before `key` or `keys` that mark a secret key.
  constexpr std::array purposes = std::to_array<std::string_view>(
      {"tls",        "ssl",     "auth", "license", "licence", "signing", "sign",   "encryption",
       "decryption", "encrypt", "ssh",  "gpg",     "access",  "account", "master", "shared",
       "storage",    "hmac",    "aes",  "rsa",     "session", "deploy",  "root",   "admin"});
  const std::vector<std::string> of_name = words_of(name);
  for (std::size_t at = 0; at < of_name.size(); ++at) {
    const std::string& word = of_name[at];
    const bool is_key = word == "key" || word == "keys";
    if (std::find(words.begin(), words.end(), word) != words.end() ||
        (is_key && at > 0 && std::find(purposes.begin(), purposes.end(), of_name[at - 1]) != purposes.end())) {
      return true;
    }
  }
  return false;
}

std::string without_secret_query(const std::string& path) {
  const std::size_t query = path.find('?');
  return query != std::string::npos && masked(path) != path ? path.substr(0, query) : path;
}

bool ends_within_pem(std::string_view text) {
  const std::size_t begin = text.rfind("-----BEGIN ");
  const std::size_t end = text.rfind("-----END ");
  return begin != std::string_view::npos && (end == std::string_view::npos || end < begin);
}

std::vector<bool> secret_bytes(std::string_view text) {
  return Masker(text).all();
}

std::string masked(std::string_view text) {
  return starred(text, secret_bytes(text));
}

std::string without_secrets(std::string_view text) {
  return may_have_secret(text) ? starred(text, Masker(text).by_look()) : std::string(text);
}

std::string starred(std::string_view text, const std::vector<bool>& hidden) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;  // within a UTF-8 character
    if (!hidden[at]) {
      result += text[at];
    } else if (!continues) {
      result += '*';
    }
  }
  return result;
}

}  // namespace spillway::documents
