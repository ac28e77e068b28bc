// Validates headers, paths and addresses of requests, and edits a request's headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

[[nodiscard]] bool is_header_name(std::string_view name);
[[nodiscard]] bool is_header_value(std::string_view value);
// True if the path contains only visible characters and starts at the root.
[[nodiscard]] bool is_path(std::string_view path);

// Adds, removes or sets a header. White space around a value is dropped.
void add_header(envoy::routes::Request& request, const std::string& name, const std::vector<std::string>& values);
void remove_header(envoy::routes::Request& request, std::string_view name);
void set_header(envoy::routes::Request& request, const std::string& name, const std::vector<std::string>& values);

// Returns the address of "10.0.0.1" or "10.0.0.1:40000"; nullopt for any other text.
[[nodiscard]] std::optional<std::string> address_of(const std::string& text);

}  // namespace spillway::proxy
