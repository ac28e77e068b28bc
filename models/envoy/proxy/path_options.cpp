#include "models/envoy/proxy/path_options.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

int digit_of(char letter) {
  const std::string_view digits = "0123456789abcdef";
  const std::size_t found = digits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(letter))));
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

// Returns the character that an escape at this position encodes; nullopt if there is no escape.
std::optional<char> escaped_at(std::string_view path, std::size_t at) {
  if (path[at] != '%' || at + 2 >= path.size() || digit_of(path[at + 1]) < 0 || digit_of(path[at + 2]) < 0) {
    return std::nullopt;
  }
  return static_cast<char>(digit_of(path[at + 1]) * 16 + digit_of(path[at + 2]));
}

// Calls replace(character) for each escape, and replaces the escape by the character if that returns true.
template <class Replace>
std::string unescaped(std::string_view path, Replace replace) {
  std::string text;
  for (std::size_t at = 0; at < path.size(); ++at) {
    const std::optional<char> character = escaped_at(path, at);
    const bool replaced = character && replace(*character);
    text += replaced ? *character : path[at];
    at += replaced ? 2 : 0;
  }
  return text;
}

bool is_slash(char letter) {
  return letter == '/' || letter == '\\';
}

// Normalises a path by RFC 3986: unescapes unreserved characters and resolves dot segments. A backslash counts as a
// slash.
std::string normalized(std::string_view path) {
  const auto is_unreserved = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("-._~").find(letter) != std::string_view::npos;
  };
  const std::string plain = unescaped(path, is_unreserved);
  std::vector<std::string> segments;
  for (std::size_t begin = 1; begin <= plain.size();) {
    const std::size_t end = std::min(plain.find_first_of("/\\", begin), plain.size());
    const std::string segment = plain.substr(begin, end - begin);
    const bool is_last = end == plain.size();
    if (segment == ".." && !segments.empty()) {
      segments.pop_back();
    }
    if (segment != "." && segment != "..") {
      segments.push_back(segment);
    } else if (is_last) {
      segments.emplace_back();
    }
    begin = end + 1;
  }
  constexpr std::string_view escaped = "\"<>^`{|}";
  std::string text;
  for (const std::string& segment : segments) {
    text += '/';
    for (const char letter : segment) {
      constexpr std::string_view digits = "0123456789ABCDEF";
      if (escaped.find(letter) == std::string_view::npos) {
        text += letter;
      } else {
        text += '%';
        text += digits[static_cast<unsigned char>(letter) / 16];
        text += digits[static_cast<unsigned char>(letter) % 16];
      }
    }
  }
  return text;
}

std::string with_merged_slashes(std::string_view path) {
  std::string text;
  for (const char letter : path) {
    if (letter != '/' || !text.ends_with('/')) {
      text += letter;
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> forwarded_path(const documents::Node* manager, const std::string& path) {
  const std::size_t query = std::min(path.find('?'), path.size());
  std::string own = path.substr(0, query);
  if (manager == nullptr || !own.starts_with('/')) {
    return path;
  }
  const auto is_action = [&](const char* word, double number) {
    return api::MessageView(*manager).is("path_with_escaped_slashes_action", word, number);
  };
  const bool ends = is_action("REJECT_REQUEST", 2) || is_action("UNESCAPE_AND_REDIRECT", 3);
  if (ends || is_action("UNESCAPE_AND_FORWARD", 4)) {
    std::string plain = unescaped(own, is_slash);
    if (plain != own && ends) {
      return std::nullopt;
    }
    own = std::move(plain);
  }
  if (is_true(*manager, "normalize_path")) {
    own = normalized(own);
  }
  if (is_true(*manager, "merge_slashes")) {
    own = with_merged_slashes(own);
  }
  return own + path.substr(query);
}

}  // namespace spillway::proxy
