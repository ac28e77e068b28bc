#include "models/envoy/api/metadata.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace spillway::messages {
namespace {

using documents::Kind;

constexpr std::array message_keys = {"filter_metadata", "filterMetadata", "typed_filter_metadata",
                                     "typedFilterMetadata"};

config::Struct struct_of(const documents::Node& node);

config::Value value_of(const documents::Node& node) {
  switch (node.kind) {
    case Kind::null:
      break;
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
    case Kind::number:
      return node.number;
    case Kind::string:
      return node.text;
    case Kind::array: {
      config::Value::List list;
      for (const documents::Node& item : node.items) {
        list.push_back(value_of(item));
      }
      return list;
    }
    case Kind::object:
      return struct_of(node);
  }
  return {};
}

config::Struct struct_of(const documents::Node& node) {
  config::Struct result;
  for (const documents::Member& member : node.members) {
    result.set(member.key, value_of(member.value));
  }
  return result;
}

documents::Node node_of(const config::Value& value) {
  documents::Node node;
  if (const std::string* text = value.as_string()) {
    node.kind = Kind::string;
    node.text = *text;
  } else if (const double* number = value.as_number()) {
    node.kind = Kind::number;
    node.number = *number;
  } else if (const bool* flag = value.as_bool()) {
    node.kind = Kind::boolean;
    node.boolean = *flag;
  } else if (const config::Struct* fields = value.as_struct()) {
    node = StructShape{}.write(*fields);
  } else if (const config::Value::List* list = value.as_list()) {
    node.kind = Kind::array;
    std::transform(list->begin(), list->end(), std::back_inserter(node.items), node_of);
  }
  return node;
}

grammar::Schema open_object() {
  grammar::Schema schema;
  schema.type = "object";
  schema.open = true;
  return schema;
}

}  // namespace

bool StructShape::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  if (node.kind != Kind::object) {
    grammar::wrong_kind(node, what, "an object", problems);
    return false;
  }
  into = struct_of(node);
  return true;
}

grammar::Schema StructShape::schema(grammar::Definitions& /*definitions*/) const {
  return open_object();
}

documents::Node StructShape::write(const Value& value) const {
  documents::Node object;
  object.kind = Kind::object;
  for (const config::Field& field : value.fields()) {
    object.members.push_back({field.name, {}, node_of(field.value)});
  }
  return object;
}

bool FilterMetadata::read(const documents::Node& node, Value& into, std::string_view what,
                          Diagnostics& problems) const {
  if (node.kind != Kind::object) {
    grammar::wrong_kind(node, what, "an object of objects by name space", problems);
    return false;
  }
  bool well = true;
  for (const documents::Member& member : node.members) {
    config::Struct pairs;
    well = StructShape{}.read(member.value, pairs, member.key, problems) && well;
    if (member.key == "envoy.lb") {
      into = std::move(pairs);
    }
  }
  return well;
}

grammar::Schema FilterMetadata::schema(grammar::Definitions& /*definitions*/) const {
  grammar::Schema schema;
  schema.type = "object";
  schema.additional = {open_object()};
  return schema;
}

void describe(Fields& fields, Metadata& metadata) {
  fields.message();
  fields.optional("filter_metadata", metadata.filter_metadata, FilterMetadata{},
                  "by name space; that of envoy.lb is looked at");
  fields.without_influence({"typed_filter_metadata"});
}

bool LbMetadata::read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const {
  Metadata metadata;
  const bool read = grammar::Record<Metadata>{}.read(node, metadata, what, problems);
  into = std::move(metadata.filter_metadata.value);
  return read;
}

grammar::Schema LbMetadata::schema(grammar::Definitions& definitions) const {
  return grammar::Record<Metadata>{}.schema(definitions);
}

documents::Node LbMetadata::write(const Value& value) const {
  return message_with("filter_metadata", message_with("envoy.lb", StructShape{}.write(value)));
}

bool EndpointMetadata::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  const bool message = node.kind == Kind::object && std::any_of(message_keys.begin(), message_keys.end(),
                                                                [&](const char* key) { return node.find(key); });
  if (!message) {
    return StructShape{}.read(node, into, what, problems);
  }
  return LbMetadata{}.read(node, into, what, problems);
}

grammar::Schema EndpointMetadata::schema(grammar::Definitions& definitions) const {
  grammar::Schema pairs = open_object();
  pairs.forbidden.assign(message_keys.begin(), message_keys.end());
  grammar::Schema schema;
  schema.any_of = {grammar::Record<Metadata>{}.schema(definitions), std::move(pairs)};
  return schema;
}

}  // namespace spillway::messages
