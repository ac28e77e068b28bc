// What of a document no output may quote: values under names that mean keys, tokens, passwords.
//
//   may_be_secret("X-Api-Key")                             // true
//   masked(R"({"token": "abc", "path": "/a?key=1"})")      // {"token": "***", "path": "/a?key=1"}
#pragma once

#include <string>
#include <string_view>

namespace spillway::scenario {

// Whether what stands under a name (a header, a query parameter, a key) is to be kept secret. By words in it, whatever
// its case; a name that counts tokens is none ("max_tokens").
[[nodiscard]] bool may_be_secret(std::string_view name);

// A path without its query, where a parameter of it may be secret.
[[nodiscard]] std::string without_secret_query(const std::string& path);

// A piece of JSON or YAML, such as a line, with stars for the characters of values that may be secret: those under such
// names, those of headers and matchers with such names, credentials behind `Bearer` and `Basic`, parameters of queries,
// and long runs of letters and digits as keys and certificates are. As many characters as before. Linear
// but for such names whose values do not end.
[[nodiscard]] std::string masked(std::string_view text);

}  // namespace spillway::scenario
