// Load-balancing policies that hold other policies, as they stand in files.
#pragma once

#include <string>
#include <vector>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.cluster.v3.LoadBalancingPolicy: the first policy that Envoy knows is used.
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

// The messages below are envoy.extensions.load_balancing_policies.<name>.v3.<Name>; others are in pick_policies.hpp.
struct WrrLocality {
  Field<LoadBalancingPolicy> endpoint_picking_policy;
};
void describe(Fields& fields, WrrLocality& policy);

struct OverrideHost {
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
  struct OverrideHostSource {
    static constexpr const char* definition = "OverrideHost.OverrideHostSource";
    Field<std::string> header;
    Field<MetadataKey> metadata;
  };
  Source source;
  Field<std::vector<Field<OverrideHostSource>>> override_host_sources;
  Field<LoadBalancingPolicy> fallback_policy;
};
void describe(Fields& fields, OverrideHost::MetadataKey::PathSegment& segment);
void describe(Fields& fields, OverrideHost::MetadataKey& key);
void describe(Fields& fields, OverrideHost::OverrideHostSource& source);
void describe(Fields& fields, OverrideHost& policy);

// An empty message.
struct ClusterProvided {};
inline void describe(Fields& fields, ClusterProvided& /*policy*/) {
  fields.message();
}

}  // namespace spillway::scenario::written
