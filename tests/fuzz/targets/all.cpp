// Every target by its name: what tests replay (tests/fuzz/replay_test.cpp).
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {

std::span<const Target> targets() noexcept {
  static constexpr Target all[] = {
      {"scenario", read_scenario},     {"envoy", read_envoy_documents}, {"kuma", read_kuma_documents},
      {"istio", read_istio_documents}, {"sides", compare_sides},        {"control_planes", read_control_planes},
      {"policies", drive_policies},    {"scalars", read_scalars},       {"syntax", read_syntax},
      {"observed", read_observed},     {"requests", read_requests},     {"settings", read_settings},
      {"names", write_names},          {"numbers", compute_numbers}};
  return all;
}

}  // namespace spillway::fuzzing
