// Messages inside load-balancing policies: child policies, and the places where a request names hosts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/envoy/api/proto.hpp"

namespace spillway::messages {

// A list of policies; the first one known to Envoy is used.
struct LoadBalancingPolicy {
  struct Policy {
    static constexpr const char* definition = "envoy.config.cluster.v3.LoadBalancingPolicy.Policy";
    Field<TypedExtensionConfig> typed_extension_config;
  };
  static constexpr const char* definition = "envoy.config.cluster.v3.LoadBalancingPolicy";
  Field<std::vector<Field<Policy>>> policies;
};
void describe(Fields& fields, LoadBalancingPolicy::Policy& policy);
void describe(Fields& fields, LoadBalancingPolicy& policy);

// envoy.type.metadata.v3.MetadataKey.
struct MetadataKey {
  struct PathSegment {
    static constexpr const char* definition = "envoy.type.metadata.v3.MetadataKey.PathSegment";
    Field<std::string> key;
  };
  static constexpr const char* definition = "envoy.type.metadata.v3.MetadataKey";
  Field<std::string> key;
  Field<std::vector<Field<PathSegment>>> path;
};
void describe(Fields& fields, MetadataKey::PathSegment& segment);
void describe(Fields& fields, MetadataKey& key);

// Reads a MetadataKey as the first key of its path; empty if the MetadataKey is invalid.
struct MetadataKeyShape {
  using Value = std::string;
  bool read(const documents::Node& node, Value& into, std::string_view what, Diagnostics& problems) const;
  [[nodiscard]] grammar::Schema schema(grammar::Definitions& definitions) const;
  [[nodiscard]] documents::Node write(const Value& value) const;
};

// An empty message, envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided.
struct ClusterProvided {};
inline void describe(Fields& fields, ClusterProvided& /*policy*/) {
  fields.message();
}

}  // namespace spillway::messages
