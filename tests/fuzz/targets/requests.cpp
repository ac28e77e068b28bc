// What requests bring, as whoever sends them writes it: sessions, cookies, queries, headers, paths.
#include <string>
#include <vector>

#include "models/config/protobuf_value.hpp"
#include "models/envoy/routes/request.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/envoy/stateful_session/stateful_session.hpp"
#include "models/istio/names.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

namespace routes = envoy::routes;
namespace sessions = envoy::stateful_session;

// Parts of the bytes between separators that no text needs.
std::vector<std::string> parts_of(std::string_view bytes) {
  std::vector<std::string> parts;
  while (parts.size() < 8) {
    const std::size_t end = std::min(bytes.find('\x1e'), bytes.size());
    parts.emplace_back(bytes.substr(0, end));
    if (end == bytes.size()) {
      break;
    }
    bytes.remove_prefix(end + 1);
  }
  parts.resize(8);
  return parts;
}

// Base64 by its bits, one after the other.
std::string slow_base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char letter : bytes) {
    for (int bit = 7; bit >= 0; --bit) {
      bits += ((static_cast<unsigned char>(letter) >> static_cast<unsigned>(bit)) & 1U) != 0 ? '1' : '0';
    }
  }
  bits.resize((bits.size() + 5) / 6 * 6, '0');
  std::string text;
  for (std::size_t at = 0; at < bits.size(); at += 6) {
    text += digits[std::stoul(bits.substr(at, 6), nullptr, 2)];
  }
  text.resize((text.size() + 3) / 4 * 4, '=');
  return text;
}

void sessions_of(const std::string& text, std::int64_t now) {
  const std::string encoded = sessions::encode_base64(text);
  require(encoded == slow_base64(text), "base64 is that of its bits");
  require(sessions::decode_base64(encoded) == text, "base64 is read as what was written");
  if (const auto decoded = sessions::decode_base64(text)) {
    require(sessions::encode_base64(*decoded) == text, "there is one base64 of each text");
  }
  static_cast<void>(sessions::parse_cookie(text, now));
  static_cast<void>(config::parse_protobuf_value(text));
  const std::string address = "10.0.0." + std::to_string(text.size() % 256) + ":80";
  require(sessions::parse_cookie(sessions::cookie_value(address, 60, now), now + 60) == address,
          "a session lasts to its last second");
  require(!sessions::parse_cookie(sessions::cookie_value(address, 60, now), now + 61), "and no longer");
}

// A pattern of a header beside the plain meaning of its kind.
void headers_of(const std::string& value, const std::string& wanted, unsigned kind, bool inverted) {
  using Kind = routes::HeaderMatcher::Kind;
  const routes::Request request = {.headers = {{"X-User", value}}};
  routes::HeaderMatcher matcher{.name = "x-user", .value = wanted, .invert_match = inverted};
  bool plain = true;
  switch (kind % 4) {
    case 0:
      matcher.kind = Kind::exact;
      plain = value == wanted;
      break;
    case 1:
      matcher.kind = Kind::prefix;
      plain = value.compare(0, wanted.size(), wanted) == 0;
      break;
    case 2:
      matcher.kind = Kind::suffix;
      plain = value.size() >= wanted.size() && value.compare(value.size() - wanted.size(), wanted.size(), wanted) == 0;
      break;
    default:
      matcher.kind = Kind::contains;
      plain = value.find(wanted) != std::string::npos;
  }
  require(wanted.empty() || routes::matches(matcher, request) == (plain != inverted),
          "a matcher of headers is what its kind says");
}

}  // namespace

void read_requests(std::string_view bytes) {
  const std::vector<std::string> parts = parts_of(bytes);
  const unsigned draw = parts[7].empty() ? 0 : static_cast<unsigned char>(parts[7].front());
  sessions_of(parts[0], draw);
  headers_of(parts[1], parts[2], draw, (draw & 4U) != 0);
  const routes::Request request = {.headers = {{":path", parts[3]}, {"cookie", parts[4]}, {"Cookie", parts[1]}}};
  const auto parameter = routes::query_parameter(request, parts[5]);
  require(!parameter || parts[3].find('?') != std::string::npos, "parameters stand behind a question mark");
  require(!parameter || parts[3].find(*parameter) != std::string::npos, "and are parts of the path");
  const auto cookie = routes::cookie_value(request, parts[5]);
  require(!cookie || parts[4].find(*cookie) != std::string::npos || parts[1].find(*cookie) != std::string::npos,
          "a cookie's value is a part of its header");
  const routes::RouteMatch prefix{.path = parts[6].empty() ? "/" : parts[6]};
  require(!routes::matches(prefix, request) || parts[3].compare(0, prefix.path.size(), prefix.path) == 0,
          "a prefix that matches is one");
  static_cast<void>(routes::matches({.path_kind = routes::RouteMatch::PathKind::regex, .path = parts[6]}, request));
  static_cast<void>(istio::resolve_short_name(parts[5], parts[6]));
  require(istio::host_matches(parts[5], parts[5]), "a host matches itself");
  static_cast<void>(istio::host_matches(parts[5], parts[6]));
  static_cast<void>(istio::split_locality(istio::with_slashes(parts[6])));
}

}  // namespace spillway::fuzzing
