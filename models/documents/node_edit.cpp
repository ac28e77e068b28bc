#include "models/documents/node_edit.hpp"

#include <algorithm>
#include <utility>

#include "models/documents/json_writer.hpp"

namespace spillway::documents {

Node make_node(std::string text) {
  Node node;
  node.kind = Kind::string;
  node.text = std::move(text);
  return node;
}

Node make_node(const char* text) {
  return make_node(std::string(text));
}

Node make_node(std::uint64_t number) {
  Node node;
  node.kind = Kind::integer;
  node.magnitude = number;
  node.number = static_cast<double>(number);
  node.text = std::to_string(number);
  return node;
}

Node make_array(std::vector<Node> items) {
  Node node;
  node.kind = Kind::array;
  node.items = std::move(items);
  return node;
}

Node make_object(std::vector<Entry> entries) {
  Node node;
  node.kind = Kind::object;
  for (Entry& entry : entries) {
    node.members.push_back({std::move(entry.key), {}, std::move(entry.value)});
  }
  return node;
}

Node& member(Node& object, std::string_view key) {
  object.kind = Kind::object;
  const auto found = std::find_if(object.members.begin(), object.members.end(),
                                  [&](const Member& candidate) { return candidate.key == key; });
  return found != object.members.end() ? found->value
                                       : object.members.emplace_back(Member{std::string(key), {}, {}}).value;
}

void push_back(Node& array, Node item) {
  array.kind = Kind::array;
  array.items.push_back(std::move(item));
}

void update(Node& object, const Node& other) {
  for (const Member& of : other.members) {
    member(object, of.key) = of.value;
  }
}

void erase(Node& object, std::string_view key) {
  std::erase_if(object.members, [&](const Member& candidate) { return candidate.key == key; });
}

void drop_nulls(Node& node) {
  std::erase_if(node.members, [](const Member& member) { return member.value.kind == Kind::null; });
  for (Member& member : node.members) {
    drop_nulls(member.value);
  }
  for (Node& item : node.items) {
    drop_nulls(item);
  }
}

void apply_merge_keys(Node& node) {
  for (Member& member : node.members) {
    apply_merge_keys(member.value);
  }
  for (Node& item : node.items) {
    apply_merge_keys(item);
  }
  const auto is_object = [](const Node& value) { return value.kind == Kind::object; };
  const auto key = std::find_if(node.members.begin(), node.members.end(), [&](const Member& member) {
    return member.key == "<<" &&
           (is_object(member.value) || (!member.value.items.empty() &&
                                        std::all_of(member.value.items.begin(), member.value.items.end(), is_object)));
  });
  if (key == node.members.end()) {
    return;
  }
  const Node merged = std::move(key->value);
  node.members.erase(key);
  const auto add_missing = [&](const Node& from) {
    for (const Member& member : from.members) {
      if (node.find(member.key) == nullptr) {
        node.members.push_back(member);
      }
    }
  };
  add_missing(merged);
  std::for_each(merged.items.begin(), merged.items.end(), add_missing);
}

bool is_empty(const Node& node) noexcept {
  return node.kind == Kind::null ||
         (node.kind == Kind::object ? node.members.empty() : node.kind == Kind::array && node.items.empty());
}

bool same_json(const Node& left, const Node& right) {
  return JsonText::of(left).text() == JsonText::of(right).text();
}

}  // namespace spillway::documents
