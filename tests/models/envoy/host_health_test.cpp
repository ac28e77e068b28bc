#include "models/envoy/host_health.hpp"

#include <catch2/catch.hpp>

using namespace spillway;
using config::EnvoyProfile;
using config::HealthStatus;
using envoy::Health;
using envoy::HostFlag;
using envoy::HostFlags;

TEST_CASE("a host without flags is healthy, also while it waits for its removal") {
  CHECK(envoy::coarse_health({}) == Health::healthy);
  CHECK(envoy::coarse_health({HostFlag::pending_dynamic_removal}) == Health::healthy);
}

TEST_CASE("any failure goes before any degradation") {
  CHECK(envoy::coarse_health({HostFlag::degraded_active_hc}) == Health::degraded);
  CHECK(envoy::coarse_health({HostFlag::degraded_eds_health}) == Health::degraded);
  for (const HostFlag failure : {HostFlag::failed_active_hc, HostFlag::failed_outlier_check,
                                 HostFlag::failed_eds_health, HostFlag::eds_status_draining}) {
    CHECK(envoy::coarse_health({HostFlag::degraded_eds_health, failure}) == Health::unhealthy);
  }
}

TEST_CASE("hosts that wait for their first check, failed at once or drain leave the denominators") {
  CHECK(envoy::is_excluded({HostFlag::failed_active_hc, HostFlag::pending_active_hc}));
  CHECK(envoy::is_excluded({HostFlag::excluded_via_immediate_hc_fail}));
  CHECK(envoy::is_excluded({HostFlag::eds_status_draining}));
  CHECK_FALSE(envoy::is_excluded({HostFlag::failed_active_hc, HostFlag::failed_eds_health}));
}

TEST_CASE("health_status sets the flags that Envoy sets") {
  const auto flags = [](HealthStatus status) { return envoy::eds_health_flags(status, EnvoyProfile::current); };
  CHECK(flags(HealthStatus::unknown) == HostFlags{});
  CHECK(flags(HealthStatus::healthy) == HostFlags{});
  CHECK(flags(HealthStatus::unhealthy) == HostFlags{HostFlag::failed_eds_health});
  CHECK(flags(HealthStatus::timeout) == HostFlags{HostFlag::failed_eds_health});
  CHECK(flags(HealthStatus::degraded) == HostFlags{HostFlag::degraded_eds_health});
  CHECK(flags(HealthStatus::draining) == HostFlags{HostFlag::eds_status_draining});
}

TEST_CASE("a draining host of the seed profile stays in the denominators") {
  CHECK_FALSE(envoy::is_excluded(envoy::eds_health_flags(HealthStatus::draining, EnvoyProfile::seed)));
}

TEST_CASE("flags are set and cleared one by one") {
  HostFlags flags{HostFlag::failed_active_hc, HostFlag::pending_active_hc};
  flags.clear(HostFlag::failed_active_hc);
  CHECK(flags == HostFlags{HostFlag::pending_active_hc});
  CHECK(flags.has(HostFlag::pending_active_hc));
}

// Release notes of Envoy 1.30: DRAINING hosts are excluded.
TEST_CASE("a draining host leaves the denominators since Envoy 1.30") {
  const auto excluded = [](EnvoyProfile profile) {
    return envoy::is_excluded(envoy::eds_health_flags(HealthStatus::draining, profile));
  };
  CHECK_FALSE(excluded(EnvoyProfile::release_1_29));
  CHECK(excluded(EnvoyProfile::release_1_30));
}
