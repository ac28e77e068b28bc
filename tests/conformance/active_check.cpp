#include "models/health/active_check.hpp"

#include <map>
#include <optional>
#include <stdexcept>

#include "tests/conformance/check.hpp"
#include "tests/conformance/config_fields.hpp"

namespace spillway::conformance {

namespace {

using health::CheckFailure;
using health::CheckResult;
using health::CheckStep;
using health::Transition;

const std::map<Transition, std::string> transitions = {{Transition::unchanged, "Unchanged"},
                                                       {Transition::changed, "Changed"},
                                                       {Transition::change_pending, "ChangePending"}};

// "ok", "degraded", an HTTP status, with "+immediate_fail" or not, or why there was no answer.
CheckResult result_of(const config::HealthCheck& config, const std::string& name) {
  static const std::map<std::string, CheckFailure> without_answer = {
      {"timeout", CheckFailure::network_timeout}, {"network", CheckFailure::network},
      {"reset", CheckFailure::network},           {"close", CheckFailure::network},
      {"connect_failure", CheckFailure::network}, {"goaway", CheckFailure::network}};
  if (const auto found = without_answer.find(name); found != without_answer.end()) {
    return {.failure = found->second};
  }
  const std::size_t plus = name.find('+');
  const std::string answer = name.substr(0, plus);
  health::HttpAnswer http{.x_envoy_degraded = answer == "degraded"};
  if (plus != std::string::npos) {
    if (name.substr(plus) != "+immediate_fail") {
      throw std::invalid_argument("unknown result " + name);
    }
    http.x_envoy_immediate_health_check_fail = true;
  }
  if (answer != "ok" && answer != "degraded") {
    http.status = static_cast<std::uint32_t>(std::stoul(answer));
  }
  return classify(std::get<config::HttpHealthCheck>(config.health_checker), http);
}

json step_of(const std::string& result, const CheckStep& step, std::chrono::nanoseconds next, envoy::HostFlags flags) {
  using envoy::HostFlag;
  return {{"result", result},
          {"transition", transitions.at(step.transition)},
          {"next_check_after_ms", std::chrono::duration_cast<std::chrono::milliseconds>(next).count()},
          {"failed_active_hc", flags.has(HostFlag::failed_active_hc)},
          {"degraded_active_hc", flags.has(HostFlag::degraded_active_hc)},
          {"pending_active_hc", flags.has(HostFlag::pending_active_hc)},
          {"active_hc_timeout", flags.has(HostFlag::active_hc_timeout)},
          {"excluded_via_immediate_hc_fail", flags.has(HostFlag::excluded_via_immediate_hc_fail)}};
}

// Compares the fields that a case expects of a step; one that we do not have is a difference.
void check_step(const json& expected, const json& actual, std::size_t position, Check& check) {
  for (const auto& [field, value] : expected.items()) {
    if (!actual.contains(field) || actual.at(field) != value) {
      check.fail("step " + std::to_string(position) + ", " + field + ": expected " + value.dump() + ", got " +
                 actual.value(field, json()).dump());
    }
  }
}

}  // namespace

void replay_health_check_session(const json& input, Check& check) {
  const config::HealthCheck config = health_check_of(input.at("config"));
  envoy::HostFlags flags;
  if (input.at("initially_failed").get<bool>()) {
    flags.set(envoy::HostFlag::failed_active_hc);
  }
  if (input.at("pending_first_check").get<bool>()) {
    flags.set(envoy::HostFlag::pending_active_hc);
  }
  health::HostChecks checks(std::span(&config, 1), flags);
  ListedDraws draws(input.at("rng"));
  bool traffic = false;
  json steps = json::array();
  for (const json& entry : input.at("results")) {
    const auto result = entry.get<std::string>();
    if (result == "traffic") {
      traffic = true;
      continue;
    }
    const CheckStep step = checks.finish(0, result_of(config, result), std::chrono::nanoseconds{0});
    steps.push_back(step_of(result, step, checks.next_delay(0, step, traffic, draws), checks.flags()));
  }
  const json& expected = check.expected();
  if (!expected.is_array() || expected.size() != steps.size()) {
    check.fail("expected " + expected.dump() + ", got " + steps.dump());
    return;
  }
  for (std::size_t position = 0; position < steps.size(); ++position) {
    check_step(expected[position], steps[position], position, check);
  }
  check.whole_compared();
}

void replay_health_check_next(const json& input, Check& check) {
  for (const auto& [field, value] : input.items()) {
    if (field != "base_ms" && field != "interval_jitter_ms" && field != "interval_jitter_percent" &&
        field != "min_interval_ms" && field != "max_interval_ms" && field != "draws") {
      throw std::invalid_argument("unknown field " + field);
    }
  }
  const auto milliseconds = [&](const char* field) {
    return std::chrono::milliseconds{input.value(field, std::int64_t{0})};
  };
  health::IntervalBounds bounds;
  bounds.min_interval = input.value("min_interval_ms", bounds.min_interval);
  bounds.max_interval = input.value("max_interval_ms", bounds.max_interval);
  ListedDraws draws(input.at("draws"));
  check.equal_whole(health::interval_with_jitter(milliseconds("base_ms"),
                                                 input.value("interval_jitter_percent", std::uint32_t{0}),
                                                 milliseconds("interval_jitter_ms"), bounds, draws)
                        .count());
}

void replay_health_check_first_delay(const json& input, Check& check) {
  json fields = input;
  fields.erase("draws");
  const config::HealthCheck config = health_check_of(fields);
  const health::HostChecks checks(std::span(&config, 1), health::new_host_flags(false));
  ListedDraws draws(input.at("draws"));
  check.equal_whole(std::chrono::duration_cast<std::chrono::milliseconds>(checks.first_delay(0, draws)).count());
}

}  // namespace spillway::conformance
