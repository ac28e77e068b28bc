// Which checks Envoy refuses and why: envoy/config/core/v3/health_check.proto with its rules of protoc-gen-validate,
// and HttpStatusChecker and HttpHealthCheckerImpl of Envoy's extensions/health_checkers.
#include "models/config/health_check.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace spillway::config {

namespace {

using namespace std::chrono_literals;

HealthCheck http_check() {
  HealthCheck check;
  check.timeout = 1s;
  check.interval = 2s;
  check.unhealthy_threshold = 3;
  check.healthy_threshold = 2;
  check.health_checker = HttpHealthCheck{.path = "/"};
  return check;
}

HttpHealthCheck& http_of(HealthCheck& check) {
  return std::get<HttpHealthCheck>(check.health_checker);
}

// A change of a check that Envoy takes, and what it says of it; "": it takes it still.
struct CheckCase {
  const char* name;
  void (*change)(HealthCheck&);
  std::string says;
};

void expect_refusals(const std::vector<CheckCase>& cases) {
  for (const CheckCase& one : cases) {
    HealthCheck check = http_check();
    one.change(check);
    INFO(one.name);
    CHECK(text_of(refusal(check)) == one.says);
  }
}

}  // namespace

TEST_CASE("health check: times and thresholds that the API requires") {
  const std::string required = ": value is required";
  const std::string above = ": value must be greater than 0s";
  const std::string front = "HealthCheckValidationError.";
  expect_refusals({
      {"whole", [](HealthCheck&) {}, ""},
      {"no timeout", [](HealthCheck& check) { check.timeout.reset(); }, front + "Timeout" + required},
      {"timeout 0", [](HealthCheck& check) { check.timeout = 0ns; }, front + "Timeout" + above},
      {"timeout 1 ns", [](HealthCheck& check) { check.timeout = 1ns; }, ""},
      {"no interval", [](HealthCheck& check) { check.interval.reset(); }, front + "Interval" + required},
      {"interval 0", [](HealthCheck& check) { check.interval = 0ns; }, front + "Interval" + above},
      {"interval 1 ns", [](HealthCheck& check) { check.interval = 1ns; }, ""},
      {"no unhealthy threshold", [](HealthCheck& check) { check.unhealthy_threshold.reset(); },
       front + "UnhealthyThreshold" + required},
      {"no healthy threshold", [](HealthCheck& check) { check.healthy_threshold.reset(); },
       front + "HealthyThreshold" + required},
  });
}

TEST_CASE("health check: intervals that may be left out must be above 0 where they are written") {
  const std::string above = "Interval: value must be greater than 0s";
  const std::string front = "HealthCheckValidationError.";
  expect_refusals({
      {"no traffic 0", [](HealthCheck& check) { check.no_traffic_interval = 0ns; }, front + "NoTraffic" + above},
      {"no traffic 1 ns", [](HealthCheck& check) { check.no_traffic_interval = 1ns; }, ""},
      {"no traffic, healthy 0", [](HealthCheck& check) { check.no_traffic_healthy_interval = 0ns; },
       front + "NoTrafficHealthy" + above},
      {"no traffic, healthy 1 ns", [](HealthCheck& check) { check.no_traffic_healthy_interval = 1ns; }, ""},
      {"unhealthy 0", [](HealthCheck& check) { check.unhealthy_interval = 0ns; }, front + "Unhealthy" + above},
      {"unhealthy 1 ns", [](HealthCheck& check) { check.unhealthy_interval = 1ns; }, ""},
      {"unhealthy edge 0", [](HealthCheck& check) { check.unhealthy_edge_interval = 0ns; },
       front + "UnhealthyEdge" + above},
      {"unhealthy edge 1 ns", [](HealthCheck& check) { check.unhealthy_edge_interval = 1ns; }, ""},
      {"healthy edge 0", [](HealthCheck& check) { check.healthy_edge_interval = 0ns; }, front + "HealthyEdge" + above},
      {"healthy edge 1 ns", [](HealthCheck& check) { check.healthy_edge_interval = 1ns; }, ""},
  });
}

