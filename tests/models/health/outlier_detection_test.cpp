#include "models/health/outlier_detection.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace std::chrono_literals;
using spillway::config::EnvoyProfile;
using spillway::config::HostIndex;
using spillway::config::OutlierDetection;
using spillway::health::Detection;
using spillway::health::Origin;
using spillway::health::OutlierDetector;
using spillway::health::OutlierEvent;
using spillway::health::OutlierResult;
using Action = OutlierEvent::Action;

namespace {

std::uint64_t no_jitter() {
  return 0;
}

constexpr OutlierDetection eject_all{.max_ejection_percent = 100};

void fail(OutlierDetector& detector, HostIndex host, int times, std::uint32_t status = 500) {
  for (int index = 0; index < times; ++index) {
    CHECK_FALSE(detector.report(host, status));
  }
}

bool eject(OutlierDetector& detector, HostIndex host, std::chrono::nanoseconds now) {
  const auto event = detector.decide(host, Detection::consecutive_5xx, now, no_jitter);
  return event && event->action == Action::eject;
}

void answer(OutlierDetector& detector, HostIndex host, int times, std::uint32_t status) {
  for (int index = 0; index < times; ++index) {
    static_cast<void>(detector.report(host, status));
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
  CHECK(eject(detector, host, 0ms));
  CHECK(detector.ejected(host));
  CHECK(detector.ejected_hosts() == 1);
}

TEST_CASE("a host that keeps failing while it is ejected fires once, and nothing is decided") {
  OutlierDetector detector(eject_all, 2);
  const HostIndex host{0};
  REQUIRE(eject(detector, host, 0ms));
  fail(detector, host, 4);
  CHECK(detector.report(host, 500));
  CHECK_FALSE(detector.decide(host, Detection::consecutive_5xx, 1ms, no_jitter));
  fail(detector, host, 20);
}

TEST_CASE("an ejected host comes back at the first sweep after its time") {
  OutlierDetector detector(eject_all, 2);
  REQUIRE(eject(detector, HostIndex{0}, 0ms));
  CHECK(detector.sweep(9999ms, no_jitter).empty());
  CHECK(detector.sweep(30001ms, no_jitter) == std::vector<OutlierEvent>{{HostIndex{0}, std::nullopt, Action::uneject}});
  CHECK_FALSE(detector.ejected(HostIndex{0}));
}

TEST_CASE("a host that is ejected again at once stays out longer each time, up to the maximum") {
  // Envoy's outlier_detection_impl_test.cc, MaxEjectTimeNotAlligned: 10 s steps, sweeps every 10 s.
  OutlierDetector detector({.base_ejection_time = 10s, .max_ejection_time = 305s, .max_ejection_percent = 100}, 1);
  std::chrono::nanoseconds now{0};
  for (int round = 1; round <= 40; ++round) {
    REQUIRE(eject(detector, HostIndex{0}, now));
    const std::chrono::nanoseconds ejected_at = now;
    do {
      now += 10s;
    } while (detector.sweep(now, no_jitter).empty());
    CHECK(now - ejected_at == std::min<std::chrono::nanoseconds>(round * 10s, 310s));
  }
}

TEST_CASE("a longest ejection that nobody sets is 300 s or the base time if that is longer") {
  CHECK(effective_max_ejection_time(OutlierDetection{}) == 300s);
  CHECK(effective_max_ejection_time(OutlierDetection{.base_ejection_time = 400s}) == 400s);
}

TEST_CASE("with the default cap of ten percent a cluster of fewer than ten hosts ejects nobody") {
  OutlierDetector nine({}, 9);
  CHECK_FALSE(eject(nine, HostIndex{0}, 0ms));
  CHECK(nine.overflows() == 1);
  OutlierDetector ten({}, 10);
  CHECK(eject(ten, HostIndex{0}, 0ms));
  CHECK_FALSE(eject(ten, HostIndex{1}, 0ms));
}

TEST_CASE("the seed's cap let one host go in a cluster of any size") {
  OutlierDetector two({}, 2, EnvoyProfile::seed);
  CHECK(eject(two, HostIndex{0}, 0ms));
  CHECK_FALSE(eject(two, HostIndex{1}, 0ms));
}

TEST_CASE("the seed's ejections grow without a maximum") {
  OutlierDetector detector({.base_ejection_time = 300s, .max_ejection_percent = 100}, 1, EnvoyProfile::seed);
  REQUIRE(eject(detector, HostIndex{0}, 0s));
  REQUIRE(detector.sweep(300s, no_jitter).size() == 1);
  REQUIRE(detector.sweep(400s, no_jitter).empty());
  REQUIRE(eject(detector, HostIndex{0}, 400s));
  CHECK(detector.sweep(999s, no_jitter).empty());
  CHECK(detector.sweep(1000s, no_jitter).size() == 1);
}

TEST_CASE("always_eject_one_host lets the first one go whatever the cap") {
  OutlierDetector detector({.always_eject_one_host = true}, 5);
  CHECK(eject(detector, HostIndex{3}, 0ms));
  CHECK_FALSE(eject(detector, HostIndex{2}, 0ms));
}

TEST_CASE("an ejection takes a draw modulo the jitter in milliseconds plus one") {
  // Envoy's EjectionTimeJitter: 123456789 % 10001 is 4445.
  OutlierDetector detector({.max_ejection_time_jitter = 10s, .max_ejection_percent = 100}, 1);
  const auto draw = [] { return std::uint64_t{123456789}; };
  REQUIRE(detector.decide(HostIndex{0}, Detection::consecutive_5xx, 0ms, draw)->action == Action::eject);
  CHECK(detector.sweep(30s + 4444ms, draw).empty());
  CHECK(detector.sweep(30s + 4445ms, draw).size() == 1);
}

TEST_CASE("the back-off goes down one step for each interval after an un-ejection") {
  OutlierDetector detector(eject_all, 1);
  REQUIRE(eject(detector, HostIndex{0}, 0s));
  REQUIRE(detector.sweep(30s, no_jitter).size() == 1);
  REQUIRE(detector.sweep(40s, no_jitter).empty());
  REQUIRE(eject(detector, HostIndex{0}, 41s));
  CHECK(detector.sweep(71s, no_jitter).size() == 1);
}

TEST_CASE("gateway failures are counted beside the 5xx and fire first; another 5xx breaks their run") {
  OutlierDetector detector(eject_all, 1);
  const HostIndex host{0};
  fail(detector, host, 4, 503);
  const auto fired = detector.report(host, 502);
  CHECK(std::vector<Detection>(fired.begin(), fired.end()) ==
        std::vector{Detection::consecutive_gateway_failure, Detection::consecutive_5xx});
  OutlierDetector other(eject_all, 1);
  fail(other, host, 4, 503);
  CHECK(*other.report(host, 500).begin() == Detection::consecutive_5xx);
  fail(other, host, 4, 504);
}

TEST_CASE("a gateway failure is only detected by default") {
  OutlierDetector detector(eject_all, 1);
  CHECK(detector.decide(HostIndex{0}, Detection::consecutive_gateway_failure, 0ms, no_jitter)->action ==
        Action::detected_not_enforced);
  CHECK_FALSE(detector.ejected(HostIndex{0}));
}

TEST_CASE("with origins together a failed connection counts as 503 and an established one as nothing") {
  OutlierDetector detector(eject_all, 1);
  const HostIndex host{0};
  for (int index = 0; index < 4; ++index) {
    CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_failed));
    CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_success));
  }
  CHECK(detector.report(host, OutlierResult::local_origin_timeout));
}

