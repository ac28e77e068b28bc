#include "models/health/active_check.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "tests/support/draws.hpp"

using namespace std::chrono_literals;
using spillway::config::HealthCheck;
using spillway::config::HttpHealthCheck;
using spillway::envoy::HostFlag;
using spillway::envoy::HostFlags;
using spillway::health::CheckFailure;
using spillway::health::CheckResult;
using spillway::health::HostChecks;
using spillway::health::interval_with_jitter;
using spillway::health::never;
using spillway::health::new_host_flags;
using spillway::health::Transition;
using spillway::support::Script;

namespace {

constexpr CheckResult passed{};
constexpr CheckResult wrong_answer{.failure = CheckFailure::active};
constexpr CheckResult timed_out{.failure = CheckFailure::network_timeout};

HealthCheck check(std::uint32_t unhealthy_threshold, std::uint32_t healthy_threshold, const char* name = "") {
  return {.name = name,
          .timeout = 1s,
          .interval = 1s,
          .unhealthy_threshold = unhealthy_threshold,
          .healthy_threshold = healthy_threshold,
          .health_checker = HttpHealthCheck{.path = "/"}};
}

// Configurations outlive the checks that are made of them.
HostChecks checks_of(const HealthCheck& config, HostFlags flags) {
  static std::deque<HealthCheck> kept;
  return HostChecks(std::span(&kept.emplace_back(config), 1), flags);
}

bool failed(const HostChecks& checks) {
  return checks.flags().has(HostFlag::failed_active_hc);
}

}  // namespace

TEST_CASE("a first success makes a new host healthy whatever the threshold") {
  HostChecks checks = checks_of(check(2, 3), new_host_flags(false));
  REQUIRE(failed(checks));
  CHECK(checks.finish(0, passed, 5s).transition == Transition::changed);
  CHECK_FALSE(failed(checks));
  CHECK(checks.last_hc_pass() == 5s);
}

TEST_CASE("after a failure the healthy threshold counts") {
  HostChecks checks = checks_of(check(2, 2), new_host_flags(false));
  CHECK(checks.finish(0, wrong_answer, 0s).transition == Transition::unchanged);
  CHECK(checks.last_hc_pass() == never);
  CHECK(checks.finish(0, passed, 1s).transition == Transition::change_pending);
  CHECK(checks.finish(0, passed, 2s).transition == Transition::changed);
  CHECK(checks.last_hc_pass() == 2s);
  CHECK(checks.finish(0, passed, 3s).transition == Transition::unchanged);
  CHECK(checks.last_hc_pass() == 2s);
}

TEST_CASE("a wrong answer fails a host at once, silence only after the unhealthy threshold") {
  HostChecks checks = checks_of(check(2, 1), {});
  CHECK(checks.finish(0, timed_out, 0s).transition == Transition::change_pending);
  CHECK(checks.finish(0, timed_out, 0s).transition == Transition::changed);
  CHECK(checks.flags().has(HostFlag::active_hc_timeout));
  CHECK(checks.finish(0, wrong_answer, 0s).transition == Transition::unchanged);
  CHECK_FALSE(checks.flags().has(HostFlag::active_hc_timeout));
  HostChecks other = checks_of(check(2, 1), {});
  CHECK(other.finish(0, wrong_answer, 0s).transition == Transition::changed);
}

TEST_CASE("a success in between forgets the failures") {
  HostChecks checks = checks_of(check(2, 1), {});
  CHECK(checks.finish(0, timed_out, 0s).transition == Transition::change_pending);
  CHECK(checks.finish(0, passed, 0s).transition == Transition::unchanged);
  CHECK(checks.finish(0, timed_out, 0s).transition == Transition::change_pending);
}

TEST_CASE("the first result ends the exclusion of a host that waited for it, even a failure") {
  HostChecks checks = checks_of(check(2, 2), new_host_flags(true));
  CHECK(checks.finish(0, wrong_answer, 0s).transition == Transition::changed);
  CHECK(failed(checks));
  CHECK_FALSE(checks.flags().has(HostFlag::pending_active_hc));
}

TEST_CASE("a degraded answer passes and degrades, a plain one ends that") {
  HostChecks checks = checks_of(check(2, 2), {});
  CHECK(checks.finish(0, {.degraded = true}, 0s).transition == Transition::changed);
  CHECK(checks.flags().has(HostFlag::degraded_active_hc));
  CHECK(checks.finish(0, {.degraded = true}, 0s).transition == Transition::unchanged);
  CHECK(checks.finish(0, passed, 0s).transition == Transition::changed);
  CHECK(checks.flags() == HostFlags{});
}

TEST_CASE("an immediate failure excludes the host until it passes again") {
  HostChecks checks = checks_of(check(3, 1), {});
  CHECK(checks.fail_immediately(0s).transition == Transition::changed);
  CHECK(failed(checks));
  CHECK(checks.flags().has(HostFlag::excluded_via_immediate_hc_fail));
  CHECK(checks.finish(0, passed, 1s).transition == Transition::changed);
  CHECK(checks.flags() == HostFlags{});
}

