#include "sim/scenario/json_schema.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/documents/json_writer.hpp"
#include "sim/scenario/messages/scenario.hpp"

namespace spillway::scenario {
namespace {

using Json = documents::JsonText;
using grammar::Schema;

Json print(const Schema& schema);

Json number(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

// Returns {"required": [key]} for each key, for "one of these keys".
Json each_required(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) {
    list.push_back({{"required", Json::array({name})}});
  }
  return list;
}

// Adds the condition that no two of the keys occur together.
void print_at_most_one(Json& all_of, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      all_of.push_back({{"not", {{"required", Json::array({names[i], names[j]})}}}});
    }
  }
}

// Returns what each key depends on, keys in the order of their first dependency.
std::vector<std::pair<std::string, std::vector<std::string>>> dependencies_by_key(const Schema& schema) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_key;
  for (const auto& [name, other] : schema.dependencies) {
    const auto found =
        std::find_if(by_key.begin(), by_key.end(), [&](const auto& known) { return known.first == name; });
    auto& others = found == by_key.end() ? by_key.emplace_back(name, std::vector<std::string>()).second : found->second;
    others.push_back(other);
  }
  return by_key;
}

void print_object(Json& out, const Schema& schema) {
  Json properties = Json::object();
  for (const auto& [name, property] : schema.properties) {
    properties.add(name, print(property));
  }
  out.add("properties", properties);
  if (!schema.additional.empty()) {
    out.add("additionalProperties", print(schema.additional.front()));
  } else if (!schema.open) {
    out.add("additionalProperties", false);
  }
  Json required = Json::array();
  Json all_of = Json::array();
  for (const auto& names : schema.exactly_one) {
    if (names.size() == 1) {
      required.push_back(names.front());
    } else {
      all_of.push_back({{"oneOf", each_required(names)}});
    }
  }
  for (const auto& names : schema.at_least_one) {
    all_of.push_back({{"anyOf", each_required(names)}});
  }
  for (const auto& names : schema.at_most_one) {
    print_at_most_one(all_of, names);
  }
  for (const std::string& name : schema.forbidden) {
    all_of.push_back({{"not", {{"required", Json::array({name})}}}});
  }
  Json dependencies = Json::object();
  for (const auto& [name, others] : dependencies_by_key(schema)) {
    dependencies.add(name, others);
  }
  if (!required.empty()) {
    out.add("required", required);
  }
  if (!dependencies.empty()) {
    out.add("dependencies", dependencies);
  }
  if (!all_of.empty()) {
    out.add("allOf", all_of);
  }
}

template <class Value>
void print_if_given(Json& out, const char* name, const std::optional<Value>& value) {
  if (value) {
    out.add(name, *value);
  }
}

Json print(const Schema& schema) {
  Json out = Json::object();
  if (!schema.description.empty()) {
    out.add("description", schema.description);
  }
  if (!schema.reference.empty()) {
    // Next to a $ref, draft-07 ignores everything else; a description there is for editors.
    Json reference = {{"$ref", "#/definitions/" + schema.reference}};
    if (schema.description.empty()) {
      return reference;
    }
    out.add("allOf", Json::array({std::move(reference)}));
    return out;
  }
  if (!schema.type.empty()) {
    out.add("type", schema.type);
  }
  if (!schema.enumeration.empty()) {
    out.add("enum", schema.enumeration);
  }
  if (!schema.pattern.empty()) {
    out.add("pattern", schema.pattern);
  }
  print_if_given(out, "minLength", schema.min_length);
  print_if_given(out, "maxLength", schema.max_length);
  if (schema.minimum) {
    out.add("minimum", number(*schema.minimum));
  }
  if (schema.maximum) {
    out.add("maximum", number(*schema.maximum));
  }
  print_if_given(out, "minItems", schema.min_items);
  print_if_given(out, "maxItems", schema.max_items);
  if (!schema.items.empty()) {
    out.add("items", print(schema.items.front()));
  }
  if (!schema.any_of.empty()) {
    Json any_of = Json::array();
    for (const Schema& alternative : schema.any_of) {
      any_of.push_back(print(alternative));
    }
    out.add("anyOf", any_of);
  }
  if (schema.type == "object") {
    print_object(out, schema);
  }
  return out;
}

}  // namespace

std::string json_schema() {
  grammar::Definitions definitions;
  const Schema root = grammar::Record<messages::Scenario>{}.schema(definitions);
  Json out;
  out.add("$schema", "http://json-schema.org/draft-07/schema#");
  out.add("$id", "https://spillway.invalid/schema/scenario-1.json");  // a name, not a place
  out.add("title", "Spillway scenario");
  out.add("$comment", "Printed by `spillway schema`; do not edit.");
  out.add_members_of(print(definitions.at(root.reference)));
  definitions.erase(root.reference);
  Json named = Json::object();
  for (const auto& [name, definition] : definitions) {
    named.add(name, print(definition));
  }
  out.add("definitions", named);
  return documents::indented(out, 2) + "\n";
}

}  // namespace spillway::scenario