TEST_CASE("with origins split connections have a run of their own") {
  OutlierDetector detector({.max_ejection_percent = 100, .split_external_local_origin_errors = true}, 1);
  const HostIndex host{0};
  for (int index = 0; index < 4; ++index) {
    CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_failed));
  }
  CHECK_FALSE(detector.report(host, OutlierResult::ext_origin_request_success));
  const auto fired = detector.report(host, OutlierResult::local_origin_connect_failed);
  REQUIRE(fired);
  CHECK(*fired.begin() == Detection::consecutive_local_origin_failure);
  CHECK_FALSE(detector.report(host, OutlierResult::ext_origin_request_failed));
}

TEST_CASE("the documents' success rates of 50 and four times 100 give a threshold of 52") {
  const std::vector<double> rates = {50, 100, 100, 100, 100};
  const auto outliers = spillway::health::success_rate_outliers(rates, 1.9);
  CHECK(outliers.mean == 90.0);
  CHECK(outliers.threshold == 52.0);
  CHECK(outliers.positions == std::vector<std::size_t>{0});
}

TEST_CASE("a host far below the others' success rate is ejected by the sweep that ends the interval") {
  OutlierDetector detector({.max_ejection_percent = 100, .enforcing_consecutive_5xx = 0}, 5);
  for (std::uint32_t host = 0; host < 5; ++host) {
    answer(detector, HostIndex{host}, 200, 200);
  }
  answer(detector, HostIndex{4}, 200, 503);
  const auto events = detector.sweep(10s, no_jitter);
  REQUIRE(events.size() == 1);
  CHECK(events[0] == OutlierEvent{HostIndex{4}, Detection::success_rate, Action::eject});
  CHECK(detector.success_rate(HostIndex{4}, Origin::external) == 50.0);
  CHECK(detector.success_rate_average(Origin::external) == 90.0);
  CHECK(detector.success_rate_ejection_threshold(Origin::external) == 52.0);
  CHECK(detector.success_rate_average(Origin::local) == -1.0);
}