TEST_CASE("health check: what HTTP asks for") {
  const std::string front =
      "HealthCheckValidationError.HttpHealthCheck: embedded message failed validation | caused by "
      "HttpHealthCheckValidationError.";
  const auto payload = [](const std::string& method) {
    return "HTTP health check cannot specify a request payload with method '" + method + "'.";
  };
  expect_refusals({
      {"no path", [](HealthCheck& check) { http_of(check).path = ""; },
       front + "Path: value length must be at least 1 characters"},
      {"CONNECT", [](HealthCheck& check) { http_of(check).method = "CONNECT"; },
       front + "Method: value must not be in list [6]"},
      {"GET with a payload", [](HealthCheck& check) { http_of(check).send = "x"; }, payload("GET")},
      {"HEAD with a payload",
       [](HealthCheck& check) {
         http_of(check).send = "x";
         http_of(check).method = "HEAD";
       },
       payload("HEAD")},
      {"DELETE with a payload",
       [](HealthCheck& check) {
         http_of(check).send = "x";
         http_of(check).method = "DELETE";
       },
       payload("DELETE")},
      {"TRACE with a payload",
       [](HealthCheck& check) {
         http_of(check).send = "x";
         http_of(check).method = "TRACE";
       },
       payload("TRACE")},
      {"POST with a payload",
       [](HealthCheck& check) {
         http_of(check).send = "x";
         http_of(check).method = "POST";
       },
       ""},
      {"HEAD without a payload", [](HealthCheck& check) { http_of(check).method = "HEAD"; }, ""},
      {"a check by TCP has no path", [](HealthCheck& check) { check.health_checker = TcpHealthCheck{}; }, ""},
  });
}

TEST_CASE("health check: ranges of statuses lie between 100 and 600 and are not empty") {
  struct RangeCase {
    std::int64_t start;
    std::int64_t end;
    std::string says;  // behind "expecting "
  };
  const RangeCase cases[] = {
      {100, 600, ""},
      {200, 201, ""},
      {200, 200, "start < end, but found start=200 and end=200"},
      {201, 200, "start < end, but found start=201 and end=200"},
      {99, 200, "start >= 100, but found start=99"},
      {500, 601, "end <= 600, but found end=601"},
  };
  for (const RangeCase& one : cases) {
    for (const bool retriable : {false, true}) {
      HealthCheck check = http_check();
      // The second of a list is looked at as the first is.
      (retriable ? http_of(check).retriable_statuses : http_of(check).expected_statuses) = {{300, 301},
                                                                                            {one.start, one.end}};
      INFO(one.start << " to " << one.end << (retriable ? ", retriable" : ", expected"));
      const std::string front =
          std::string("Invalid http ") + (retriable ? "retriable" : "expected") + " status range: expecting ";
      CHECK(text_of(refusal(check)) == (one.says.empty() ? "" : front + one.says));
    }
  }
}

TEST_CASE("health check: what is expected of the answer fits into the buffer") {
  expect_refusals({
      {"as long as the buffer",
       [](HealthCheck& check) { http_of(check).receive = {std::string(1000, 'a'), std::string(24, 'b')}; }, ""},
      {"a byte longer than the buffer",
       [](HealthCheck& check) { http_of(check).receive = {std::string(1000, 'a'), std::string(25, 'b')}; },
       "The expected response length '1025' is over than http health response buffer size '1024'"},
      {"one byte of buffer",
       [](HealthCheck& check) {
         http_of(check).receive = {"ab"};
         http_of(check).response_buffer_size = 1;
       },
       "The expected response length '2' is over than http health response buffer size '1'"},
      {"0 is a buffer without an end",
       [](HealthCheck& check) {
         http_of(check).receive = {std::string(5000, 'a')};
         http_of(check).response_buffer_size = 0;
       },
       ""},
  });
}

TEST_CASE("health check: several of a cluster have names of their own") {
  const auto named = [](const std::string& name) {
    HealthCheck check = http_check();
    check.name = name;
    return check;
  };
  const auto says = [](const std::vector<HealthCheck>& checks) { return text_of(refusal(checks)); };
  CHECK(says({}).empty());
  CHECK(says({named("")}).empty());
  CHECK(says({named("a"), named("b")}).empty());
  CHECK(says({named("a"), named("")}) ==
        "health check at index 1 is missing a name; all health checks must have a name when multiple health checks "
        "are configured");
  CHECK(says({named("a"), named("b"), named("a")}) ==
        "duplicate health check name 'a' at index 2; all health check names must be unique within a cluster");
  HealthCheck wrong = named("b");
  wrong.timeout.reset();
  CHECK(says({named("a"), wrong}) == "HealthCheckValidationError.Timeout: value is required");
}

TEST_CASE("health check: intervals that are not written are those that the API names for them") {
  HealthCheck check = http_check();
  const CheckIntervals defaults(check);
  CHECK(defaults.interval == 2s);
  CHECK(defaults.no_traffic_interval == 60s);
  CHECK(defaults.no_traffic_healthy_interval == 60s);
  CHECK(defaults.unhealthy_interval == 2s);
  CHECK(defaults.unhealthy_edge_interval == 2s);
  CHECK(defaults.healthy_edge_interval == 2s);
  check.no_traffic_interval = 7s;
  check.unhealthy_interval = 5s;
  const CheckIntervals some(check);
  CHECK(some.no_traffic_healthy_interval == 7s);
  CHECK(some.unhealthy_edge_interval == 5s);
  CHECK(some.healthy_edge_interval == 2s);
  check.interval.reset();
  CHECK(CheckIntervals(check).interval == 0s);
}

}  // namespace spillway::config
