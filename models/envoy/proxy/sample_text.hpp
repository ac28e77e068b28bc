// A text that a matcher takes, for requests that stand for a route.
//
//   sample_of_regex("/v[12]/users/\\d+");   // "/v1/users/0"
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/documents/node.hpp"

namespace spillway::proxy {

// Of a regular expression that has to match the whole text: the shortest way through it, the first of alternatives.
// What it does not know (assertions, back references) it leaves out, so whoever needs certainty matches the text.
// Linear.
[[nodiscard]] std::string sample_of_regex(std::string_view regex);

// Of a StringMatcher; nothing: it has no form that is known.
[[nodiscard]] std::optional<std::string> sample_of_string(const documents::Node& matcher);

// Of a HeaderMatcher that wants its header to be there; nothing: the header has to be absent, or may be.
[[nodiscard]] std::optional<std::string> sample_of_header(const documents::Node& matcher);

}  // namespace spillway::proxy
