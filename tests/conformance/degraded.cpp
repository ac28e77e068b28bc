#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/host_health.hpp"
#include "tests/conformance/counts.hpp"
#include "tests/conformance/host_flags.hpp"

namespace spillway::conformance {

namespace {

void replay_partition(const json& input, Check& check) {
  const envoy::HostFlags flags = flags_of(input.at("flags"));
  check.equal("coarse", name_of(envoy::coarse_health(flags)));
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
