#include "sim/control_plane/latency_summary.hpp"

#include <catch2/catch.hpp>

using namespace std::chrono_literals;
using spillway::control_plane::LatencySummary;

TEST_CASE("Quantiles are the least values that so many are not above", "[control_plane]") {
  LatencySummary summary;
  CHECK(!summary.quantiles(10s).p50);
  for (int value = 1; value <= 100; ++value) {
    summary.observe(1s, value);
  }
  CHECK(summary.quantiles(1s).p50 == 50.0);
  CHECK(summary.quantiles(1s).p90 == 90.0);
  CHECK(summary.quantiles(1s).p99 == 99.0);
  CHECK(!summary.quantiles(999ms).p50);
}

// prometheus/client_golang: five streams of two minutes; all take every observation, the oldest is read.
TEST_CASE("The window slides every two minutes from the first observation, after ten", "[control_plane]") {
  LatencySummary summary;
  for (int minute = 0; minute < 20; ++minute) {
    summary.observe(55s + std::chrono::minutes{minute}, 1.0);
  }
  CHECK(summary.count(55s + 9min) == 10);
  CHECK(summary.count(55s + 10min - 1ns) == 10);
  CHECK(summary.count(55s + 10min) == 9);         // those of 2 to 10 min
  CHECK(summary.count(55s + 12min - 1ns) == 10);  // and of 11 min
  CHECK(summary.count(55s + 12min) == 9);
}
