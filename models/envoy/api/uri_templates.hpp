// Path templates of Envoy, such as /users/{id}/**. Source: extensions/path/uri_template_lib of Envoy, and a live Envoy
// 1.40.
#pragma once

#include <string>
#include <string_view>

namespace spillway::api {

// Returns why Envoy refuses a template for a match, in its words; "" if it takes it.
[[nodiscard]] std::string fault_of_path_template(std::string_view text);

// True for a template for a rewrite: literals and variables {name}, a slash first.
[[nodiscard]] bool is_rewrite_template(const std::string& text);

}  // namespace spillway::api
