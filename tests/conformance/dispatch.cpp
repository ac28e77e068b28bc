#include <map>
#include <stdexcept>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

// One line a kind.
const Replays replays = {
    {"priority_load", replay_priority_load},  //
    {"panic", replay_panic},                  //
    {"degraded", replay_degraded},            //
    {"locality", replay_locality},            //
    {"zone_aware", replay_zone_aware},        //
    {"aggregate", replay_aggregate},          //
    {"live.share", replay_live_share},
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
       {&replays, &hash_replays(), &hash_table_replays(), &schedule_replays(), &subset_replays(), &session_replays(),
        &policy_config_replays(), &live_pick_replays()}) {
    if (const auto found = kinds->find(kind); found != kinds->end()) {
      found->second(input, check);
      return;
    }
  }
  throw std::invalid_argument("unknown kind " + kind);
}

}  // namespace spillway::conformance
