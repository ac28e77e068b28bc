#include "models/health/check_answer.hpp"

#include <catch2/catch.hpp>

using spillway::config::GrpcHealthCheck;
using spillway::config::HealthCheck;
using spillway::config::HttpHealthCheck;
using spillway::config::ServiceNameMatcher;
using spillway::config::TcpHealthCheck;
using spillway::health::CheckFailure;
using spillway::health::CheckResult;
using spillway::health::classify;
using spillway::health::GrpcAnswer;
using spillway::health::ServingStatus;
using namespace std::chrono_literals;

namespace {

HealthCheck http_check(HttpHealthCheck http) {
  http.path = "/";
  return {.timeout = 1s, .interval = 1s, .unhealthy_threshold = 1, .healthy_threshold = 1, .health_checker = http};
}

}  // namespace

TEST_CASE("an HTTP check passes with exactly 200 unless other statuses are expected") {
  CHECK(classify(HttpHealthCheck{}, {.status = 200}) == CheckResult{});
  CHECK(classify(HttpHealthCheck{}, {.status = 204}).failure == CheckFailure::active);
  const HttpHealthCheck wide{.expected_statuses = {{200, 204}}};
  CHECK_FALSE(classify(wide, {.status = 203}).failure);
  CHECK(classify(wide, {.status = 204}).failure);
}

TEST_CASE("a retriable status is a failure that counts up") {
  const HttpHealthCheck check{.retriable_statuses = {{500, 504}}};
  CHECK(classify(check, {.status = 503}).retriable);
  CHECK_FALSE(classify(check, {.status = 504}).retriable);
}

TEST_CASE("the expected pieces must stand in the buffered part of the body, in order") {
  const HttpHealthCheck check{.receive = {"every", "well"}, .response_buffer_size = 10};
  CHECK_FALSE(classify(check, {.body = "every well"}).failure);
  CHECK(classify(check, {.body = "well every"}).failure);
  CHECK(classify(check, {.body = "every one well"}).failure == CheckFailure::active);
}

TEST_CASE("headers of an answer degrade the host, exclude it, or name the wrong service") {
  CHECK(classify(HttpHealthCheck{}, {.x_envoy_degraded = true}).degraded);
  CHECK(classify(HttpHealthCheck{}, {.status = 503, .x_envoy_immediate_health_check_fail = true}).immediate_fail);
  CHECK_FALSE(classify(HttpHealthCheck{}, {.x_envoy_immediate_health_check_fail = true}).immediate_fail);
  const HttpHealthCheck named{.service_name_matcher =
                                  ServiceNameMatcher{ServiceNameMatcher::Pattern::prefix, "Loc", true}};
  CHECK_FALSE(classify(named, {.x_envoy_upstream_healthchecked_cluster = "locations-production"}).failure);
  CHECK(classify(named, {}).failure == CheckFailure::active);
}

TEST_CASE("a TCP check waits for its bytes, and a connection closed before is the network's failure") {
  CHECK(classify(TcpHealthCheck{}, {}) == CheckResult{});
  const TcpHealthCheck check{.receive = {"pong"}};
  CHECK_FALSE(classify(check, {.received = "po"}));
  CHECK(classify(check, {.received = "pong"}) == CheckResult{});
  CHECK(classify(check, {.received = "po", .closed = true})->failure == CheckFailure::network);
}

TEST_CASE("a gRPC check passes while the service is serving") {
  CHECK(classify(GrpcAnswer{}) == CheckResult{});
  CHECK(classify(GrpcAnswer{.serving_status = ServingStatus::not_serving}).failure == CheckFailure::active);
  CHECK(classify(GrpcAnswer{.grpc_status = 12}).failure == CheckFailure::active);
  CHECK(classify(GrpcAnswer{.serving_status = {}}).failure == CheckFailure::active);
  CHECK(classify(GrpcAnswer{.reset_or_goaway = true}).failure == CheckFailure::network);
}

TEST_CASE("Envoy refuses checks that are not complete or not sound") {
  CHECK_FALSE(refusal(http_check({})));
  CHECK(refusal(HealthCheck{.interval = 1s}) == "HealthCheckValidationError.Timeout: value is required");
  HealthCheck zero = http_check({});
  zero.interval = 0s;
  CHECK(refusal(zero) == "HealthCheckValidationError.Interval: value must be greater than 0s");
  CHECK(refusal(http_check({.expected_statuses = {{300, 200}}})) ==
        "Invalid http expected status range: expecting start < end, but found start=300 and end=200");
  CHECK(refusal(http_check({.retriable_statuses = {{99, 200}}})) ==
        "Invalid http retriable status range: expecting start >= 100, but found start=99");
  CHECK(refusal(http_check({.expected_statuses = {{500, 601}}})) ==
        "Invalid http expected status range: expecting end <= 600, but found end=601");
  CHECK(refusal(http_check({.method = "TRACE", .send = "ab"})) ==
        "HTTP health check cannot specify a request payload with method 'TRACE'.");
  CHECK(refusal(http_check({.receive = {"four", "teen"}, .response_buffer_size = 7})) ==
        "The expected response length '8' is over than http health response buffer size '7'");
}

TEST_CASE("several checks of a cluster need names of their own") {
  std::vector<HealthCheck> checks = {http_check({}), http_check({})};
  checks[0].name = "a";
  CHECK(refusal(checks) ==
        "health check at index 1 is missing a name; all health checks must have a name when multiple health checks are "
        "configured");
  checks[1].name = "a";
  CHECK(refusal(checks) ==
        "duplicate health check name 'a' at index 1; all health check names must be unique within a cluster");
  checks[1].name = "b";
  CHECK_FALSE(refusal(checks));
}
