#include <map>
#include <stdexcept>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

// One line a kind.
const Replays all_replays = {
    {"priority_load", replay_priority_load},  //
    {"panic", replay_panic},                  //
    {"degraded", replay_degraded},            //
    {"locality", replay_locality},            //
    {"zone_aware", replay_zone_aware},        //
    {"aggregate", replay_aggregate},          //
    {"live.share", replay_live_share},
    {"outlier.script", replay_outlier_script},
    {"outlier.durations", replay_outlier_durations},
    {"outlier.jitter", replay_outlier_jitter},
    {"outlier.config", replay_outlier_config},
    {"outlier.sr_threshold", replay_outlier_sr_threshold},
    {"health_check.session", replay_health_check_session},
    {"health_check.next", replay_health_check_next},
    {"health_check.first_delay", replay_health_check_first_delay},
    {"slow_start.factor", replay_slow_start_factor},
    {"retry_budget.max", replay_retry_budget_max},
    {"retry_budget.allowed", replay_retry_budget_allowed},
    {"retry.decision", replay_retry_decision},
    {"retry.backoff", replay_retry_backoff},
    {"retry.rate_limited_backoff", replay_retry_rate_limited_backoff},
    {"retry.host_selection_attempts", replay_retry_host_selection_attempts},
    {"retry.previous_priorities", replay_retry_excluded_priorities},
    {"host.coarse_health", replay_host_coarse_health},
    {"host.health_status", replay_host_health_status},
    {"least_request.weight", replay_least_request_weight},
    {"legacy.least_request", replay_legacy_least_request},
    {"legacy.least_request_p2c", replay_legacy_least_request_p2c},
    {"defaults", replay_defaults},
    {"config.reject", replay_config_reject},
};

std::size_t live_cases_of_file = 1;

}  // namespace

void set_live_cases(std::size_t count) {
  live_cases_of_file = count;
}
std::size_t live_cases() {
  return live_cases_of_file;
}

void replay(const std::string& kind, const json& input, Check& check) {
  for (const Replays* const kinds :
       {&all_replays, &hash_replays(), &hash_table_replays(), &schedule_replays(), &subset_replays(),
        &session_replays(), &policy_config_replays(), &live_pick_replays()}) {
    if (const auto found = kinds->find(kind); found != kinds->end()) {
      found->second(input, check);
      return;
    }
  }
  throw std::invalid_argument("unknown kind " + kind);
}

}  // namespace spillway::conformance
