#include "models/envoy/proxy/request_headers.hpp"

#include <algorithm>

#include "models/config/trimmed.hpp"
#include "models/envoy/routes/address.hpp"

namespace spillway::proxy {

namespace {

using envoy::routes::Request;
using envoy::routes::same_header_name;

}  // namespace

bool is_header_name(std::string_view name) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  name.remove_prefix(name.starts_with(':') ? 1 : 0);
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           marks.find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7F;
  });
}

bool is_path(std::string_view path) {
  return path.starts_with('/') && std::all_of(path.begin(), path.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte > 0x20 && byte != 0x7F;
         });
}

void add_header(Request& request, const std::string& name, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    request.headers.emplace_back(name, config::trimmed(value));
  }
}

void remove_header(Request& request, std::string_view name) {
  std::erase_if(request.headers, [&](const auto& header) { return same_header_name(header.first, name); });
}

void set_header(Request& request, const std::string& name, const std::vector<std::string>& values) {
  remove_header(request, name);
  add_header(request, name, values);
}

std::optional<std::string> address_of(const std::string& text) {
  const std::string bracketed = text.find(':') == std::string::npos ? text : "[" + text + "]";
  for (const std::string& candidate : {text, bracketed + ":0"}) {
    if (const auto address = envoy::routes::parse_ip_address(candidate)) {
      return envoy::routes::text(*address);
    }
  }
  return std::nullopt;
}

}  // namespace spillway::proxy
