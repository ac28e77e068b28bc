// Parts of documents that no output may quote: values under names for keys, tokens, passwords.
//
//   may_be_secret("X-Api-Key")                             // true
//   masked(R"({"token": "abc", "path": "/a?key=1"})")      // {"token": "***", "path": "/a?key=1"}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace spillway::documents {

// True if the value under a name (a header, a query parameter, a key) may be secret. Decided by words in the name in
// any case; names that count tokens are excluded ("max_tokens").
[[nodiscard]] bool may_be_secret(std::string_view name);

// A path without its query, where a parameter of it may be secret.
[[nodiscard]] std::string without_secret_query(const std::string& path);

// A part of a text, in bytes.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// A piece of JSON or YAML, such as a line, with stars for the characters of values that may be secret: those under such
// names, those of headers and matchers with such names, and what looks like a secret. As many characters as before.
// Linear but for such names whose values do not end.
[[nodiscard]] std::string masked(std::string_view text);

// The bytes that masked() hides.
[[nodiscard]] std::vector<bool> secret_bytes(std::string_view text);

// Hides only what looks like a secret, whatever its name: credentials behind `Bearer` and `Basic`, passwords in URLs,
// tokens (JWT, of clouds, of forges), parameters of queries, keys and certificates, and long runs of letters and
// digits. For texts of messages.
[[nodiscard]] std::string without_secrets(std::string_view text);

// The text with a star for each hidden character.
[[nodiscard]] std::string starred(std::string_view text, const std::vector<bool>& hidden);

}  // namespace spillway::documents