TEST_CASE("of several checks any that fails fails the host, once all have reported") {
  const std::array configs = {check(1, 1, "a"), check(1, 1, "b")};
  HostChecks checks(configs, new_host_flags(false));
  CHECK(checks.finish(0, passed, 0s).transition == Transition::unchanged);
  CHECK(failed(checks));
  CHECK_FALSE(checks.initialized());
  CHECK(checks.finish(1, passed, 0s).transition == Transition::changed);
  CHECK_FALSE(failed(checks));
  CHECK(checks.initialized());
  const auto step = checks.finish(1, wrong_answer, 1s);
  CHECK(step.transition == Transition::changed);
  CHECK(failed(checks));
  CHECK(checks.finish(0, wrong_answer, 2s).transition == Transition::unchanged);
  CHECK(checks.finish(1, passed, 3s).transition == Transition::unchanged);
  CHECK(checks.finish(0, passed, 4s).transition == Transition::changed);
  CHECK_FALSE(failed(checks));
}

TEST_CASE("the next check comes after the interval that the host's state asks for") {
  HealthCheck config = check(3, 3);
  config.unhealthy_interval = 2s;
  config.unhealthy_edge_interval = 3s;
  config.healthy_edge_interval = 4s;
  config.no_traffic_interval = 5s;
  config.no_traffic_healthy_interval = 6s;
  HostChecks checks = checks_of(config, {});
  Script draws({});
  const auto after = [&](const CheckResult& result, bool traffic) {
    return checks.next_delay(0, checks.finish(0, result, 0s), traffic, draws);
  };
  CHECK(after(passed, false) == 6s);
  CHECK(after(passed, true) == 1s);
  CHECK(after(timed_out, true) == 3s);
  CHECK(after(timed_out, false) == 5s);
  CHECK(after(timed_out, true) == 2s);
  CHECK(after(passed, true) == 4s);
  CHECK(draws.used() == 0);
}

TEST_CASE("jitter adds part of a percentage first and then up to a time") {
  Script draws({999, 999});
  CHECK(interval_with_jitter(1000ms, 40, 100ms, {}, draws) == 1000ms + 199ms + 99ms);
  CHECK(draws.used() == 2);
  CHECK(interval_with_jitter(0ms, 40, 0ms, {}, draws) == 1ms);
  CHECK(interval_with_jitter(1000ms, 0, 0ms, {.min_interval = 2000}, draws) == 2000ms);
  CHECK(interval_with_jitter(1000ms, 0, 0ms, {.max_interval = 10}, draws) == 10ms);
}

TEST_CASE("the first check comes at once, or after the initial jitter") {
  HealthCheck config = check(1, 1);
  Script draws({12345, 5000});
  CHECK(checks_of(config, {}).first_delay(0, draws) == 0ms);
  CHECK(draws.used() == 0);
  config.initial_jitter = 5s;
  CHECK(checks_of(config, {}).first_delay(0, draws) == 2345ms);
  CHECK(checks_of(config, {}).first_delay(0, draws) == 1ms);
}

TEST_CASE("a check passes again only where nothing comes of it") {
  HostChecks fresh = checks_of(check(2, 1), {});
  CHECK_FALSE(fresh.pass_again());  // a first result
  (void)fresh.finish(0, passed, 1s);
  (void)fresh.finish(0, timed_out, 2s);
  CHECK(fresh.failures(0) == 1);
  CHECK(fresh.pass_again());
  CHECK(fresh.failures(0) == 0);

  (void)fresh.finish(0, wrong_answer, 3s);
  CHECK_FALSE(fresh.pass_again());  // the host comes back
  CHECK(failed(fresh));

  HostChecks degraded = checks_of(check(2, 1), {});
  (void)degraded.finish(0, {.degraded = true}, 1s);
  CHECK_FALSE(degraded.pass_again());

  const std::array configs = {check(2, 1), check(2, 1)};
  HostChecks several(configs, {});
  (void)several.finish(0, passed, 1s);
  (void)several.finish(1, passed, 1s);
  CHECK_FALSE(several.pass_again());
  CHECK_FALSE(HostChecks({}, {}).pass_again());
}

TEST_CASE("the delay of a check that passes is known where no jitter is drawn") {
  HealthCheck config = check(2, 1);
  config.interval = 7s;
  config.no_traffic_interval = 60s;
  CHECK(spillway::health::fixed_delay_of_pass(config, true) == 7s);
  CHECK(spillway::health::fixed_delay_of_pass(config, false) == 60s);
  config.interval_jitter = 999us;  // no whole millisecond
  CHECK(spillway::health::fixed_delay_of_pass(config, true) == 7s);
  config.interval_jitter = 1ms;
  CHECK_FALSE(spillway::health::fixed_delay_of_pass(config, true));
  config.interval_jitter = 0ms;
  config.interval_jitter_percent = 1;
  CHECK_FALSE(spillway::health::fixed_delay_of_pass(config, true));
}
