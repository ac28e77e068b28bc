#include "sim/scenario/envoy/protobuf_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/scenario/grammar/fields.hpp"

namespace spillway::scenario::envoy_documents {
namespace {

using document::Member;
using document::Node;

// Fields of type google.protobuf.Struct, or maps of it: a null in them is a value, and each key one of its own.
constexpr std::array structs = std::to_array<std::string_view>(
    {"filter_metadata", "filterMetadata", "default_subset", "defaultSubset", "static_layer", "staticLayer"});

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void join(Member& first, Member& again) {
  if (first.value.kind == document::Kind::object && again.value.kind == document::Kind::object) {
    append(first.value.members, again.value.members);
  } else if (first.value.kind == document::Kind::array && again.value.kind == document::Kind::array) {
    append(first.value.items, again.value.items);
  } else {
    first = std::move(again);
  }
}

void join_spellings(std::vector<Member>& members) {
  std::unordered_map<std::string, std::size_t> known;  // by the name in lowerCamelCase
  std::vector<Member> joined;
  joined.reserve(members.size());
  for (Member& member : members) {
    const auto [found, fresh] = known.emplace(grammar::lower_camel_case(member.key), joined.size());
    if (fresh) {
      joined.push_back(std::move(member));
    } else {
      join(joined[found->second], member);
    }
  }
  members = std::move(joined);
}

}  // namespace

void settle_protobuf_json(Node& node) {
  node.protobuf = true;
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == document::Kind::null; });
  join_spellings(node.members);
  for (Member& member : node.members) {
    if (std::find(structs.begin(), structs.end(), member.key) == structs.end()) {
      settle_protobuf_json(member.value);
    }
  }
  for (Node& item : node.items) {
    settle_protobuf_json(item);
  }
}

}  // namespace spillway::scenario::envoy_documents
