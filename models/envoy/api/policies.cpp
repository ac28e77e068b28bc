#include "models/envoy/api/policies.hpp"

#include <utility>

namespace spillway::messages {

using grammar::ListOf;
using grammar::Record;
using grammar::Text;

void describe(Fields& fields, LoadBalancingPolicy::Policy& policy) {
  fields.message();
  fields.required("typed_extension_config", policy.typed_extension_config, Record<TypedExtensionConfig>{},
                  "the policy with its configuration");
}

void describe(Fields& fields, LoadBalancingPolicy& policy) {
  fields.message();
  fields.optional("policies", policy.policies, ListOf<Record<LoadBalancingPolicy::Policy>>{},
                  "the first one that Envoy knows is used");
}

void describe(Fields& fields, MetadataKey::PathSegment& segment) {
  fields.message();
  fields.required("key", segment.key, not_empty, "name");
}

void describe(Fields& fields, MetadataKey& key) {
  fields.message();
  fields.required("key", key.key, not_empty, "name space");
  fields.required("path", key.path, ListOf<Record<MetadataKey::PathSegment>>{{}, 1}, "names");
}

bool MetadataKeyShape::read(const documents::Node& node, Value& into, std::string_view what,
                            Diagnostics& problems) const {
  MetadataKey key;
  Record<MetadataKey>{}.read(node, key, what, problems);
  into = key.path->empty() ? "" : key.path->front()->key.value_or("");
  return true;
}

grammar::Schema MetadataKeyShape::schema(grammar::Definitions& definitions) const {
  return Record<MetadataKey>{}.schema(definitions);
}

documents::Node MetadataKeyShape::write(const Value& value) const {
  documents::Node path;
  path.kind = documents::Kind::array;
  path.items.push_back(message_with("key", Text{}.write(value)));
  documents::Node key = message_with("key", Text{}.write("envoy.lb"));
  Fields(key).write("path", std::move(path));
  return key;
}

}  // namespace spillway::messages
