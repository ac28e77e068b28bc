#include "sim/run/proxies/checks.hpp"

#include <optional>
#include <string>
#include <variant>

#include "sim/run/requests/truth.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/state_at.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

namespace {

using health::CheckFailure;
using health::CheckResult;
using scenario::CheckAnswer;
using scenario::Failure;

constexpr CheckResult network_failure{.failure = CheckFailure::network};

// Returns bytes that satisfy the check's `receive`.
std::string matching(const std::vector<std::string>& receive) {
  std::string all;
  for (const std::string& part : receive) {
    all += part;
  }
  return all;
}

struct Answers {
  CheckAnswer answer;
  std::optional<std::uint32_t> status;  // the endpoint's own status, if any, instead of the expected one

  [[nodiscard]] bool well() const noexcept { return !status || *status < 400; }

  CheckResult operator()(const config::HttpHealthCheck& check) const {
    const std::string body = matching(check.receive);
    health::HttpAnswer http{.status = status.value_or(expected_status(check)), .body = body};
    if (check.service_name_matcher) {
      http.x_envoy_upstream_healthchecked_cluster = check.service_name_matcher->text;
    }
    http.x_envoy_degraded = answer == CheckAnswer::degraded;
    http.x_envoy_immediate_health_check_fail = answer == CheckAnswer::immediate_health_check_fail;
    return health::classify(check, http);
  }
  CheckResult operator()(const config::TcpHealthCheck& check) const {
    const std::string bytes = matching(check.receive);
    const auto result = health::classify(check, health::TcpAnswer{.received = well() ? bytes : "", .closed = !well()});
    return result.value_or(network_failure);
  }
  CheckResult operator()(const config::GrpcHealthCheck& /*check*/) const {
    const bool serving = status.value_or(200) == 200;
    return health::classify(health::GrpcAnswer{.serving_status = serving ? health::ServingStatus::serving
                                                                         : health::ServingStatus::not_serving});
  }

 private:
  // Returns the first status that the check accepts as healthy.
  static std::uint32_t expected_status(const config::HttpHealthCheck& check) {
    return check.expected_statuses.empty() ? 200 : static_cast<std::uint32_t>(check.expected_statuses.front().start);
  }
};

// An endpoint's reaction to a check: a response, with a status of its own or the expected one, or a failure.
struct Reaction {
  Failure kind = Failure::status;
  std::optional<std::uint32_t> status = {};
};

// Returns how the endpoint reacts. `failing` is how it fails this check; null if it responds by its `check_answer`.
Reaction reaction_of(const scenario::Failing* failing, const Truth& truth, config::EndpointIndex endpoint) {
  if (failing != nullptr) {
    return {failing->failure, failing->status};
  }
  switch (truth.of(endpoint).check_answer) {
    case CheckAnswer::healthy:
    case CheckAnswer::degraded:
      break;
    case CheckAnswer::unhealthy:
    case CheckAnswer::immediate_health_check_fail:
      return {Failure::status, 503};
    case CheckAnswer::reset:
      return {Failure::reset, {}};
    case CheckAnswer::connect_failure:
      return {Failure::connect_failure, {}};
    case CheckAnswer::no_answer:
      return {Failure::no_answer, {}};
    case CheckAnswer::status:
      return {Failure::status, truth.of(endpoint).check_status};
  }
  return {};
}

}  // namespace

health::CheckResult result_of_well(const config::HealthCheck& check) {
  return std::visit(Answers{CheckAnswer::healthy, std::nullopt}, check.health_checker);
}

const CheckRound::Way& CheckRound::way_to(config::NodeIndex node) {
  if (!way_ || way_->to != node) {
    const bool linked = world_->is_linked(client_, node);
    way_ = Way{node, linked, world_->is_on(node),
               linked ? 2 * world_->latency(client_, node) : std::chrono::nanoseconds{0}};
  }
  return *way_;
}

CheckOutcome CheckRound::send(const scenario::Host& host) {
  const CheckOutcome reached = send(host.endpoint);
  if (!host.forwards_to || !(reached.result == *well_)) {
    return reached;
  }
  CheckOutcome behind{reached.at, network_failure};
  for (const scenario::Host& further : scenario_->services[host.forwards_to->value].hosts) {
    if (!truth_->exists(further.endpoint)) {
      continue;
    }
    behind = send(further);
    if (behind.result == *well_) {
      break;
    }
  }
  return behind;
}

CheckOutcome CheckRound::send(config::EndpointIndex endpoint) {
  const Way& way = way_to(scenario_->endpoints[endpoint.value].node);
  if (!way.linked) {
    return {now_, network_failure};
  }
  const std::chrono::nanoseconds at = now_ + way.there_and_back;
  const scenario::Failing* const failing = truth_->fails_check(endpoint);
  const CheckAnswer answer = truth_->of(endpoint).check_answer;
  const bool there = way.on && truth_->exists(endpoint);
  if (failing == nullptr && answer == CheckAnswer::healthy && there && way.there_and_back <= timeout()) {
    return {at, *well_};
  }
  const Reaction reaction = reaction_of(failing, *truth_, endpoint);
  // A check without `receive` passes as soon as it is connected.
  const auto* const tcp = std::get_if<config::TcpHealthCheck>(&check_->health_checker);
  const bool connected = tcp != nullptr && tcp->receive.empty() && reaction.kind != Failure::connect_failure;
  if (way.there_and_back > timeout() || (there && reaction.kind == Failure::no_answer && !connected)) {
    return {now_ + timeout(), {.failure = CheckFailure::network_timeout}};
  }
  if (!there || (reaction.kind != Failure::status && !connected)) {
    return {at, network_failure};
  }
  if (answer == CheckAnswer::healthy && (connected || !reaction.status)) {
    return {at, *well_};
  }
  return {at, std::visit(Answers{answer, connected ? std::nullopt : reaction.status}, check_->health_checker)};
}

}  // namespace spillway::run
