#include "models/health/slow_start.hpp"

#include "tests/conformance/check.hpp"

namespace spillway::conformance {

void replay_slow_start_factor(const json& input, Check& check) {
  const auto milliseconds = [&](const char* field) {
    return std::chrono::milliseconds{input.at(field).get<std::int64_t>()};
  };
  const config::SlowStartConfig config{
      milliseconds("window_ms"), input.at("aggression").get<double>(), {input.at("min_weight_percent").get<double>()}};
  check.equal_whole(health::slow_start_factor(config, milliseconds("elapsed_ms")));
}

}  // namespace spillway::conformance
