#include "sim/scenario/grammar/protobuf_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/scenario/grammar/fields.hpp"

namespace spillway::scenario::grammar {
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

// Whether keys of both spellings stand in one object, which is rare.
bool mixes_spellings(const std::vector<Member>& members) {
  const auto is_snake = [](const Member& member) { return member.key.find('_') != std::string::npos; };
  const auto is_camel = [](const Member& member) {
    return std::any_of(member.key.begin(), member.key.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  };
  return std::any_of(members.begin(), members.end(), is_snake) && std::any_of(members.begin(), members.end(), is_camel);
}

void join_spellings(std::vector<Member>& members) {
  if (!mixes_spellings(members)) {
    return;
  }
  std::unordered_map<std::string, std::size_t> known;  // by the name in lowerCamelCase
  std::vector<Member> joined;
  joined.reserve(members.size());
  for (Member& member : members) {
    const auto [found, fresh] = known.emplace(lower_camel_case(member.key), joined.size());
    if (fresh) {
      joined.push_back(std::move(member));
    } else {
      join(joined[found->second], member);
    }
  }
  members = std::move(joined);
}

struct Marks {
  bool envoys_own = false;
  bool told = false;
};

void settle(Node& node, const Marks& marks) {
  node.protobuf = true;
  node.envoys_own = marks.envoys_own;
  node.told = marks.told;
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == document::Kind::null; });
  join_spellings(node.members);
  for (Member& member : node.members) {
    if (std::find(structs.begin(), structs.end(), member.key) == structs.end()) {
      settle(member.value, marks);
    }
  }
  for (Node& item : node.items) {
    settle(item, marks);
  }
}

// Of endpoints in services and in events that add some.
void settle_health_check_configs(Node& node) {
  for (Member& member : node.members) {
    if (member.key == "health_check_config") {
      settle_protobuf_json(member.value);
    } else if (member.key == "services" || member.key == "endpoints" || member.key == "timeline" ||
               member.key == "add") {
      settle_health_check_configs(member.value);
    }
  }
  for (Node& item : node.items) {
    settle_health_check_configs(item);
  }
}

}  // namespace

void settle_protobuf_json(Node& message) {
  settle(message, {});
}

void settle_envoy_document(Node& root, bool told) {
  settle(root, {.envoys_own = true, .told = told});
}

void settle_messages_of_scenario(Node& root) {
  for (Member& member : root.members) {
    if (member.key == "clusters" || member.key == "load_assignments" || member.key == "routes") {
      for (Node& message : member.value.items) {
        settle_protobuf_json(message);
      }
    }
  }
  settle_health_check_configs(root);
}

}  // namespace spillway::scenario::grammar
