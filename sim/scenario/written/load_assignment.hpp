// envoy.config.endpoint.v3.ClusterLoadAssignment as it stands verbatim in files: whole in Envoy's documents, and
// without the endpoints themselves in a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "sim/scenario/written/described.hpp"

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

template <>
struct Grammar<config::DropOverload> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
  static void describe(Fields& fields, config::DropOverload& drop);
};

// How health turns into load, of a config::ClusterLoadAssignment.
struct LoadAssignmentPolicy {
  std::uint32_t overprovisioning_factor = config::ClusterLoadAssignment{}.overprovisioning_factor;
  bool weighted_priority_health = false;
  std::optional<grammar::Nanoseconds> endpoint_stale_after = {};
  std::vector<config::DropOverload> drop_overloads = {};
};
template <>
struct Grammar<LoadAssignmentPolicy> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
  static void describe(Fields& fields, LoadAssignmentPolicy& policy);
};

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
  Field<Described<LoadAssignmentPolicy>> policy;
  Field<std::vector<Field<LocalityWeight>>> endpoints;
};
void describe(Fields& fields, LoadAssignment& assignment);

}  // namespace spillway::scenario::written
