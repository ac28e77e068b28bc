#include "models/envoy/proxy/go_structs.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace spillway::proxy {
namespace {

using documents::Node;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool has_oneofs(const Node& node) {
  static constexpr std::array names = std::to_array<std::string_view>(
      {"ClusterDiscoveryType", "HostIdentifier", "PortSpecifier", "PathSpecifier", "ConfigSourceSpecifier"});
  return std::any_of(node.members.begin(), node.members.end(),
                     [](const documents::Member& member) {
                       return std::find(names.begin(), names.end(), member.key) != names.end() ||
                              has_oneofs(member.value);
                     }) ||
         std::any_of(node.items.begin(), node.items.end(), has_oneofs);
}

// Converts "EndpointName" to "endpoint_name".
std::string snake_case(const std::string& name) {
  std::string snake;
  for (const char c : name) {
    snake += is_upper(c) && !snake.empty() ? "_" : "";
    snake += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return snake;
}

bool is_oneof(const documents::Member& member) {
  return is_upper(member.key.front()) && member.value.members.size() == 1 &&
         !member.value.members.front().key.empty() && is_upper(member.value.members.front().key.front());
}

bool is_duration(std::string_view key) {
  return key.ends_with("timeout") || key.ends_with("interval") || key.ends_with("_time");
}

// Converts a duration from Go's nanoseconds to protobuf's JSON.
Node seconds_of(const Node& nanoseconds) {
  constexpr std::uint64_t second = 1'000'000'000;
  Node text;
  text.kind = documents::Kind::string;
  text.span = nanoseconds.span;
  const std::string rest = std::to_string(nanoseconds.magnitude % second);
  text.text = std::to_string(nanoseconds.magnitude / second) + "." + std::string(9 - rest.size(), '0') + rest + "s";
  return text;
}

void flatten(Node& node) {
  for (documents::Member& member : node.members) {
    if (!member.key.empty() && is_oneof(member)) {
      documents::Member inner = std::move(member.value.members.front());
      inner.key = snake_case(inner.key);
      member = std::move(inner);
    }
    if (member.value.kind == documents::Kind::integer && is_duration(member.key)) {
      member.value = seconds_of(member.value);
    }
    flatten(member.value);
  }
  for (Node& item : node.items) {
    flatten(item);
  }
}

}  // namespace

void settle_go_structs(Node& root) {
  if (has_oneofs(root)) {
    flatten(root);
  }
}

}  // namespace spillway::proxy
