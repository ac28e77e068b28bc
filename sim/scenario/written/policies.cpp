#include "sim/scenario/written/policies.hpp"

namespace spillway::scenario::written {

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

void describe(Fields& fields, WrrLocality& policy) {
  fields.message();
  fields.optional("endpoint_picking_policy", policy.endpoint_picking_policy, Record<LoadBalancingPolicy>{},
                  "client_side_weighted_round_robin, within the locality that its weight has drawn");
}

void describe(Fields& fields, OverrideHost::MetadataKey::PathSegment& segment) {
  fields.message();
  fields.required("key", segment.key, Text{1, 1'000}, "name");
}

void describe(Fields& fields, OverrideHost::MetadataKey& key) {
  fields.message();
  fields.required("key", key.key, Text{1, 1'000}, "name space");
  fields.required("path", key.path, ListOf<Record<OverrideHost::MetadataKey::PathSegment>>{{}, 1}, "names");
}

void describe(Fields& fields, OverrideHost::OverrideHostSource& source) {
  fields.message();
  fields.optional("header", source.header, Text{0, 1'000}, "a header that names hosts");
  fields.optional("metadata", source.metadata, Record<OverrideHost::MetadataKey>{}, "metadata that names hosts");
}

void describe(Fields& fields, OverrideHost& policy) {
  fields.message();
  policy.source.keep(fields);
  fields.optional("override_host_sources", policy.override_host_sources,
                  ListOf<Record<OverrideHost::OverrideHostSource>>{}, "where a request names its hosts, in this order");
  fields.optional("fallback_policy", policy.fallback_policy, Record<LoadBalancingPolicy>{},
                  "of requests that name none");
  fields.not_played("selected_host_key", "metadata that filters read is not supported");
}

}  // namespace spillway::scenario::written
