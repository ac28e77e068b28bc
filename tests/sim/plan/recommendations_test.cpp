// Whatever a plan recommends holds in runs with real outages, and what it rules out does not (generated_layouts.hpp).
// Clients of a mesh keep to their zone while it has endpoints, then reach the others through zone proxies: over one
// connection each, or one a request.
#include <catch2/catch.hpp>
#include <string>

#include "sim/scenario/client.hpp"
#include "tests/sim/plan/generated_layouts.hpp"

using namespace spillway;
using support::check_layouts;
using support::drawn_layout;
using support::Draws;
using support::Generated;

namespace {

Generated cluster_layout(std::uint32_t seed) {
  Draws draw(seed);
  Generated layout = drawn_layout(draw);
  layout.retries = seed % 3 == 1 && layout.counts.size() == 3;
  layout.reported = seed % 2 == 0 ? "unhealthy" : "removed";
  layout.panic = std::to_string(25 * draw(0, 2));
  layout.rate = 10.0 * draw(5, 14);
  return layout;
}

// With connections of few clients or of many, or with one a request.
Generated mesh_layout(std::uint32_t seed) {
  Draws draw(seed);
  Generated layout = drawn_layout(draw);
  layout.mesh = true;
  layout.reported = seed % 2 == 0 ? "unhealthy" : "removed";
  layout.protocol = seed % 3 == 0 ? "tcp" : "http";
  layout.clients = draw(1, 12);
  layout.rate = 10.0 * draw(5, 14);
  return layout;
}

// Nothing is told, and active checks find out within two seconds; requests that fail until then are allowed.
Generated checked_layout(std::uint32_t seed) {
  Generated layout = cluster_layout(seed);
  layout.retries = false;
  layout.reported = "nothing";
  layout.panic = "0";
  layout.failing = 0.1;
  layout.outage = 15;
  layout.cluster =
      "    health_checks: [{ timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, "
      "tcp_health_check: {} }]\n";
  return layout;
}

// Least request, whose picks depend on requests in flight, with drawn service times.
Generated least_request_layout(std::uint32_t seed) {
  Generated layout = cluster_layout(seed);
  layout.retries = false;
  layout.policy = "LEAST_REQUEST";
  layout.outage = 15;
  layout.work = "cores: 1, service_time: { mean: 10ms, distribution: exponential }";
  return layout;
}

// Nothing is told, and proxies eject what refuses three requests of theirs, for longer than the outage is looked at.
Generated ejecting_layout(std::uint32_t seed) {
  Generated layout = checked_layout(seed);
  layout.cluster =
      "    outlier_detection: { consecutive_5xx: 3, interval: 1s, base_ejection_time: 60s, max_ejection_percent: 100 "
      "}\n";
  return layout;
}

// Users that stay with their endpoint as long as it is there, a client with one session each.
Generated session_layout(std::uint32_t seed) {
  Generated layout = cluster_layout(seed);
  layout.retries = false;
  layout.sessions = true;
  layout.panic = "0";
  layout.clients = 40;
  layout.outage = 15;
  return layout;
}

// A zone is lost with the clients that run there; every third time where requests must be counted.
Generated silent_layout(std::uint32_t seed) {
  Generated layout = seed % 3 == 0 ? least_request_layout(seed) : cluster_layout(seed);
  layout.retries = false;
  layout.clients_lost = true;
  return layout;
}

// One core for each endpoint, drawn service times of 10 ms and a limit for the slowest of them.
Generated latency_layout(std::uint32_t seed) {
  Generated layout = least_request_layout(seed);
  layout.policy = "RANDOM";
  layout.panic = "0";
  layout.p99 = 120;
  return layout;
}

}  // namespace

// Not all layouts are beyond help.
TEST_CASE("what a plan of a cluster recommends holds under real outages, and what it rules out does not",
          "[plan][unsanitized]") {
  CHECK(check_layouts(cluster_layout, 9) >= 3);
}

TEST_CASE("what a plan of a mesh recommends holds under real outages, and what it rules out does not",
          "[plan][unsanitized]") {
  CHECK(check_layouts(mesh_layout, 12) >= 6);
}

TEST_CASE("what a plan recommends holds where only active checks find out", "[plan][unsanitized]") {
  CHECK(check_layouts(checked_layout, 1) >= 1);
}

TEST_CASE("what a plan recommends holds under least request with drawn service times", "[plan][unsanitized]") {
  CHECK(check_layouts(least_request_layout, 1) >= 1);
}

TEST_CASE("what a plan recommends holds where proxies eject what is lost", "[plan][unsanitized]") {
  CHECK(check_layouts(ejecting_layout, 1) >= 1);
}

TEST_CASE("what a plan recommends holds where sessions stay with their endpoints", "[plan][unsanitized]") {
  CHECK(check_layouts(session_layout, 1) >= 1);
}

TEST_CASE("what a plan recommends holds where clients are lost with their zone", "[plan][unsanitized]") {
  CHECK(check_layouts(silent_layout, 3) >= 2);
}

TEST_CASE("what a plan recommends keeps to a limit of latency", "[plan][unsanitized]") {
  CHECK(check_layouts(latency_layout, 1) >= 1);
}
