// Builds and edits documents that the program writes. Their nodes have no location in a file.
//
//   Node group = make_object({{"zone", make_node("zone-1")}});
//   member(group, "count") = make_node(std::uint64_t{3});
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::documents {

[[nodiscard]] Node make_node(std::string text);
[[nodiscard]] Node make_node(const char* text);
[[nodiscard]] Node make_node(std::uint64_t number);
[[nodiscard]] Node make_array(std::vector<Node> items = {});

struct Entry {
  std::string key;
  Node value;
};
// Precondition: keys are unique.
[[nodiscard]] Node make_object(std::vector<Entry> entries = {});

// Returns the value of a key. Adds the key with a null value if it is missing. Precondition: the node is an object or
// null; null becomes an object. O(members).
[[nodiscard]] Node& member(Node& object, std::string_view key);

// Appends to an array. Precondition: the node is an array or null; null becomes an array.
void push_back(Node& array, Node item);

// Sets every member of `other` in `object`. Precondition: both are objects.
void update(Node& object, const Node& other);

// Removes a key if it exists.
void erase(Node& object, std::string_view key);

// Removes members with the value null, at any depth: Kubernetes ignores them.
void drop_nulls(Node& node);

// Replaces each key `<<` of YAML 1.1 whose value is an object, or a list of objects, by their members that the object
// around it does not have; of several with one key the first counts. Other values of `<<` stay.
void apply_merge_keys(Node& node);

// True for null, and for an object or array without elements.
[[nodiscard]] bool is_empty(const Node& node) noexcept;

// True if both give the same JSON; locations are ignored.
[[nodiscard]] bool same_json(const Node& left, const Node& right);

}  // namespace spillway::documents
