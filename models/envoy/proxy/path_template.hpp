// Path templates of Envoy's UriTemplateMatchConfig, as regular expressions.
//
//   regex_of_path_template("/cart/{id}/*.json");   // "/cart/[...]+/[...]+\.json", without the letters of the class
//
// Source: extensions/path/uri_template_lib/uri_template_internal.cc of Envoy, and a live Envoy 1.40.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spillway::proxy {

// Returns the expression that the whole path must match, without its query; nullopt if Envoy has no such template.
// `*` and `{name}` match one or more characters of a segment, `**` any number of characters and slashes.
[[nodiscard]] std::optional<std::string> regex_of_path_template(std::string_view path_template);

}  // namespace spillway::proxy
