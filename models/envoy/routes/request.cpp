#include "models/envoy/routes/request.hpp"

#include <algorithm>

namespace spillway::envoy::routes {

namespace {

char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Calls visit(part) for each part between separators until it returns true.
template <class Visit>
void for_each_part(std::string_view text, char separator, Visit visit) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (visit(text.substr(begin, end - begin))) {
      return;
    }
    begin = end + 1;
  }
}

std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
  return quoted ? value.substr(1, value.size() - 2) : value;
}

constexpr std::string_view request_id = "x-request-id";

std::string_view name_of(std::string_view header) noexcept {
  return same_header_name(header, "host") ? ":authority" : header;
}

// Returns the value of a header that Envoy adds to a request without it, on a plain connection; null for other headers.
const std::string* added_value(std::string_view header) noexcept {
  static const std::string scheme = "http";
  static const std::string id = "00000000-0000-4000-8000-000000000000";  // represents all generated ids
  if (same_header_name(header, ":scheme") || same_header_name(header, "x-forwarded-proto")) {
    return &scheme;
  }
  return same_header_name(header, request_id) ? &id : nullptr;
}

const std::string* brought_value(const Request& request, std::string_view header) noexcept {
  const std::string_view wanted = name_of(header);
  const auto found = std::find_if(request.headers.begin(), request.headers.end(),
                                  [&](const auto& entry) { return same_header_name(name_of(entry.first), wanted); });
  return found == request.headers.end() ? nullptr : &found->second;
}

}  // namespace

bool same_header_name(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

const std::string* first_value(const Request& request, std::string_view header) noexcept {
  const std::string* const brought = brought_value(request, header);
  return brought == nullptr ? added_value(header) : brought;
}

bool is_generated_id(const Request& request, std::string_view header) noexcept {
  return same_header_name(header, request_id) && brought_value(request, header) == nullptr;
}

std::vector<std::string> all_values(const Request& request, std::string_view header) {
  std::vector<std::string> values;
  const std::string_view wanted = name_of(header);
  for (const auto& [name, value] : request.headers) {
    if (same_header_name(name_of(name), wanted)) {
      values.push_back(value);
    }
  }
  if (const std::string* const added = added_value(header); values.empty() && added != nullptr) {
    values.push_back(*added);
  }
  return values;
}

std::optional<std::string> cookie_value(const Request& request, std::string_view name) {
  std::optional<std::string> found;
  for (const auto& [header, value] : request.headers) {
    if (!same_header_name(header, "cookie")) {
      continue;
    }
    for_each_part(value, ';', [&](std::string_view cookie) {
      cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
      const std::size_t equals = cookie.find('=');
      if (equals != std::string_view::npos && cookie.substr(0, equals) == name) {
        found = std::string(without_quotes(cookie.substr(equals + 1)));
      }
      return found.has_value();
    });
    if (found) {
      break;
    }
  }
  return found;
}

std::optional<std::string> query_parameter(const Request& request, std::string_view name) {
  const std::string* const path = first_value(request, ":path");
  const std::size_t start = path == nullptr ? std::string::npos : path->find('?');
  if (start == std::string::npos) {
    return std::nullopt;
  }
  std::optional<std::string> found;
  for_each_part(std::string_view(*path).substr(start + 1), '&', [&](std::string_view parameter) {
    const std::size_t equals = std::min(parameter.find('='), parameter.size());
    if (parameter.substr(0, equals) == name) {
      found = std::string(parameter.substr(std::min(equals + 1, parameter.size())));
    }
    return found.has_value();
  });
  return found;
}

}  // namespace spillway::envoy::routes
