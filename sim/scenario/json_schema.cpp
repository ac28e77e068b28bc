#include "sim/scenario/json_schema.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "sim/scenario/messages/scenario.hpp"

namespace spillway::scenario {
namespace {

using Json = nlohmann::ordered_json;
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
    list.push_back({{"required", {name}}});
  }
  return list;
}

// Adds the condition that no two of the keys occur together.
void print_at_most_one(Json& all_of, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      all_of.push_back({{"not", {{"required", {names[i], names[j]}}}}});
    }
  }
}

void print_object(Json& out, const Schema& schema) {
  Json properties = Json::object();
  for (const auto& [name, property] : schema.properties) {
    properties[name] = print(property);
  }
  out["properties"] = std::move(properties);
  if (!schema.additional.empty()) {
    out["additionalProperties"] = print(schema.additional.front());
  } else if (!schema.open) {
    out["additionalProperties"] = false;
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
    all_of.push_back({{"not", {{"required", {name}}}}});
  }
  Json dependencies = Json::object();
  for (const auto& [name, other] : schema.dependencies) {
    dependencies[name].push_back(other);
  }
  if (!required.empty()) {
    out["required"] = std::move(required);
  }
  if (!dependencies.empty()) {
    out["dependencies"] = std::move(dependencies);
  }
  if (!all_of.empty()) {
    out["allOf"] = std::move(all_of);
  }
}

template <class Value>
void print_if_given(Json& out, const char* name, const std::optional<Value>& value) {
  if (value) {
    out[name] = *value;
  }
}

Json print(const Schema& schema) {
  Json out = Json::object();
  if (!schema.description.empty()) {
    out["description"] = schema.description;
  }
  if (!schema.reference.empty()) {
    // Next to a $ref, draft-07 ignores everything else; a description there is for editors.
    Json reference = {{"$ref", "#/definitions/" + schema.reference}};
    if (schema.description.empty()) {
      return reference;
    }
    out["allOf"] = Json::array({std::move(reference)});
    return out;
  }
  if (!schema.type.empty()) {
    out["type"] = schema.type;
  }
  if (!schema.enumeration.empty()) {
    out["enum"] = schema.enumeration;
  }
  if (!schema.pattern.empty()) {
    out["pattern"] = schema.pattern;
  }
  print_if_given(out, "minLength", schema.min_length);
  print_if_given(out, "maxLength", schema.max_length);
  if (schema.minimum) {
    out["minimum"] = number(*schema.minimum);
  }
  if (schema.maximum) {
    out["maximum"] = number(*schema.maximum);
  }
  print_if_given(out, "minItems", schema.min_items);
  print_if_given(out, "maxItems", schema.max_items);
  if (!schema.items.empty()) {
    out["items"] = print(schema.items.front());
  }
  for (const Schema& alternative : schema.any_of) {
    out["anyOf"].push_back(print(alternative));
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
  out["$schema"] = "http://json-schema.org/draft-07/schema#";
  out["$id"] = "https://spillway.invalid/schema/scenario-1.json";  // a name, not a place
  out["title"] = "Spillway scenario";
  out["$comment"] = "Printed by `spillway schema`; do not edit.";
  out.update(print(definitions.at(root.reference)));
  definitions.erase(root.reference);
  Json named = Json::object();
  for (const auto& [name, definition] : definitions) {
    named[name] = print(definition);
  }
  out["definitions"] = std::move(named);
  return out.dump(2) + "\n";
}

}  // namespace spillway::scenario
