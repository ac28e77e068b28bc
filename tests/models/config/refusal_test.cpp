// A refusal names its field as files write it, whatever Envoy's words call it.
#include <catch2/catch.hpp>

#include "models/config/health_check.hpp"
#include "models/config/outlier_detection.hpp"

using namespace spillway::config;
using Fields = std::vector<std::string>;

TEST_CASE("a bound of the proto files names its field in Envoy's words and in a file's") {
  const Reason reason = out_of_bounds("OutlierDetection", "enforcing_consecutive_5xx", "value is required");
  CHECK(reason == "OutlierDetectionValidationError.EnforcingConsecutive5Xx: value is required");
  CHECK(reason.fields == Fields{"enforcing_consecutive_5xx"});
  CHECK(reason.of_proto);
  CHECK(at_least("choice_count", 2) == "ChoiceCount: value must be greater than or equal to 2");
  CHECK(at_most("table_size", 3) == "TableSize: value must be less than or equal to 3");
}

TEST_CASE("a refusal of a message inside another one has the way to its field") {
  CHECK(within("rules", Reason{"no"})->fields == Fields{"rules"});
  CHECK(within("rules.2", Reason{"no", {"a", "b.c"}})->fields == Fields{"rules.2.a", "rules.2.b.c"});
  CHECK_FALSE(within("rules", std::nullopt));
}

TEST_CASE("a refused status range is the one of the list that is meant") {
  HealthCheck check;
  check.timeout = check.interval = std::chrono::seconds{1};
  check.healthy_threshold = check.unhealthy_threshold = 1;
  HttpHealthCheck http{.path = "/"};
  http.retriable_statuses = {{200, 300}, {300, 700}};
  check.health_checker = http;
  const Refusal refused = refusal(check);
  REQUIRE(refused);
  CHECK(refused->fields == Fields{"http_health_check.retriable_statuses.1.end"});
  const std::vector<HealthCheck> checks = {check};
  CHECK(refusal(checks)->fields == Fields{"0.http_health_check.retriable_statuses.1.end"});
}
