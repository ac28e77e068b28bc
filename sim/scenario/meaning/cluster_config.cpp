#include "sim/scenario/meaning/cluster_config.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "sim/scenario/problem.hpp"

namespace spillway::scenario::meaning {
namespace {

using grammar::Field;
namespace policies = envoy::policies;

constexpr std::string_view policy_package = "envoy.extensions.load_balancing_policies.";

// Policies that Envoy has and this version does not play.
constexpr std::array policies_not_played = std::to_array<std::string_view>(
    {"client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin", "cluster_provided.v3.ClusterProvided",
     "dynamic_modules.v3.DynamicModulesLoadBalancerConfig", "least_request.v3.LeastRequest",
     "load_aware_locality.v3.LoadAwareLocality", "maglev.v3.Maglev", "override_host.v3.OverrideHost",
     "random_subsetting.v3.RandomSubsetting", "ring_hash.v3.RingHash", "subset.v3.Subset",
     "wrr_locality.v3.WrrLocality"});

Diagnostic refused_by_envoy(std::string code, std::string message, Span where, std::string label) {
  return with_note(error(std::move(code), std::move(message), where, std::move(label)), "Envoy refuses it");
}

void check_positive(const Field<grammar::Nanoseconds>& field, const char* name, Diagnostics& problems) {
  if (field && *field == grammar::Nanoseconds{0}) {
    problems.push_back(refused_by_envoy("SP126", in_ticks(name) + " of no duration", field.where, "must be above 0s"));
  }
}

void take(const Field<std::uint64_t>& field, std::uint32_t& into) {
  if (field) {
    into = static_cast<std::uint32_t>(*field);
  }
}

config::OutlierDetection outlier_detection(const written::OutlierDetection& written, Diagnostics& problems) {
  config::OutlierDetection detection;
  take(written.consecutive_5xx, detection.consecutive_5xx);
  detection.interval = written.interval.value_or(detection.interval);
  detection.base_ejection_time = written.base_ejection_time.value_or(detection.base_ejection_time);
  if (written.max_ejection_time) {
    detection.max_ejection_time = *written.max_ejection_time;
  }
  detection.max_ejection_time_jitter = written.max_ejection_time_jitter.value_or(detection.max_ejection_time_jitter);
  take(written.max_ejection_percent, detection.max_ejection_percent);
  take(written.enforcing_consecutive_5xx, detection.enforcing_consecutive_5xx);
  detection.always_eject_one_host = written.always_eject_one_host.value_or(detection.always_eject_one_host);
  take(written.consecutive_gateway_failure, detection.consecutive_gateway_failure);
  take(written.enforcing_consecutive_gateway_failure, detection.enforcing_consecutive_gateway_failure);
  take(written.success_rate_minimum_hosts, detection.success_rate_minimum_hosts);
  take(written.success_rate_request_volume, detection.success_rate_request_volume);
  take(written.success_rate_stdev_factor, detection.success_rate_stdev_factor);
  take(written.enforcing_success_rate, detection.enforcing_success_rate);
  take(written.failure_percentage_threshold, detection.failure_percentage_threshold);
  take(written.failure_percentage_minimum_hosts, detection.failure_percentage_minimum_hosts);
  take(written.failure_percentage_request_volume, detection.failure_percentage_request_volume);
  take(written.enforcing_failure_percentage, detection.enforcing_failure_percentage);
  check_positive(written.interval, "interval", problems);
  check_positive(written.base_ejection_time, "base_ejection_time", problems);
  check_positive(written.max_ejection_time, "max_ejection_time", problems);
  if (written.max_ejection_time && *written.max_ejection_time < detection.base_ejection_time &&
      *written.max_ejection_time > grammar::Nanoseconds{0}) {
    problems.push_back(refused_by_envoy("SP125", "max_ejection_time below base_ejection_time",
                                        written.max_ejection_time.where, "ends before it begins"));
  }
  return detection;
}

config::ZoneAwareLbConfig zone_aware(const written::ZoneAwareLbConfig& written) {
  config::ZoneAwareLbConfig zone_aware;
  if (written.routing_enabled) {
    zone_aware.routing_enabled = config::Percent{written.routing_enabled->value.value_or(0.0)};
  }
  zone_aware.min_cluster_size = written.min_cluster_size.value_or(zone_aware.min_cluster_size);
  zone_aware.fail_traffic_on_panic = written.fail_traffic_on_panic.value_or(false);
  return zone_aware;
}

config::ZoneAwareLbConfig zone_aware(const written::TypedZoneAwareLbConfig& written) {
  config::ZoneAwareLbConfig config = zone_aware(static_cast<const written::ZoneAwareLbConfig&>(written));
  if (written.force_local_zone) {
    config.force_local_zone = config::ForceLocalZone{};
    take(written.force_local_zone->min_size, config.force_local_zone->min_size);
  } else if (written.force_locality_direct_routing.value_or(false)) {
    config.force_local_zone = config::ForceLocalZone{};
  }
  config.locality_basis = static_cast<config::LocalityBasis>(written.locality_basis.value_or(0));
  return config;
}

config::LocalityConfigSpecifier locality_config(const written::LocalityLbConfig& written) {
  if (written.locality_weighted_lb_config) {
    return config::LocalityWeightedLbConfig{};
  }
  return zone_aware(*written.zone_aware_lb_config);
}

class PolicyReader {
 public:
  PolicyReader(const written::Cluster& written, envoy::Cluster& cluster, Diagnostics& problems)
      : written_(written), cluster_(cluster), problems_(problems) {}

