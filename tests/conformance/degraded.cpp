#include <map>

#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/host_health.hpp"
#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

const std::map<std::string, envoy::HostFlag> host_flags = {
    {"FAILED_ACTIVE_HC", envoy::HostFlag::failed_active_hc},
    {"FAILED_OUTLIER_CHECK", envoy::HostFlag::failed_outlier_check},
    {"FAILED_EDS_HEALTH", envoy::HostFlag::failed_eds_health},
    {"DEGRADED_ACTIVE_HC", envoy::HostFlag::degraded_active_hc},
    {"DEGRADED_EDS_HEALTH", envoy::HostFlag::degraded_eds_health},
    {"PENDING_DYNAMIC_REMOVAL", envoy::HostFlag::pending_dynamic_removal},
    {"PENDING_ACTIVE_HC", envoy::HostFlag::pending_active_hc},
    {"EXCLUDED_VIA_IMMEDIATE_HC_FAIL", envoy::HostFlag::excluded_via_immediate_hc_fail},
    {"ACTIVE_HC_TIMEOUT", envoy::HostFlag::active_hc_timeout},
    {"EDS_STATUS_DRAINING", envoy::HostFlag::eds_status_draining},
};

void replay_partition(const json& input, Check& check) {
  envoy::HostFlags flags;
  for (const json& flag : input.at("flags")) {
    flags.set(host_flags.at(flag.get<std::string>()));
  }
  static const std::map<envoy::Health, std::string> names = {{envoy::Health::unhealthy, "unhealthy"},
                                                             {envoy::Health::degraded, "degraded"},
                                                             {envoy::Health::healthy, "healthy"}};
  check.equal("coarse", names.at(envoy::coarse_health(flags)));
  check.equal("excluded", envoy::is_excluded(flags));
}

// The ring of the chosen priority: which hosts it is built from, and whether that leaves any.
void replay_hash_lb_pick_source(const json& input, Check& check) {
  const auto priorities = all_priority_counts(input.at("priorities"));
  const auto state = envoy::initial_priority_state(priorities, threshold_of(input), profile_of(input));
  check_state(state, check);
  const auto priority = envoy::hash_priority(input.at("hash").get<std::uint64_t>(), state.load);
  check.equal("selected_priority", priority.value);
  const bool panic = state.panic[priority.value];
  const envoy::HostCounts& hosts = priorities[priority.value].hosts;
  const std::uint64_t entries = panic ? hosts.all : hosts.healthy;
  check.equal("ring", std::string(panic ? "all hosts" : "healthy hosts") + (entries == 0 ? " (empty)" : ""));
  check.equal("pick_result", entries == 0 ? "no_host" : "host");
}

}  // namespace

void replay_degraded(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "loads") {
    replay_loads(input, check);
  } else if (op == "partition") {
    replay_partition(input, check);
  } else if (op == "hash_lb_pick_source") {
    replay_hash_lb_pick_source(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
