#include "sim/scenario/written/cluster.hpp"

namespace spillway::scenario::written {
namespace {

using grammar::Flag;
using grammar::ProtoDuration;
using grammar::Record;
using grammar::Text;
using grammar::Whole;

constexpr std::uint64_t largest_uint32 = 4'294'967'295;
constexpr const char* percentage_bound = "Envoy refuses a percentage above 100";
constexpr const char* detector_off = "this detector is not played yet; 0 says that it is off";

}  // namespace

void describe(Fields& fields, CommonLbConfig& config) {
  fields.message();
  fields.optional("healthy_panic_threshold", config.healthy_panic_threshold, Record<PercentMessage>{},
                  "below this percentage of available hosts a priority panics; 50 unless given");
  fields.optional("update_merge_window", config.update_merge_window, ProtoDuration{},
                  "changes of health and weight within this time act together; 1s unless given");
  fields.without_influence({"close_connections_on_host_set_change"});
  fields.not_played("zone_aware_lb_config", "zone-aware routing is not played yet");
  fields.not_played("locality_weighted_lb_config", "locality-weighted balancing is not played yet");
  fields.not_played("ignore_new_hosts_until_first_hc", "active health checks are not played yet");
  fields.not_played("consistent_hashing_lb_config", "hashing policies are not played yet");
  fields.not_played("override_host_status", "stateful sessions are not played yet");
}

void describe(Fields& fields, OutlierDetection& detection) {
  fields.message();
  fields.optional("consecutive_5xx", detection.consecutive_5xx, Whole{0, largest_uint32},
                  "so many 5xx in a row eject a host; 5 unless given");
  fields.optional("interval", detection.interval, ProtoDuration{},
                  "between the sweeps that end ejections; 10s unless given");
  fields.optional("base_ejection_time", detection.base_ejection_time, ProtoDuration{},
                  "a host stays out this long times the number of its ejections; 30s unless given");
  fields.optional("max_ejection_time", detection.max_ejection_time, ProtoDuration{},
                  "and not longer than this; 300s, or base_ejection_time if that is longer, unless given");
  fields.optional("max_ejection_time_jitter", detection.max_ejection_time_jitter, ProtoDuration{},
                  "up to so much is added at random; 0s unless given");
  fields.optional("max_ejection_percent", detection.max_ejection_percent, Whole{0, 100, percentage_bound},
                  "at most so many hosts are out at once; 10 unless given");
  fields.optional("enforcing_consecutive_5xx", detection.enforcing_consecutive_5xx, Whole{0, 100, percentage_bound},
                  "the chance that a detected host is ejected; 100 unless given");
  fields.optional("enforcing_success_rate", detection.enforcing_success_rate, Whole{0, 0, detector_off},
                  "0: the success rate detector is off, which is all that is played");
  fields.optional("enforcing_consecutive_gateway_failure", detection.enforcing_consecutive_gateway_failure,
                  Whole{0, 0, detector_off}, "0: the gateway failure detector is off, as it is unless given");
  fields.optional("enforcing_failure_percentage", detection.enforcing_failure_percentage, Whole{0, 0, detector_off},
                  "0: the failure percentage detector is off, as it is unless given");
  fields.optional("always_eject_one_host", detection.always_eject_one_host, Flag{},
                  "eject one host whatever max_ejection_percent says; false unless given");
  for (const char* name : {"success_rate_minimum_hosts", "success_rate_request_volume", "success_rate_stdev_factor",
                           "consecutive_gateway_failure", "failure_percentage_threshold",
                           "failure_percentage_minimum_hosts", "failure_percentage_request_volume"}) {
    fields.not_played(name, "only the detector of consecutive 5xx is played yet");
  }
  for (const char* name : {"split_external_local_origin_errors", "consecutive_local_origin_failure",
                           "enforcing_consecutive_local_origin_failure", "enforcing_local_origin_success_rate",
                           "enforcing_failure_percentage_local_origin"}) {
    fields.not_played(name, "locally originated failures are not told apart yet");
  }
  fields.not_played("successful_active_health_check_uneject_host", "active health checks are not played yet");
  fields.not_played("monitors", "only the detector of consecutive 5xx is played yet");
}

void describe(Fields& fields, Cluster& cluster) {
  fields.message();
  fields.required("name", cluster.name, Text{}, "the service whose cluster it is");
  fields.optional(
      "lb_policy", cluster.lb_policy,
      grammar::Choice{Cluster::lb_policies,
                      {"LEAST_REQUEST", "RING_HASH", "MAGLEV", "CLUSTER_PROVIDED", "LOAD_BALANCING_POLICY_CONFIG"}},
      "how a host is picked; ROUND_ROBIN unless given");
  fields.optional("common_lb_config", cluster.common_lb_config, Record<CommonLbConfig>{},
                  "what does not depend on the policy");
  fields.optional("outlier_detection", cluster.outlier_detection, Record<OutlierDetection>{},
                  "ejection of hosts for what they answer");
  fields.without_influence({"connect_timeout",
                            "alt_stat_name",
                            "type",
                            "eds_cluster_config",
                            "per_connection_buffer_limit_bytes",
                            "max_requests_per_connection",
                            "upstream_http_protocol_options",
                            "common_http_protocol_options",
                            "http_protocol_options",
                            "http2_protocol_options",
                            "typed_extension_protocol_options",
                            "dns_refresh_rate",
                            "dns_jitter",
                            "dns_failure_refresh_rate",
                            "respect_dns_ttl",
                            "dns_lookup_family",
                            "dns_resolvers",
                            "use_tcp_for_dns_lookups",
                            "dns_resolution_config",
                            "typed_dns_resolver_config",
                            "wait_for_warm_on_init",
                            "cleanup_interval",
                            "upstream_bind_config",
                            "transport_socket",
                            "protocol_selection",
                            "upstream_connection_options",
                            "close_connections_on_host_health_failure",
                            "ignore_health_on_host_removal",
                            "filters",
                            "lrs_server",
                            "lrs_report_endpoint_metrics",
                            "track_timeout_budgets",
                            "upstream_config",
                            "track_cluster_stats",
                            "preconnect_policy",
                            "connection_pool_per_downstream_connection"});
  fields.not_played("load_assignment", "in a scenario the endpoints of a cluster stand in `services`");
  fields.not_played("transport_socket_matches", "transport socket matches are not played yet");
  fields.not_played("cluster_type", "clusters of other types are not played yet");
  fields.not_played("health_checks", "active health checks are not played yet");
  fields.not_played("circuit_breakers", "circuit breakers are not played yet");
  fields.not_played("lb_subset_config", "subsets are not played yet");
  fields.not_played("ring_hash_lb_config", "ring hash is not played yet");
  fields.not_played("maglev_lb_config", "maglev is not played yet");
  fields.not_played("original_dst_lb_config", "original destinations are not played yet");
  fields.not_played("least_request_lb_config", "least request is not played yet");
  fields.not_played("round_robin_lb_config", "slow start is not played yet");
  fields.not_played("metadata", "metadata is not played yet");
  fields.not_played("load_balancing_policy", "typed policies are not played yet; write `lb_policy`");
}

void describe(Fields& fields, LoadAssignmentPolicy& policy) {
  fields.message();
  fields.optional("overprovisioning_factor", policy.overprovisioning_factor,
                  Whole{1, largest_uint32, "Envoy refuses an overprovisioning factor of 0"},
                  "percent; 140 unless given");
  fields.not_played("drop_overloads", "dropped requests are not played yet");
  fields.not_played("endpoint_stale_after", "stale endpoints are not played yet");
  fields.not_played("weighted_priority_health", "health by weight is not played yet");
}

void describe(Fields& fields, LoadAssignment& assignment) {
  fields.message();
  fields.required("cluster_name", assignment.cluster_name, Text{}, "the service that it is about");
  fields.optional("policy", assignment.policy, Record<LoadAssignmentPolicy>{}, "how health turns into load");
  fields.not_played("endpoints", "in a scenario the endpoints of a cluster stand in `services`");
  fields.not_played("named_endpoints", "named endpoints are not played yet");
}

}  // namespace spillway::scenario::written
