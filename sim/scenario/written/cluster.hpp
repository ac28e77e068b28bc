// Envoy's messages as they stand verbatim in scenario files: envoy.config.cluster.v3.Cluster and
// envoy.config.endpoint.v3.ClusterLoadAssignment, as far as they are played.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/grammar/shapes.hpp"

namespace spillway::scenario::written {

using grammar::Field;
using grammar::Fields;

// envoy.type.v3.Percent.
struct PercentMessage {
  static constexpr const char* definition = "envoy.type.v3.Percent";
  Field<double> value;
};

inline void describe(Fields& fields, PercentMessage& percent) {
  fields.message();
  fields.optional("value", percent.value, grammar::Number{0.0, 100.0, "Envoy refuses a percentage outside 0 to 100"},
                  "from 0 to 100; 0 unless given");
}

// envoy.config.cluster.v3.Cluster.CommonLbConfig.
struct CommonLbConfig {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster.CommonLbConfig";
  Field<PercentMessage> healthy_panic_threshold;
  Field<grammar::Nanoseconds> update_merge_window;
};
void describe(Fields& fields, CommonLbConfig& config);

// envoy.config.cluster.v3.OutlierDetection.
struct OutlierDetection {
  static constexpr const char* definition = "envoy.config.cluster.v3.OutlierDetection";
  Field<std::uint64_t> consecutive_5xx;
  Field<grammar::Nanoseconds> interval;
  Field<grammar::Nanoseconds> base_ejection_time;
  Field<grammar::Nanoseconds> max_ejection_time;
  Field<grammar::Nanoseconds> max_ejection_time_jitter;
  Field<std::uint64_t> max_ejection_percent;
  Field<std::uint64_t> enforcing_consecutive_5xx;
  Field<std::uint64_t> enforcing_success_rate;
  Field<std::uint64_t> enforcing_consecutive_gateway_failure;
  Field<std::uint64_t> enforcing_failure_percentage;
  Field<bool> always_eject_one_host;
};
void describe(Fields& fields, OutlierDetection& detection);

// envoy.config.cluster.v3.Cluster.
struct Cluster {
  static constexpr const char* definition = "envoy.config.cluster.v3.Cluster";
  static inline const std::vector<std::string> lb_policies = {"ROUND_ROBIN", "RANDOM"};
  Field<std::string> name;
  Field<std::size_t> lb_policy;
  Field<CommonLbConfig> common_lb_config;
  Field<OutlierDetection> outlier_detection;
};
void describe(Fields& fields, Cluster& cluster);

// envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.
struct LoadAssignmentPolicy {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment.Policy";
  Field<std::uint64_t> overprovisioning_factor;
};
void describe(Fields& fields, LoadAssignmentPolicy& policy);

// envoy.config.endpoint.v3.ClusterLoadAssignment.
struct LoadAssignment {
  static constexpr const char* definition = "envoy.config.endpoint.v3.ClusterLoadAssignment";
  Field<std::string> cluster_name;
  Field<LoadAssignmentPolicy> policy;
};
void describe(Fields& fields, LoadAssignment& assignment);

}  // namespace spillway::scenario::written
