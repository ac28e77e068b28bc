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

}  // namespace

bool same_header_name(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

const std::string* first_value(const Request& request, std::string_view header) noexcept {
  for (const auto& [name, value] : request.headers) {
    if (same_header_name(name, header)) {
      return &value;
    }
  }
  return nullptr;
}

std::vector<std::string> all_values(const Request& request, std::string_view header) {
  std::vector<std::string> values;
  for (const auto& [name, value] : request.headers) {
    if (same_header_name(name, header)) {
      values.push_back(value);
    }
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
