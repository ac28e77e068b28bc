// envoy.config.endpoint.v3.ClusterLoadAssignment as it stands verbatim in files: whole in Envoy's documents, and
// without the endpoints themselves in a scenario.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/written/proto.hpp"

namespace spillway::scenario::written {

// envoy.config.core.v3.Locality.
struct Locality {
  static constexpr const char* definition = "envoy.config.core.v3.Locality";
  Field<std::string> region;
  Field<std::string> zone;
  Field<std::string> sub_zone;
};
void describe(Fields& fields, Locality& locality);

// envoy.config.endpoint.v3.Endpoint.HealthCheckConfig.
struct HealthCheckConfig {
  static constexpr const char* definition = "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig";
  Field<bool> disable_active_health_check;
};
void describe(Fields& fields, HealthCheckConfig& config);

// envoy.type.v3.FractionalPercent.
struct FractionalPercent {
  static constexpr const char* definition = "envoy.type.v3.FractionalPercent";
  static inline const std::vector<std::string> denominators = {"HUNDRED", "TEN_THOUSAND", "MILLION"};
  Field<std::uint64_t> numerator;
  Field<std::size_t> denominator;
};
void describe(Fields& fields, FractionalPercent& percent);

// envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload.
struct DropOverload {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
  Field<std::string> category;
  Field<FractionalPercent> drop_percentage;
};
void describe(Fields& fields, DropOverload& drop);

// envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.
struct LoadAssignmentPolicy {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
  Field<std::uint64_t> overprovisioning_factor;
  Field<bool> weighted_priority_health;
  Field<grammar::Nanoseconds> endpoint_stale_after;
  Field<std::vector<Field<DropOverload>>> drop_overloads;
};
void describe(Fields& fields, LoadAssignmentPolicy& policy);

// envoy.config.endpoint.v3.LocalityLbEndpoints, in a scenario: the weight of a locality whose endpoints stand
// elsewhere.
struct LocalityWeight {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LocalityLbEndpoints";
  Field<Locality> locality;
  Field<std::uint64_t> priority;
  Field<std::uint64_t> load_balancing_weight;
};
void describe(Fields& fields, LocalityWeight& endpoints);

struct LoadAssignment {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment";
  Field<std::string> cluster_name;
  Field<LoadAssignmentPolicy> policy;
  Field<std::vector<Field<LocalityWeight>>> endpoints;
};
void describe(Fields& fields, LoadAssignment& assignment);

}  // namespace spillway::scenario::written