TEST_CASE("an interval without requests judges nobody") {
  OutlierDetector detector({.max_ejection_percent = 100}, 5);
  answer(detector, HostIndex{0}, 200, 200);
  REQUIRE(detector.sweep(10s, no_jitter).empty());
  CHECK(detector.success_rate(HostIndex{0}, Origin::external) == 100.0);
  CHECK(detector.sweep(20s, no_jitter).empty());
  CHECK(detector.success_rate(HostIndex{0}, Origin::external) == -1.0);
}

TEST_CASE("the failure percentage ejects from its threshold on, once it is enforced") {
  OutlierDetector detector({.max_ejection_percent = 100,
                            .enforcing_consecutive_5xx = 0,
                            .enforcing_success_rate = 0,
                            .enforcing_failure_percentage = 100},
                           5);
  for (std::uint32_t host = 0; host < 5; ++host) {
    answer(detector, HostIndex{host}, 15, 200);
    answer(detector, HostIndex{host}, 1, host == 1 ? 200 : 500);
    answer(detector, HostIndex{host}, 84, host < 2 ? 500 : 200);
  }
  const auto events = detector.sweep(10s, no_jitter);
  REQUIRE(events.size() == 1);
  CHECK(events[0] == OutlierEvent{HostIndex{0}, Detection::failure_percentage, Action::eject});
}

TEST_CASE("as many hosts as the minimum are judged, those without requests passed over, and one fewer are not") {
  // envoy: success_rate_minimum_hosts counts hosts that had enough requests; five of them are enough for five.
  const auto ejected = [](std::uint32_t hosts, std::uint32_t idle) {
    // The failure percentage is not judged: it wants one host more.
    OutlierDetector detector(
        {.max_ejection_percent = 100, .success_rate_minimum_hosts = 5, .failure_percentage_minimum_hosts = 6}, hosts);
    for (std::uint32_t host = idle; host < hosts; ++host) {
      const bool bad = host + 1 == hosts;
      for (int request = 0; request < 100; ++request) {
        // Every other one, so that no run of failures is complete.
        static_cast<void>(detector.report(HostIndex{host}, bad && request % 2 == 0 ? 500 : 200));
      }
    }
    return detector.sweep(10s, no_jitter).size();
  };
  CHECK(ejected(5, 0) == 1);
  CHECK(ejected(4, 0) == 0);
  CHECK(ejected(6, 1) == 1);
  CHECK(ejected(6, 2) == 0);
}

