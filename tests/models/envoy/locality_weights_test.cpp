#include "models/envoy/locality_weights.hpp"

#include <catch2/catch.hpp>

#include "models/envoy/availability.hpp"
#include "models/envoy/host_set.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::Availability;
using envoy::effective_weight;
using envoy::LocalitySchedule;
using support::assignment;

namespace {

// X weighs 1 and has so many of its 100 hosts healthy; Y weighs 2 and is healthy. X's share in percent.
double share_of_x(std::uint64_t healthy) {
  const double x = effective_weight({.weight = 1, .hosts = 100, .eligible = healthy}, 140);
  const double y = effective_weight({.weight = 2, .hosts = 100, .eligible = 100}, 140);
  return 100.0 * x / (x + y);
}

LocalitySchedule schedule_of(const std::vector<support::Group>& groups, Availability eligible = Availability::healthy) {
  return envoy::locality_schedule(envoy::make_priority_set(assignment(groups), {}).host_sets[0], eligible);
}

}  // namespace

TEST_CASE("documented locality table, in the doubles that Envoy uses") {
  CHECK(share_of_x(100) == Approx(33.333).margin(0.0005));
  CHECK(share_of_x(70) == Approx(32.886).margin(0.0005));
  CHECK(share_of_x(69) == Approx(32.569).margin(0.0005));  // printed as 32
  CHECK(share_of_x(50) == Approx(25.926).margin(0.0005));
  CHECK(share_of_x(25) == Approx(14.894).margin(0.0005));
  CHECK(share_of_x(0) == 0.0);
}

TEST_CASE("an effective weight is computed in Envoy's order of operations") {
  CHECK(effective_weight({.weight = 1, .hosts = 100, .eligible = 69}, 140) == 0.9659999999999999);
  CHECK(effective_weight({.weight = 6, .hosts = 10, .eligible = 7}, 140) == 5.879999999999999);
}

TEST_CASE("excluded hosts leave a locality's denominator") {
  CHECK(effective_weight({.weight = 1, .hosts = 3, .excluded = 2, .eligible = 1}, 140) == 1.0);
  CHECK(effective_weight({.weight = 1, .hosts = 2, .excluded = 2, .eligible = 0}, 140) == 0.0);
}

TEST_CASE("localities without weight or eligible hosts are no part of the schedule") {
  const LocalitySchedule schedule = schedule_of({{.zone = "a", .healthy = 1, .weight = 1},
                                                 {.zone = "b", .healthy = 1},
                                                 {.zone = "c", .unhealthy = 1, .weight = 9},
                                                 {.zone = "d", .healthy = 1, .weight = 2}});
  CHECK(schedule.localities == std::vector<std::uint32_t>{0, 3});
  CHECK(schedule.weights == std::vector{1.0, 2.0});
}

TEST_CASE("degraded hosts have a schedule of their own") {
  const std::vector<support::Group> groups = {{.zone = "a", .healthy = 5, .degraded = 5, .weight = 1},
                                              {.zone = "b", .degraded = 2, .unhealthy = 8, .weight = 2},
                                              {.zone = "c", .healthy = 10, .weight = 3}};
  const LocalitySchedule schedule = schedule_of(groups, Availability::degraded);
  CHECK(schedule.localities == std::vector<std::uint32_t>{0, 1});
  CHECK(schedule.weights == std::vector{0.7, 0.5599999999999999});
}

TEST_CASE("without any effective weight there is no schedule") {
  CHECK(schedule_of({{.zone = "a", .healthy = 1}}).empty());
  CHECK(schedule_of({{.zone = "a", .unhealthy = 1, .weight = 1}}).empty());
  CHECK(schedule_of({}).empty());
}

TEST_CASE("the seed profile's schedule starts with the heaviest locality whatever the seed") {
  const LocalitySchedule schedule{{0, 1}, {1.0, 2.0}};
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CHECK(envoy::start_schedule(schedule, seed, config::EnvoyProfile::seed).pick(schedule.weights) == 1);
  }
}

// Release notes of Envoy 1.30: schedules start at a random turn.
TEST_CASE("a schedule of localities starts at a turn of its seed since Envoy 1.30") {
  const LocalitySchedule schedule{{0, 1}, {1.0, 2.0}};
  const auto firsts = [&](config::EnvoyProfile profile) {
    std::uint32_t lighter = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      lighter += envoy::start_schedule(schedule, seed, profile).pick(schedule.weights) == 0 ? 1 : 0;
    }
    return lighter;
  };
  CHECK(firsts(config::EnvoyProfile::release_1_29) == 0);
  CHECK(firsts(config::EnvoyProfile::release_1_30) > 0);
}
