#include "models/documents/grammar/protobuf_json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/config/lower_ascii.hpp"
#include "models/documents/grammar/fields.hpp"
#include "models/documents/node_edit.hpp"

namespace spillway::grammar {
namespace {

using documents::Member;
using documents::Node;

// Fields of type google.protobuf.Struct, or maps of it. A null in them is a value, and keys in either spelling are
// different keys.
constexpr std::array structs = std::to_array<std::string_view>(
    {"filter_metadata", "filterMetadata", "default_subset", "defaultSubset", "static_layer", "staticLayer"});

template <class Item>
void append(std::vector<Item>& to, std::vector<Item>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void join(Member& first, Member& again) {
  if (first.value.kind == documents::Kind::object && again.value.kind == documents::Kind::object) {
    append(first.value.members, again.value.members);
  } else if (first.value.kind == documents::Kind::array && again.value.kind == documents::Kind::array) {
    append(first.value.items, again.value.items);
  } else {
    first = std::move(again);
  }
}

// True if an object has a key in both spellings, which is rare.
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

// Replaces lists in a list by their items.
void flatten(std::vector<Node>& items) {
  const auto is_list = [](const Node& item) { return item.kind == documents::Kind::array; };
  while (std::any_of(items.begin(), items.end(), is_list)) {
    std::vector<Node> flat;
    for (Node& item : items) {
      if (is_list(item)) {
        append(flat, item.items);
      } else {
        flat.push_back(std::move(item));
      }
    }
    items = std::move(flat);
  }
}

struct Marks {
  bool envoys_own = false;
  bool reported = false;
};

void settle(Node& node, const Marks& marks) {
  node.protobuf = true;
  node.envoys_own = marks.envoys_own;
  node.reported = marks.reported;
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == documents::Kind::null; });
  join_spellings(node.members);
  flatten(node.items);
  for (Member& member : node.members) {
    if (std::find(structs.begin(), structs.end(), member.key) == structs.end()) {
      settle(member.value, marks);
    }
  }
  for (Node& item : node.items) {
    settle(item, marks);
  }
}

// Parses a word that yaml-cpp reads as a boolean: lower case, upper case or capitalized. nullopt for other words.
std::optional<bool> boolean_of_yaml(const std::string& text) {
  const bool rest_is_small = std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool is_loud = std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const std::string word = config::to_lower_ascii(text);
  if (!rest_is_small && !is_loud) {
    return std::nullopt;
  }
  return word == "y" || word == "yes" || word == "on"   ? std::optional(true)
         : word == "n" || word == "no" || word == "off" ? std::optional(false)
                                                        : std::nullopt;
}

// Reads plain scalars as Envoy does, through yaml-cpp: a leading zero makes a number octal, and some unquoted words are
// booleans that YAML 1.2 does not have. Source: protobuf/yaml_utility.cc (parseYamlNode), and a live Envoy 1.40.
void read_scalars_as_envoy(Node& node) {
  const bool digits = !node.text.empty() && node.text.find_first_not_of("01234567") == std::string::npos;
  if (node.plain && node.kind == documents::Kind::integer && node.text.size() > 1 && node.text.front() == '0' &&
      digits) {
    node.magnitude = std::stoull(node.text, nullptr, 8);
    node.number = static_cast<double>(node.magnitude);
    node.text = std::to_string(node.magnitude);
  } else if (node.plain && node.kind == documents::Kind::string && !node.text.empty()) {
    if (const std::optional<bool> boolean = boolean_of_yaml(node.text)) {
      node.kind = documents::Kind::boolean;
      node.boolean = *boolean;
    }
  }
  for (Member& member : node.members) {
    read_scalars_as_envoy(member.value);
  }
  for (Node& item : node.items) {
    read_scalars_as_envoy(item);
  }
}

// Settles the health_check_config of endpoints, in services and in events that add endpoints.
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

void settle_envoy_document(Node& root, bool reported) {
  read_scalars_as_envoy(root);
  settle(root, {.envoys_own = true, .reported = reported});
}

void settle_messages_of_scenario(Node& root) {
  documents::apply_merge_keys(root);
  for (Member& member : root.members) {
    if (member.key == "clusters" || member.key == "load_assignments" || member.key == "routes") {
      for (Node& message : member.value.items) {
        settle_protobuf_json(message);
      }
    }
  }
  settle_health_check_configs(root);
}

}  // namespace spillway::grammar
