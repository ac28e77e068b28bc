#include "sim/scenario/document/drop_nulls.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace spillway::scenario::document {
namespace {

// Fields of type google.protobuf.Struct, or maps of it: a null in them is a value.
constexpr std::array structs = std::to_array<std::string_view>(
    {"filter_metadata", "filterMetadata", "default_subset", "defaultSubset", "static_layer", "staticLayer"});

}  // namespace

void drop_nulls(Node& node) {
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == Kind::null; });
  for (Member& member : node.members) {
    if (std::find(structs.begin(), structs.end(), member.key) == structs.end()) {
      drop_nulls(member.value);
    }
  }
  for (Node& item : node.items) {
    drop_nulls(item);
  }
}

}  // namespace spillway::scenario::document
