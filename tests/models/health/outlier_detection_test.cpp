#include "models/health/outlier_detection.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::OutlierDetection;
using spillway::health::OutlierDetector;

namespace {

std::uint64_t no_jitter() {
  return 0;
}

constexpr OutlierDetection eject_all{.max_ejection_percent = 100};

void fail(OutlierDetector& detector, HostIndex host, int times) {
  for (int index = 0; index < times; ++index) {
    CHECK_FALSE(detector.report(host, 500));
  }
}

}  // namespace

TEST_CASE("the fifth 5xx in a row ejects a host, and a success in between starts the count again") {
  OutlierDetector detector(eject_all, 2);
  const HostIndex host{0};
  fail(detector, host, 1);
  CHECK_FALSE(detector.report(host, 200));
  fail(detector, host, 4);
  CHECK(detector.report(host, 500));
  CHECK(detector.eject(host, 0ms, no_jitter));
  CHECK(detector.ejected(host));
  CHECK(detector.ejected_hosts() == 1);
}

TEST_CASE("an ejected host comes back at the first sweep after its time") {
  OutlierDetector detector(eject_all, 2);
  REQUIRE(detector.eject(HostIndex{0}, 0ms, no_jitter));
  CHECK(detector.sweep(9999ms).empty());
  CHECK(detector.sweep(30001ms) == std::vector{HostIndex{0}});
  CHECK_FALSE(detector.ejected(HostIndex{0}));
}

TEST_CASE("a host that is ejected again at once stays out longer each time, up to the maximum") {
  // Envoy's outlier_detection_impl_test.cc, MaxEjectTimeNotAlligned: 10 s steps, sweeps every 10 s.
  OutlierDetector detector({.base_ejection_time = 10s, .max_ejection_time = 305s, .max_ejection_percent = 100}, 1);
  std::chrono::nanoseconds now{0};
  for (int round = 1; round <= 40; ++round) {
    REQUIRE(detector.eject(HostIndex{0}, now, no_jitter));
    const std::chrono::nanoseconds ejected_at = now;
    do {
      now += 10s;
    } while (detector.sweep(now).empty());
    CHECK(now - ejected_at == std::min<std::chrono::nanoseconds>(round * 10s, 310s));
  }
}

TEST_CASE("with the default cap of ten percent a cluster of fewer than ten hosts ejects nobody") {
  OutlierDetector nine({}, 9);
  CHECK_FALSE(nine.eject(HostIndex{0}, 0ms, no_jitter));
  OutlierDetector ten({}, 10);
  CHECK(ten.eject(HostIndex{0}, 0ms, no_jitter));
  CHECK_FALSE(ten.eject(HostIndex{1}, 0ms, no_jitter));
}

TEST_CASE("always_eject_one_host lets the first one go whatever the cap") {
  OutlierDetector detector({.always_eject_one_host = true}, 5);
  CHECK(detector.eject(HostIndex{3}, 0ms, no_jitter));
  CHECK_FALSE(detector.eject(HostIndex{2}, 0ms, no_jitter));
}

TEST_CASE("an ejection takes a draw modulo the jitter in milliseconds plus one") {
  // Envoy's EjectionTimeJitter: 123456789 % 10001 is 4445.
  OutlierDetector detector({.max_ejection_time_jitter = 10s, .max_ejection_percent = 100}, 1);
  const auto draw = [] { return std::uint64_t{123456789}; };
  REQUIRE(detector.eject(HostIndex{0}, 0ms, draw));
  CHECK(detector.sweep(30s + 4444ms).empty());
  CHECK(detector.sweep(30s + 4445ms).size() == 1);
}

TEST_CASE("the back-off goes down one step for each interval after an un-ejection") {
  OutlierDetector detector(eject_all, 1);
  REQUIRE(detector.eject(HostIndex{0}, 0s, no_jitter));
  REQUIRE(detector.sweep(30s).size() == 1);
  REQUIRE(detector.sweep(40s).empty());
  REQUIRE(detector.eject(HostIndex{0}, 41s, no_jitter));
  CHECK(detector.sweep(71s).size() == 1);
}