  void read() {
    const Field<written::LoadBalancingPolicy>& typed = written_.load_balancing_policy;
    if (!typed.present) {
      read_lb_policy();
      return;
    }
    refuse_beside(written_.common_lb_config->zone_aware_lb_config.key, "zone_aware_lb_config",
                  written_.common_lb_config->zone_aware_lb_config.present);
    refuse_beside(written_.common_lb_config->locality_weighted_lb_config.key, "locality_weighted_lb_config",
                  written_.common_lb_config->locality_weighted_lb_config.present);
    if (!typed) {
      return;
    }
    for (const auto& policy : *typed->policies) {
      const auto& extension = policy->typed_extension_config;
      if (!extension || !extension->typed_config ||
          read_typed(*extension->typed_config, extension->typed_config.where)) {
        return;
      }
    }
    problems_.push_back(refused_by_envoy("SP130", "no policy that Envoy knows", typed.key, "none of these is known"));
  }

 private:
  void read_lb_policy() {
    const std::string& name = written::Cluster::lb_policies[written_.lb_policy.value_or(0)];
    if (name == "RANDOM") {
      cluster_.lb_policy = policies::random::Config{};
    } else if (name == "LOAD_BALANCING_POLICY_CONFIG") {
      problems_.push_back(refused_by_envoy("SP131", "a typed policy that is not there", written_.lb_policy.where,
                                           "needs `load_balancing_policy`"));
    } else if (name == "CLUSTER_PROVIDED" && !written_.cluster_type.present) {
      problems_.push_back(refused_by_envoy("SP131", "CLUSTER_PROVIDED without a cluster that provides",
                                           written_.lb_policy.where, "is for aggregate clusters"));
    }
  }

  void refuse_beside(Span key, const char* name, bool present) {
    if (present) {
      problems_.push_back(refused_by_envoy("SP131", in_ticks(name) + " beside a typed policy", key,
                                           "belongs into the policy's `locality_lb_config`"));
    }
  }

  // Whether Envoy would take this policy; one that it does not know is passed over.
  bool read_typed(const written::AnyMessage& any, Span where) {
    if (!any.type.starts_with(policy_package)) {
      return false;
    }
    const std::string_view name = std::string_view(any.type).substr(policy_package.size());
    if (name == "round_robin.v3.RoundRobin") {
      written::RoundRobin policy;
      written::read_any(any, policy, problems_);
      take_locality(policy.locality_lb_config);
      cluster_.lb_policy = policies::round_robin::Config{};
      return true;
    }
    if (name == "random.v3.Random") {
      written::Random policy;
      written::read_any(any, policy, problems_);
      take_locality(policy.locality_lb_config);
      cluster_.lb_policy = policies::random::Config{};
      return true;
    }
    if (std::find(policies_not_played.begin(), policies_not_played.end(), name) == policies_not_played.end()) {
      return false;
    }
    problems_.push_back(error("SP302", in_ticks(any.type) + " is not played by this version", where,
                              "must be round_robin.v3.RoundRobin or random.v3.Random for now"));
    return true;
  }

  void take_locality(const Field<written::LocalityLbConfig>& field) {
    if (field) {
      cluster_.common_lb_config.locality_config_specifier = locality_config(*field);
    }
  }

  const written::Cluster& written_;
  envoy::Cluster& cluster_;
  Diagnostics& problems_;
};

void read_aggregate(const written::Cluster& written, ClusterConfig& config, Diagnostics& problems) {
  const written::CustomClusterType& type = *written.cluster_type;
  if (!type.typed_config) {
    return;
  }
  if (type.typed_config->type != "envoy.extensions.clusters.aggregate.v3.ClusterConfig") {
    problems.push_back(error("SP302", in_ticks(type.typed_config->type) + " is not played by this version",
                             type.typed_config.where, "must be envoy.extensions.clusters.aggregate.v3.ClusterConfig"));
    return;
  }
  written::AggregateClusterConfig aggregate;
  written::read_any(*type.typed_config, aggregate, problems);
  config.children = *aggregate.clusters;
  for (const auto& child : config.children) {
    config.cluster.aggregate_clusters.push_back(child.value_or(""));
  }
  const bool provided = written.lb_policy && written::Cluster::lb_policies[*written.lb_policy] == "CLUSTER_PROVIDED";
  if (!provided && (written.lb_policy.given || !written.lb_policy.present)) {
    const Span where = written.lb_policy ? written.lb_policy.where : written.cluster_type.key;
    problems.push_back(with_help(refused_by_envoy("SP131", "an aggregate cluster that does not provide its own policy",
                                                  where, "needs lb_policy: CLUSTER_PROVIDED"),
                                 "write lb_policy: CLUSTER_PROVIDED"));
  }
}

}  // namespace

ClusterConfig read_cluster_config(const written::Cluster& written, Diagnostics& problems) {
  ClusterConfig config;
  config.aggregate = written.cluster_type.present;
  envoy::Cluster& cluster = config.cluster;
  cluster.name = written.name.value_or("");
  const written::CommonLbConfig& common = *written.common_lb_config;
  if (common.healthy_panic_threshold) {
    cluster.common_lb_config.healthy_panic_threshold =
        config::Percent{common.healthy_panic_threshold->value.value_or(0.0)};
  }
  if (common.locality_weighted_lb_config) {
    cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  } else if (common.zone_aware_lb_config) {
    cluster.common_lb_config.locality_config_specifier = zone_aware(*common.zone_aware_lb_config);
  }
  cluster.common_lb_config.update_merge_window =
      common.update_merge_window.value_or(cluster.common_lb_config.update_merge_window);
  if (written.outlier_detection) {
    cluster.outlier_detection = outlier_detection(*written.outlier_detection, problems);
  }
  PolicyReader(written, cluster, problems).read();
  if (written.cluster_type) {
    read_aggregate(written, config, problems);
  }
  return config;
}

}  // namespace spillway::scenario::meaning
