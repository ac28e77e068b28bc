#include <map>
#include <stdexcept>

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

namespace {

// One line a kind.
const std::map<std::string, Replay> replays = {
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
  const auto found = replays.find(kind);
  if (found == replays.end()) {
    throw std::invalid_argument("unknown kind " + kind);
  }
  found->second(input, check);
}

}  // namespace spillway::conformance