TEST_CASE("a successful active check ends an ejection, unless that is switched off") {
  OutlierDetector detector(eject_all, 2);
  CHECK_FALSE(detector.active_check_passed(HostIndex{0}, 0s));
  REQUIRE(eject(detector, HostIndex{0}, 0s));
  CHECK(detector.active_check_passed(HostIndex{0}, 1s));
  CHECK(detector.ejected_hosts() == 0);
  OutlierDetector other({.max_ejection_percent = 100, .successful_active_health_check_uneject_host = false}, 2);
  REQUIRE(eject(other, HostIndex{0}, 0s));
  CHECK_FALSE(other.active_check_passed(HostIndex{0}, 1s));
}

TEST_CASE("a host that leaves frees its place under the cap and shrinks the cluster that the cap counts") {
  OutlierDetector detector({.max_ejection_percent = 50}, 4);
  REQUIRE(eject(detector, HostIndex{0}, 0s));
  REQUIRE(eject(detector, HostIndex{1}, 0s));
  detector.leave(HostIndex{0});
  CHECK(detector.ejected_hosts() == 1);
  CHECK_FALSE(eject(detector, HostIndex{2}, 0s));
  CHECK_FALSE(detector.decide(HostIndex{0}, Detection::consecutive_5xx, 0s, no_jitter));
  detector.join(HostIndex{0});
  CHECK(eject(detector, HostIndex{0}, 0s));
}

TEST_CASE("Envoy refuses percentages above 100, times of nothing, and a maximum below the base") {
  CHECK_FALSE(refusal(OutlierDetection{}));
  CHECK(refusal(OutlierDetection{.max_ejection_percent = 101}) ==
        "OutlierDetectionValidationError.MaxEjectionPercent: value must be less than or equal to 100");
  CHECK(refusal(OutlierDetection{.interval = 0s}) ==
        "OutlierDetectionValidationError.Interval: value must be greater than 0s");
  CHECK(refusal(OutlierDetection{.base_ejection_time = 10s, .max_ejection_time = 5s}) ==
        "outlier detector's max_ejection_time cannot be smaller than base_ejection_time");
}

// Release notes of Envoy 1.28: max_ejection_percent holds for the first ejection too.
TEST_CASE("before Envoy 1.28 the first host may go whatever the cap") {
  OutlierDetector before({}, 2, EnvoyProfile::release_1_27);
  CHECK(eject(before, HostIndex{0}, 0ms));
  CHECK_FALSE(eject(before, HostIndex{1}, 0ms));
  OutlierDetector since({}, 2, EnvoyProfile::release_1_28);
  CHECK_FALSE(eject(since, HostIndex{0}, 0ms));
}

// Release notes of Envoy 1.28: the multiplier goes down only after a whole interval without an ejection.
TEST_CASE("before Envoy 1.28 the back-off goes down at the first sweep after an ejection") {
  const auto second_ejection = [](EnvoyProfile profile) {
    OutlierDetector detector({.base_ejection_time = 10s, .max_ejection_percent = 100}, 1, profile);
    REQUIRE(eject(detector, HostIndex{0}, 0s));
    REQUIRE(detector.sweep(20s, no_jitter).size() == 1);  // back
    REQUIRE(detector.sweep(25s, no_jitter).empty());      // half an interval later
    REQUIRE(eject(detector, HostIndex{0}, 26s));
    return detector.sweep(37s, no_jitter).size();
  };
  CHECK(second_ejection(EnvoyProfile::release_1_27) == 1);  // out for 10 s again
  CHECK(second_ejection(EnvoyProfile::release_1_28) == 0);  // for 20 s
}

