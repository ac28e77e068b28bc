#include "sim/run/checks.hpp"

#include <string>
#include <variant>

namespace spillway::run {

namespace {

using health::CheckFailure;
using health::CheckResult;
using scenario::CheckAnswer;

constexpr CheckResult network_failure{.failure = CheckFailure::network};

// Bytes that make the check's `receive` come true, if it is to.
std::string matching(const std::vector<std::string>& receive) {
  std::string all;
  for (const std::string& part : receive) {
    all += part;
  }
  return all;
}

struct Answers {
  CheckAnswer answer;
  std::uint32_t status;  // of a failing request; 200: it does not fail

  [[nodiscard]] bool well() const noexcept { return status < 400; }

  CheckResult operator()(const config::HttpHealthCheck& check) const {
    const std::string body = matching(check.receive);
    health::HttpAnswer http{.status = expected_status(check), .body = body};
    if (check.service_name_matcher) {
      http.x_envoy_upstream_healthchecked_cluster = check.service_name_matcher->text;
    }
    http.x_envoy_degraded = answer == CheckAnswer::degraded;
    http.x_envoy_immediate_health_check_fail = answer == CheckAnswer::immediate_health_check_fail;
    http.status = well() ? http.status : status;
    return health::classify(check, http);
  }
  CheckResult operator()(const config::TcpHealthCheck& check) const {
    const std::string bytes = matching(check.receive);
    const auto result = health::classify(check, health::TcpAnswer{.received = well() ? bytes : "", .closed = !well()});
    return result.value_or(network_failure);
  }
  CheckResult operator()(const config::GrpcHealthCheck& /*check*/) const {
    return health::classify(health::GrpcAnswer{.serving_status = well() ? health::ServingStatus::serving
                                                                        : health::ServingStatus::not_serving});
  }

 private:
  // The first status that the check takes for health.
  static std::uint32_t expected_status(const config::HttpHealthCheck& check) {
    return check.expected_statuses.empty() ? 200 : static_cast<std::uint32_t>(check.expected_statuses.front().start);
  }
};

}  // namespace

CheckOutcome send_check(const config::HealthCheck& check, const CheckPlace& place, Truth& truth,
                        const world::World& world, std::chrono::nanoseconds now) {
  const std::chrono::nanoseconds timeout = check.timeout.value_or(std::chrono::nanoseconds::max());
  const CheckOutcome late{now + timeout, {.failure = CheckFailure::network_timeout}};
  if (!world.is_linked(place.client, place.node)) {
    return {now, network_failure};
  }
  const std::chrono::nanoseconds there_and_back = 2 * world.latency(place.client, place.node);
  const std::chrono::nanoseconds at = now + there_and_back;
  const scenario::Failing* const failing = truth.fails(place.endpoint);
  const bool answers = failing == nullptr || failing->failure == scenario::Failure::status;
  if (there_and_back > timeout || (!answers && failing->failure == scenario::Failure::no_answer)) {
    return late;
  }
  if (!answers || !world.is_on(place.node) || !truth.exists(place.endpoint)) {
    return {at, network_failure};
  }
  const CheckAnswer answer = truth.check_answer(place.endpoint);
  const bool unhealthy = answer == CheckAnswer::unhealthy || answer == CheckAnswer::immediate_health_check_fail;
  const std::uint32_t status = failing != nullptr ? failing->status : unhealthy ? 503 : 200;
  return {at, std::visit(Answers{answer, status}, check.health_checker)};
}

}  // namespace spillway::run
