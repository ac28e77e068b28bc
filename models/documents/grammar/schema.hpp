// The description of one value in the published JSON Schema: plain data that the descriptions of the grammar fill in
// and json_schema.cpp prints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::grammar {

struct Property;

struct Schema {
  std::string description;
  std::string reference;  // name of a definition; everything else is then empty but the description
  std::string type;       // "", "string", "integer", "number", "boolean", "array", "object"
  std::string pattern;
  std::vector<std::string> enumeration;
  std::optional<std::uint64_t> min_length;
  std::optional<std::uint64_t> max_length;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<Schema> items;  // none or one
  std::optional<std::uint64_t> min_items;
  std::optional<std::uint64_t> max_items;
  std::vector<Property> properties;
  bool open = false;                                  // an object that may hold more than its properties
  std::vector<Schema> additional;                     // none or one: what else it may hold
  std::vector<std::string> forbidden;                 // keys that it may not hold
  std::vector<std::vector<std::string>> exactly_one;  // of these keys; a single key is required
  std::vector<std::vector<std::string>> at_most_one;
  std::vector<std::vector<std::string>> at_least_one;
  std::vector<std::pair<std::string, std::string>> dependencies;  // the first key needs the second
  std::vector<Schema> any_of;
};

struct Property {
  std::string name;
  Schema schema;
};

// Named definitions, printed in the order of their names.
using Definitions = std::map<std::string, Schema>;

}  // namespace spillway::grammar