// Release notes of Envoy 1.26: a successful active health check unejects.
TEST_CASE("before Envoy 1.26 a check that passes leaves an ejection alone") {
  for (const bool older : {true, false}) {
    OutlierDetector detector(eject_all, 2, older ? EnvoyProfile::release_1_25 : EnvoyProfile::release_1_26);
    REQUIRE(eject(detector, HostIndex{0}, 0ms));
    CHECK(detector.active_check_passed(HostIndex{0}, 1s) != older);
    CHECK(detector.ejected(HostIndex{0}) == older);
  }
}

TEST_CASE("a host with a new index joins, may be ejected, and counts under the cap") {
  OutlierDetector detector({.max_ejection_percent = 50, .split_external_local_origin_errors = true}, 1);
  CHECK_FALSE(eject(detector, HostIndex{0}, 0s));
  detector.join(HostIndex{3});
  CHECK(detector.members() == 2);
  detector.join(HostIndex{3});
  CHECK(detector.members() == 2);
  CHECK(detector.decide(HostIndex{2}, Detection::consecutive_5xx, 0s, no_jitter) == std::nullopt);
  CHECK_FALSE(detector.report(HostIndex{3}, OutlierResult::local_origin_connect_failed));
  CHECK(eject(detector, HostIndex{3}, 0s));
  CHECK(detector.ejected(HostIndex{3}));
  detector.leave(HostIndex{3});
  detector.leave(HostIndex{3});
  CHECK(detector.members() == 1);
  CHECK(detector.ejected_hosts() == 0);
}

TEST_CASE("a host that comes back begins its run of local failures anew") {
  OutlierDetector detector({.max_ejection_percent = 100, .split_external_local_origin_errors = true}, 1);
  const HostIndex host{0};
  CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_failed));
  CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_failed));
  REQUIRE(eject(detector, host, 0s));
  REQUIRE(detector.sweep(30s, no_jitter).size() == 1);
  REQUIRE_FALSE(detector.ejected(host));
  for (int index = 0; index < 4; ++index) {
    CHECK_FALSE(detector.report(host, OutlierResult::local_origin_connect_failed));
  }
  CHECK(detector.report(host, OutlierResult::local_origin_connect_failed));
}

TEST_CASE("a host that is ejected is judged no more in that interval, and does not lower the others' mean") {
  OutlierDetector detector({.max_ejection_percent = 100}, 6);
  for (std::uint32_t host = 0; host < 6; ++host) {
    answer(detector, HostIndex{host}, 100, 200);
  }
  answer(detector, HostIndex{5}, 100, 500);
  REQUIRE(eject(detector, HostIndex{5}, 1s));
  CHECK(detector.sweep(10s, no_jitter).empty());
  CHECK(detector.success_rate_average(Origin::external) == 100.0);
  CHECK(detector.success_rate(HostIndex{5}, Origin::external) == -1.0);
}

TEST_CASE("as many requests as the volume are judged and one fewer are not, by rate and by percentage") {
  const auto judged = [](std::uint32_t rate_volume, std::uint32_t percentage_volume, int requests) {
    OutlierDetector detector({.max_ejection_percent = 100,
                              .success_rate_minimum_hosts = 1,
                              .success_rate_request_volume = rate_volume,
                              .failure_percentage_minimum_hosts = 1,
                              .failure_percentage_request_volume = percentage_volume,
                              .enforcing_failure_percentage = 100},
                             1);
    answer(detector, HostIndex{0}, requests, 500);
    const std::size_t ejected = detector.sweep(10s, no_jitter).size();
    return std::pair(ejected, detector.success_rate(HostIndex{0}, Origin::external));
  };
  CHECK(judged(1000, 50, 50) == std::pair<std::size_t, double>(1, 0.0));
  CHECK(judged(1000, 50, 49) == std::pair<std::size_t, double>(0, -1.0));
  CHECK(judged(50, 1000, 50) == std::pair<std::size_t, double>(0, 0.0));  // its own mean
  CHECK(judged(50, 1000, 49) == std::pair<std::size_t, double>(0, -1.0));
}

