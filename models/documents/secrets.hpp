// Hides the parts of documents that no output may quote: values of names such as key, token, password.
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

// Returns a path, without its query if a parameter of it may be secret.
[[nodiscard]] std::string without_secret_query(const std::string& path);

// A part of a text, in bytes.
struct Stretch {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Replaces values that may be secret in a piece of JSON or YAML, such as a line, by stars: values of names that mean a
// secret, of headers and matchers with such names, and texts that look like a secret. The number of characters is
// unchanged. Linear, except for such names whose values do not end.
[[nodiscard]] std::string masked(std::string_view text);

// True if the text breaks off between the two ends of a PEM key or certificate.
[[nodiscard]] bool ends_within_pem(std::string_view text);

// Returns, by byte, true if masked() hides it.
[[nodiscard]] std::vector<bool> secret_bytes(std::string_view text);

// Hides only texts that look like a secret, whatever their name: credentials after `Bearer` and `Basic`, passwords in
// URLs, tokens (JWT, of clouds, of code hosts), query parameters, keys and certificates, and long runs of letters and
// digits. For the texts of messages.
[[nodiscard]] std::string without_secrets(std::string_view text);

// Returns the text with a star for each hidden character.
[[nodiscard]] std::string starred(std::string_view text, const std::vector<bool>& hidden);

}  // namespace spillway::documents
