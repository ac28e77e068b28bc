#include <cmath>

#include "models/envoy/percent_to_integer.hpp"
#include "models/envoy/retry_priority.hpp"
#include "tests/conformance/counts.hpp"

namespace spillway::conformance {

namespace {

void replay_choose_priority(const json& input, Check& check) {
  const envoy::HealthyAndDegradedLoad load{input.at("healthy_load").get<std::vector<std::uint32_t>>(),
                                           input.at("degraded_load").get<std::vector<std::uint32_t>>()};
  const auto hash = input.at("hash").get<std::uint64_t>();
  const auto choice = envoy::choose_priority(hash, load);
  if (envoy::tabulate_priorities(load)[hash % 100] != choice) {
    check.fail("the table of priorities disagrees with choose_priority");
  }
  check.equal("priority", choice.priority.value);
  check.equal("availability", text(choice.availability));
}

void replay_percent_conversion(const json& input, Check& check) {
  check.equal("value", envoy::percent_to_integer({input.at("percent").get<double>()}));
}

// Kuma's code: trunc(100 / threshold) * 100, 50 % where nothing is said (docs/behaviour/envoy-before-pick.md 15.12).
void replay_kuma_overprovisioning_factor(const json& input, Check& check) {
  const json& given = input.at("failover_threshold_percent");
  const double threshold = given.is_null() ? 50.0 : given.get<double>();
  check.equal("factor_kuma_code", static_cast<std::uint32_t>(std::trunc(100.0 / threshold)) * 100);
  check.equal_rounded("factor_exact_inverse", 100.0 / threshold * 100.0, 4);
}

json load_object(const envoy::HealthyAndDegradedLoad& load) {
  return {{"healthy", load.healthy}, {"degraded", load.degraded}};
}

void replay_retry_previous_priorities(const json& input, Check& check) {
  std::vector<envoy::PriorityAvailability> availability;
  for (const auto& counts : all_priority_counts(input.at("priorities"))) {
    availability.push_back(envoy::availability(counts));
  }
  const json& given = input.at("original_load");
  const envoy::HealthyAndDegradedLoad original{given.at("healthy").get<std::vector<std::uint32_t>>(),
                                               given.at("degraded").get<std::vector<std::uint32_t>>()};
  envoy::PreviousPriorities retry(input.at("update_frequency").get<std::uint32_t>());
  json loads = json::array({load_object(retry.priority_load(availability, original))});
  for (const json& attempted : input.at("attempted_priorities")) {
    retry.on_host_attempted({attempted.get<std::uint32_t>()});
    loads.push_back(load_object(retry.priority_load(availability, original)));
  }
  check.equal("load_after_each_attempt", loads);
}

}  // namespace

void replay_priority_load(const json& input, Check& check) {
  const auto op = input.at("op").get<std::string>();
  if (op == "loads") {
    replay_loads(input, check);
  } else if (op == "choose_priority") {
    replay_choose_priority(input, check);
  } else if (op == "percent_conversion") {
    replay_percent_conversion(input, check);
  } else if (op == "kuma_overprovisioning_factor") {
    replay_kuma_overprovisioning_factor(input, check);
  } else if (op == "retry_previous_priorities") {
    replay_retry_previous_priorities(input, check);
  } else {
    throw std::invalid_argument("unknown op " + op);
  }
}

}  // namespace spillway::conformance
