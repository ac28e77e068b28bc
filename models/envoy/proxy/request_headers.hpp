// Headers, paths and addresses of requests: which can be sent, and how a request gets them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/routes/request.hpp"

namespace spillway::proxy {

[[nodiscard]] bool is_header_name(std::string_view name);
[[nodiscard]] bool is_header_value(std::string_view value);
// Visible characters alone, and from the root.
[[nodiscard]] bool is_path(std::string_view path);

// Blanks around a value are not part of it.
void add_header(envoy::routes::Request& request, const std::string& name, const std::vector<std::string>& values);
void remove_header(envoy::routes::Request& request, std::string_view name);
void set_header(envoy::routes::Request& request, const std::string& name, const std::vector<std::string>& values);

// "10.0.0.1" or "10.0.0.1:40000"; none: it is neither.
[[nodiscard]] std::optional<std::string> address_of(const std::string& text);

}  // namespace spillway::proxy
