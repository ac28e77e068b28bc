#include "sim/scenario/pasted/field_kinds.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "models/documents/grammar/schema.hpp"
#include "models/kuma/messages/document.hpp"
#include "sim/scenario/pasted/policy_fields.hpp"

namespace spillway::scenario::pasted {
namespace {

using documents::Node;
using grammar::Schema;

// Texts that are checked later, by their path's end, and a value that is accepted: the default of the API, if it has
// one. Sources: Istio's HTTPRetry, Kuma's MeshLoadBalancingStrategy and TargetRef.
struct CheckedText {
  std::string_view end;
  std::string_view word;
};
constexpr std::array checked_texts = std::to_array<CheckedText>({{"retries.retryOn", "5xx"},
                                                                 {"default.loadBalancer.type", "RoundRobin"},
                                                                 {"failover.to.type", "Any"},
                                                                 {"hashPolicies.type", "Header"},
                                                                 {"ringHash.hashFunction", "XXHash"}});

const grammar::Definitions& field_definitions() {
  static const grammar::Definitions all = [] {
    grammar::Definitions made;
    static_cast<void>(messages::KumaDocumentShape{}.schema(made));
    return made;
  }();
  return all;
}

const Schema& resolved_schema(const Schema& schema) {
  const auto found = schema.reference.empty() ? field_definitions().end() : field_definitions().find(schema.reference);
  return found == field_definitions().end() ? schema : found->second;
}

std::string text_at_key(const Node& document, std::string_view key) {
  const documents::Member* const member = document.find(key);
  return member == nullptr ? std::string() : member->value.text;
}

// True for the description of documents of this kind: its only word for `kind`, or for Kuma's `type`.
bool is_of_kind(const Schema& schema, std::string_view key, const std::string& kind) {
  return std::any_of(schema.properties.begin(), schema.properties.end(), [&](const grammar::Property& property) {
    const std::vector<std::string>& words = resolved_schema(property.schema).enumeration;
    return property.name == key && words.size() == 1 && words.front() == kind;
  });
}

const Schema* document_schema(const Node& document) {
  const std::string kind = text_at_key(document, "kind");
  const std::string_view key = kind.empty() ? "type" : "kind";
  const std::string name = kind.empty() ? text_at_key(document, "type") : kind;
  if (name.empty()) {
    return nullptr;
  }
  for (const auto& [definition, schema] : field_definitions()) {
    if (is_of_kind(schema, key, name)) {
      return &schema;
    }
  }
  return nullptr;
}

const Schema* schema_below(const Schema& schema, const std::string& key) {
  const Schema& object = resolved_schema(schema);
  if (object.type == "array" && !object.items.empty()) {
    return schema_below(object.items.front(), key);
  }
  for (const grammar::Property& property : object.properties) {
    if (property.name == key) {
      return &property.schema;
    }
  }
  for (const Schema& form : object.any_of) {
    if (const Schema* const found = schema_below(form, key)) {
      return found;
    }
  }
  return object.additional.empty() ? nullptr : &object.additional.front();
}

std::optional<FieldValue> field_value_of(const Schema& described) {
  const Schema& schema = resolved_schema(described);
  if (schema.type == "array" && !schema.items.empty()) {
    return field_value_of(schema.items.front());
  }
  if (!schema.any_of.empty()) {
    return field_value_of(schema.any_of.front());
  }
  if (!schema.enumeration.empty()) {
    return FieldValue{.kind = FieldKind::word, .word = schema.enumeration.front()};
  }
  if (schema.type == "integer" || schema.type == "number") {
    return FieldValue{.kind = FieldKind::number, .least = schema.minimum.value_or(0.0)};
  }
  if (schema.type == "boolean") {
    return FieldValue{.kind = FieldKind::flag};
  }
  if (schema.type == "string") {
    // Only the notations of durations have `ms` among their units.
    const bool is_duration = schema.pattern.find("ms") != std::string::npos;
    return FieldValue{.kind = is_duration ? FieldKind::duration : FieldKind::text};
  }
  return std::nullopt;
}

std::optional<FieldValue> value_of_policy(const std::vector<std::string>& path) {
  std::string joined;
  for (std::size_t key = 1; key < path.size(); ++key) {  // below `spec`
    joined += (key == 1 ? "" : ".") + path[key];
  }
  for (const PolicyField& field : policy_fields()) {
    if (field.key != joined) {
      continue;
    }
    switch (field.as) {
      case PolicyValue::number:
      case PolicyValue::percent:
      case PolicyValue::hundredth:
      case PolicyValue::fraction:
      case PolicyValue::statuses:
        return FieldValue{.kind = FieldKind::number};
      case PolicyValue::duration:
        return FieldValue{.kind = FieldKind::duration};
      case PolicyValue::flag:
        return FieldValue{.kind = FieldKind::flag};
      case PolicyValue::text:
        return FieldValue{};
      case PolicyValue::raw:
      case PolicyValue::idle:
      case PolicyValue::left_out:
      case PolicyValue::refused:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

void add_field_names(const Schema& schema, std::set<std::string, std::less<>>& names) {
  for (const grammar::Property& property : schema.properties) {
    names.insert(property.name);
    add_field_names(property.schema, names);
  }
  for (const std::vector<Schema>* const list : {&schema.items, &schema.any_of, &schema.additional}) {
    for (const Schema& one : *list) {
      add_field_names(one, names);
    }
  }
}

}  // namespace

std::optional<FieldValue> field_value(const Node& document, const std::vector<std::string>& path) {
  if (text_at_key(document, "kind") == "BackendTrafficPolicy") {
    return value_of_policy(path);
  }
  const Schema* schema = document_schema(document);
  for (const std::string& key : path) {
    schema = schema == nullptr ? nullptr : schema_below(*schema, key);
  }
  std::optional<FieldValue> value = schema == nullptr ? std::nullopt : field_value_of(*schema);
  std::string joined;
  for (const std::string& key : path) {
    joined += (joined.empty() ? "" : ".") + key;
  }
  for (const CheckedText& text : checked_texts) {
    if (value && value->kind == FieldKind::text && joined.ends_with(text.end)) {
      value = FieldValue{.kind = FieldKind::word, .word = std::string(text.word)};
    }
  }
  return value;
}

bool is_field(std::string_view name) {
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> all = {"items", "data"};
    for (const auto& [definition, schema] : field_definitions()) {
      add_field_names(schema, all);
    }
    for (const PolicyField& field : policy_fields()) {
      const std::string_view key = field.key;
      all.insert(std::string(key.substr(key.find_last_of('.') + 1)));
      all.insert(std::string(key.substr(0, key.find('.'))));
    }
    return all;
  }();
  return names.contains(name);
}

}  // namespace spillway::scenario::pasted
