#include "models/kuma/protocol.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "models/config/lower_ascii.hpp"

namespace spillway::kuma {

namespace {

constexpr std::array<std::string_view, 7> known_protocols = {"http", "http2", "tcp", "tls", "grpc", "kafka", "mysql"};

// Returns the layers of a protocol, itself first. Empty if it has nothing in common with any other.
std::span<const std::string_view> stack_of(std::string_view protocol) {
  static constexpr std::array<std::string_view, 3> grpc = {"grpc", "http2", "tcp"};
  static constexpr std::array<std::string_view, 2> http2 = {"http2", "tcp"};
  static constexpr std::array<std::string_view, 2> http = {"http", "tcp"};
  static constexpr std::array<std::string_view, 2> kafka = {"kafka", "tcp"};
  static constexpr std::array<std::string_view, 1> tcp = {"tcp"};
  if (protocol == "grpc") {
    return grpc;
  }
  if (protocol == "http2") {
    return http2;
  }
  if (protocol == "http") {
    return http;
  }
  if (protocol == "kafka") {
    return kafka;
  }
  return protocol == "tcp" || protocol == "tls" ? std::span<const std::string_view>(tcp)
                                                : std::span<const std::string_view>();
}

}  // namespace

std::string parse_protocol(std::string_view tag) {
  std::string protocol = config::to_lower_ascii(std::string(tag));
  return std::find(known_protocols.begin(), known_protocols.end(), protocol) == known_protocols.end()
             ? std::string(unknown_protocol)
             : protocol;
}

bool is_http_based(std::string_view protocol) {
  return protocol == "http" || protocol == "http2" || protocol == "grpc";
}

std::string common_protocol(std::string_view one, std::string_view other) {
  std::string first = parse_protocol(one);
  const std::string second = parse_protocol(other);
  if (first == second) {
    return first;
  }
  const auto others = stack_of(second);
  for (const std::string_view part : stack_of(first)) {
    if (std::find(others.begin(), others.end(), part) != others.end()) {
      return std::string(part);
    }
  }
  return std::string(unknown_protocol);
}

bool takes_split(std::string_view protocol, SplitKind kind) {
  const bool by_connection = protocol == unknown_protocol || protocol == "tcp" || protocol == "kafka";
  return is_http_based(protocol) || (kind == SplitKind::tcp && by_connection);
}

}  // namespace spillway::kuma
