// The description of one value in the published JSON Schema. Plain data: the grammar's descriptions fill it,
// json_schema.cpp prints it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace spillway::grammar {

struct Schema;
template <typename Described>  // so that a schema can hold a list of them
struct PropertyOf {
  std::string name;
  Described schema;
};
using Property = PropertyOf<Schema>;

struct Schema {
  std::string description = {};
  std::string reference = {};  // name of a definition; if set, only the description is used besides
  std::string type = {};       // "", "string", "integer", "number", "boolean", "array", "object"
  std::string pattern = {};
  std::vector<std::string> enumeration = {};
  std::optional<std::uint64_t> min_length = {};
  std::optional<std::uint64_t> max_length = {};
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  std::vector<Schema> items = {};  // at most one
  std::optional<std::uint64_t> min_items = {};
  std::optional<std::uint64_t> max_items = {};
  std::vector<Property> properties = {};
  bool open = false;                                       // true if an object may have members besides its properties
  std::vector<Schema> additional = {};                     // at most one: the schema of such members
  std::vector<std::string> forbidden = {};                 // keys that must not occur
  std::vector<std::vector<std::string>> exactly_one = {};  // of the keys in each list; one alone is required
  std::vector<std::vector<std::string>> at_most_one = {};
  std::vector<std::vector<std::string>> at_least_one = {};
  std::vector<std::pair<std::string, std::string>> dependencies = {};  // the first key needs the second
  std::vector<Schema> any_of = {};
};

// Named definitions, printed in order of name.
using Definitions = std::map<std::string, Schema>;

}  // namespace spillway::grammar
