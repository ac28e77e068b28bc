// envoy.config.endpoint.v3.ClusterLoadAssignment as written in files: complete in Envoy's documents, without the
// endpoints themselves in a scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/envoy/api/described.hpp"

namespace spillway::messages {

template <>
struct Grammar<config::Locality> {
  static constexpr const char* definition = "envoy.config.core.v3.Locality";
  static void describe(Fields& fields, config::Locality& locality);
};

struct HealthCheckConfig {
  bool disable_active_health_check = false;
};
template <>
struct Grammar<HealthCheckConfig> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.Endpoint.HealthCheckConfig";
  static void describe(Fields& fields, HealthCheckConfig& config);
};

template <>
struct Grammar<config::DropOverload> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload";
  static void describe(Fields& fields, config::DropOverload& drop);
};

// The settings of a config::ClusterLoadAssignment that turn health into load.
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

[[nodiscard]] LoadAssignmentPolicy policy_of(const config::ClusterLoadAssignment& assignment);

// A locality's weight in a scenario, which lists the endpoints elsewhere.
struct LocalityWeight : config::LocalityLbEndpoints {};
template <>
struct Grammar<LocalityWeight> {
  static constexpr const char* definition = "envoy.config.endpoint.v3.LocalityLbEndpoints";
  static void describe(Fields& fields, LocalityWeight& endpoints);
};
// Describes the location and the weight of a group of endpoints.
void describe_locality(Fields& fields, config::LocalityLbEndpoints& endpoints);

struct LoadAssignment {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment";
  Field<std::string> cluster_name;
  Field<Described<LoadAssignmentPolicy>> policy;
  Field<std::vector<Field<Described<LocalityWeight>>>> endpoints;
};
void describe(Fields& fields, LoadAssignment& assignment);

}  // namespace spillway::messages
