#include "models/envoy/retry_priority.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using config::Priority;
using envoy::HealthyAndDegradedLoad;
using envoy::PreviousPriorities;
using envoy::PriorityAvailability;

TEST_CASE("each tried priority is left out until none remains, then all start again") {
  const std::vector<PriorityAvailability> availability(2, {100, 0});
  const HealthyAndDegradedLoad original{{100, 0}, {0, 0}};
  PreviousPriorities retry(1);
  CHECK(retry.priority_load(availability, original) == original);
  retry.on_host_attempted(Priority{0});
  CHECK(retry.priority_load(availability, original).healthy == std::vector<std::uint32_t>{0, 100});
  retry.on_host_attempted(Priority{1});
  CHECK(retry.priority_load(availability, original) == original);
}

TEST_CASE("loads change only after every so many attempts") {
  const std::vector<PriorityAvailability> availability(2, {100, 0});
  const HealthyAndDegradedLoad original{{100, 0}, {0, 0}};
  PreviousPriorities retry(2);
  retry.on_host_attempted(Priority{0});
  CHECK(retry.priority_load(availability, original) == original);
  retry.on_host_attempted(Priority{0});
  CHECK(retry.priority_load(availability, original).healthy == std::vector<std::uint32_t>{0, 100});
  retry.on_host_attempted(Priority{1});
  CHECK(retry.priority_load(availability, original).healthy == std::vector<std::uint32_t>{0, 100});
}

TEST_CASE("degraded hosts of other priorities take what healthy ones cannot") {
  // Envoy's previous_priorities test of degraded spillover.
  const std::vector<PriorityAvailability> availability = {{0, 42}, {100, 14}, {28, 0}};
  const HealthyAndDegradedLoad original{{0, 100, 0}, {0, 0, 0}};
  PreviousPriorities retry(1);
  retry.on_host_attempted(Priority{1});
  CHECK(retry.priority_load(availability, original) == HealthyAndDegradedLoad{{0, 0, 40}, {60, 0, 0}});
}

TEST_CASE("with nobody available anywhere the original loads stand") {
  const std::vector<PriorityAvailability> availability(3);
  const HealthyAndDegradedLoad original{{0, 0, 0}, {0, 0, 0}};
  PreviousPriorities retry(1);
  retry.on_host_attempted(Priority{0});
  CHECK(retry.priority_load(availability, original) == original);
}