TEST_CASE("rates of connections are judged apart where origins are split, and forgotten with the interval") {
  OutlierDetector detector({.max_ejection_percent = 100,
                            .split_external_local_origin_errors = true,
                            .consecutive_local_origin_failure = 1000,
                            .enforcing_local_origin_success_rate = 100},
                           5);
  for (std::uint32_t host = 0; host < 5; ++host) {
    for (int connection = 0; connection < 100; ++connection) {
      const bool failed = host == 2 && connection % 2 == 0;
      static_cast<void>(detector.report(HostIndex{host}, failed ? OutlierResult::local_origin_connect_failed
                                                                : OutlierResult::local_origin_connect_success));
    }
  }
  CHECK(detector.sweep(10s, no_jitter) ==
        std::vector<OutlierEvent>{{HostIndex{2}, Detection::success_rate_local_origin, Action::eject}});
  CHECK(detector.success_rate(HostIndex{2}, Origin::local) == 50.0);
  CHECK(detector.success_rate(HostIndex{2}, Origin::external) == -1.0);
  CHECK(detector.success_rate_average(Origin::local) == 90.0);
  CHECK(detector.sweep(20s, no_jitter).empty());
  CHECK(detector.success_rate_average(Origin::local) == -1.0);
}

TEST_CASE("each detection is enforced by the percentage of its own") {
  const OutlierDetector detector({.enforcing_consecutive_5xx = 1,
                                  .enforcing_consecutive_gateway_failure = 2,
                                  .enforcing_consecutive_local_origin_failure = 4,
                                  .enforcing_success_rate = 3,
                                  .enforcing_local_origin_success_rate = 5,
                                  .enforcing_failure_percentage = 6,
                                  .enforcing_failure_percentage_local_origin = 7},
                                 1);
  CHECK(detector.enforcing(Detection::consecutive_5xx) == 1);
  CHECK(detector.enforcing(Detection::consecutive_gateway_failure) == 2);
  CHECK(detector.enforcing(Detection::success_rate) == 3);
  CHECK(detector.enforcing(Detection::consecutive_local_origin_failure) == 4);
  CHECK(detector.enforcing(Detection::success_rate_local_origin) == 5);
  CHECK(detector.enforcing(Detection::failure_percentage) == 6);
  CHECK(detector.enforcing(Detection::failure_percentage_local_origin) == 7);
}

TEST_CASE("a cap above 100 counts as 100, and a success rate at the threshold is no outlier") {
  OutlierDetector detector({.max_ejection_percent = 100}, 2);
  CHECK(eject(detector, HostIndex{0}, 0s));
  CHECK(eject(detector, HostIndex{1}, 0s));
  // The mean of 90, 110 and 100 is 100, half a deviation of sqrt(200 / 3) below it 95.9.
  CHECK(spillway::health::success_rate_outliers(std::vector<double>{90, 110, 100}, 0.5).positions ==
        std::vector<std::size_t>{0});
  CHECK(spillway::health::success_rate_outliers(std::vector<double>{90, 110}, 1.0).positions.empty());
  CHECK(spillway::health::success_rate_outliers({}, 1.0).positions.empty());
}

TEST_CASE("statuses from 500 to 599 are failures, and 502 to 504 those of a gateway") {
  const auto fires = [](std::uint32_t status) {
    OutlierDetector detector({.consecutive_5xx = 1, .max_ejection_percent = 100, .consecutive_gateway_failure = 1}, 1);
    const auto fired = detector.report(HostIndex{0}, status);
    return std::vector<Detection>(fired.begin(), fired.end());
  };
  using Fired = std::vector<Detection>;
  const auto server = Detection::consecutive_5xx;
  const auto gateway = Detection::consecutive_gateway_failure;
  CHECK(fires(499) == Fired{});
  CHECK(fires(500) == Fired{server});
  CHECK(fires(501) == Fired{server});
  CHECK(fires(502) == Fired{gateway, server});
  CHECK(fires(504) == Fired{gateway, server});
  CHECK(fires(505) == Fired{server});
  CHECK(fires(599) == Fired{server});
  CHECK(fires(600) == Fired{});
}
