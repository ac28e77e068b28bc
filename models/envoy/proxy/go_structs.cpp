#include "models/envoy/proxy/go_structs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace spillway::proxy {
namespace {

using documents::Node;

const documents::Member* oneof_in(const Node& node) {
  static constexpr std::array names = std::to_array<std::string_view>(
      {"ClusterDiscoveryType", "HostIdentifier", "PortSpecifier", "PathSpecifier", "ConfigSourceSpecifier"});
  for (const documents::Member& member : node.members) {
    if (std::find(names.begin(), names.end(), member.key) != names.end()) {
      return &member;
    }
    if (const documents::Member* const inner = oneof_in(member.value)) {
      return inner;
    }
  }
  for (const Node& item : node.items) {
    if (const documents::Member* const inner = oneof_in(item)) {
      return inner;
    }
  }
  return nullptr;
}

}  // namespace

const documents::Member* find_go_struct(const Node& root) {
  return oneof_in(root);
}

}  // namespace spillway::proxy
