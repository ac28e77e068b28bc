#include "models/health/slow_start.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <limits>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/hosts.hpp"

using namespace std::chrono_literals;
using spillway::config::EnvoyProfile;
using spillway::config::HostIndex;
using spillway::config::SlowStartConfig;
using spillway::health::HostTimes;
using spillway::health::never;
using spillway::health::slow_start_factor;
using spillway::health::SlowStart;
using spillway::health::SlowStartHost;
namespace envoy = spillway::envoy;

namespace {

constexpr SlowStartConfig minute{.slow_start_window = 60s};

std::uint64_t zero() {
  return 0;
}

envoy::Cluster cluster_of(envoy::policies::Config policy) {
  envoy::Cluster cluster;
  cluster.lb_policy = policy;
  return cluster;
}

std::vector<std::uint32_t> picks(envoy::LoadBalancer& balancer, int count, std::chrono::nanoseconds now) {
  std::vector<std::uint32_t> hosts;
  for (int index = 0; index < count; ++index) {
    hosts.push_back(balancer.choose(zero, envoy::RequestContext{.now = now})->host.value);
  }
  return hosts;
}

}  // namespace

TEST_CASE("the factor is the elapsed part of the window, ten percent at least, and one at its end") {
  CHECK(slow_start_factor(minute, 12s) == 0.2);
  CHECK(slow_start_factor(minute, 0s) == 0.1);
  CHECK(slow_start_factor(minute, 59999ms) == 59999.0 / 60000.0);
  CHECK(slow_start_factor(minute, 60s) == 1.0);
}

TEST_CASE("an aggression bends the factor, one that makes no sense leaves it straight") {
  CHECK(slow_start_factor({.slow_start_window = 60s, .aggression = 2.0}, 26s) == 0.6582805886043833);
  CHECK(slow_start_factor({.slow_start_window = 60s, .aggression = -3.0}, 30s) == 0.5);
  CHECK(slow_start_factor({.slow_start_window = 60s, .aggression = 0.0}, 30s) == 0.5);
  CHECK(slow_start_factor({.slow_start_window = 60s, .aggression = std::numeric_limits<double>::quiet_NaN()}, 30s) ==
        0.5);
}

TEST_CASE("a balancer may be in slow start until one window after the last host started, inclusive") {
  SlowStart slow_start(0s);
  CHECK(slow_start.may_apply(minute, 60s));
  CHECK_FALSE(slow_start.may_apply(minute, 60001ms));
  const std::array hosts = {SlowStartHost::healthy};
  slow_start.refresh(minute, hosts, {.now = 100s});
  CHECK(slow_start.may_apply(minute, 160s));
  CHECK_FALSE(slow_start.may_apply(minute, 161s));
  CHECK_FALSE(slow_start.may_apply({}, 0s));
}

TEST_CASE("a host starts when it is first seen healthy and goes on from there") {
  SlowStart slow_start(0s);
  const std::array unhealthy = {SlowStartHost::unhealthy};
  const std::array healthy = {SlowStartHost::healthy};
  slow_start.refresh(minute, unhealthy, {.now = 1s});
  CHECK(slow_start.weight(minute, HostIndex{0}, 1.0, 1s) == 1.0);
  slow_start.refresh(minute, healthy, {.now = 10s});
  slow_start.refresh(minute, unhealthy, {.now = 11s});
  slow_start.refresh(minute, healthy, {.now = 12s});
  CHECK(slow_start.weight(minute, HostIndex{0}, 3.0, 40s) == 3.0 * 0.5);
}

TEST_CASE("a elapsed active check starts a host anew") {
  SlowStart slow_start(0s);
  const std::array healthy = {SlowStartHost::healthy};
  const std::array unchecked = {never};
  slow_start.refresh(minute, healthy, {.now = 10s, .last_hc_pass = unchecked});
  const std::array<std::chrono::nanoseconds, 1> elapsed = {100s};
  slow_start.refresh(minute, healthy, {.now = 106s, .last_hc_pass = elapsed});
  CHECK(slow_start.weight(minute, HostIndex{0}, 1.0, 106s) == 0.1);
  CHECK(slow_start.weight(minute, HostIndex{0}, 1.0, 130s) == 0.5);
}

TEST_CASE("a host that left and came back is a new host") {
  SlowStart slow_start(0s);
  const std::array listed = {SlowStartHost::healthy};
  const std::array gone = {SlowStartHost::unlisted};
  slow_start.refresh(minute, listed, {.now = 0s});
  slow_start.refresh(minute, gone, {.now = 10s});
  slow_start.refresh(minute, listed, {.now = 100s});
  CHECK(slow_start.weight(minute, HostIndex{0}, 1.0, 106s) == 0.1);
}

TEST_CASE("Envoy's SlowStartNoWait: a host that comes second to round robin gets its turns by and by") {
  // round_robin_lb_test.cc: host 0 from the start, host 1 at 62 s; updates at 74, 82 and 127 s. An update restarts the
  // schedule wherever hosts changed, which the weight of a third, unhealthy host does here.
  const envoy::Cluster cluster = cluster_of(envoy::policies::round_robin::Config{minute});
  const auto assignment = [](std::uint32_t hosts, std::uint32_t filler) {
    auto result = spillway::support::assignment({{.zone = "a", .healthy = hosts, .unhealthy = 1}}, 100000);
    result.endpoints[0].lb_endpoints.back().load_balancing_weight = filler;
    return envoy::make_priority_set(result, {});
  };
  auto state = refresh(cluster, nullptr, assignment(1, 1), {});
  envoy::LoadBalancer balancer(state, zero, HostTimes{.now = 1s});
  const auto update = [&](std::uint32_t hosts, std::uint32_t filler, std::chrono::nanoseconds now) {
    state = refresh(cluster, state.get(), assignment(hosts, filler), {});
    balancer.update(state, zero, {}, {.now = now});
  };
  update(2, 2, 62s);
  update(2, 3, 74s);
  CHECK(picks(balancer, 5, 74s) == std::vector<std::uint32_t>{0, 0, 0, 0, 1});
  update(2, 4, 82s);
  CHECK(picks(balancer, 3, 82s) == std::vector<std::uint32_t>{0, 0, 1});
  update(2, 5, 127s);
  const auto after = picks(balancer, 4, 127s);
  CHECK(std::count(after.begin(), after.end(), 0U) == 2);
}

TEST_CASE("least request counts requests in flight and slow start together") {
  envoy::policies::least_request::Config config;
  config.slow_start_config = minute;
  const envoy::Cluster cluster = cluster_of(config);
  const auto hosts = envoy::make_priority_set(spillway::support::assignment({{.zone = "a", .healthy = 2}}), {});
  const auto state = refresh(cluster, nullptr, hosts, {});
  const std::array<std::chrono::nanoseconds, 2> elapsed = {0s, 70s};
  envoy::LoadBalancer balancer(state, zero, HostTimes{.now = 100s, .last_hc_pass = elapsed});
  // Host 1 is half-way through its window: it weighs half of host 0.
  const auto chosen = picks(balancer, 6, 100s);
  CHECK(std::count(chosen.begin(), chosen.end(), 0U) == 4);
}

TEST_CASE("exact shares say that they leave slow start aside") {
  const auto hosts = envoy::make_priority_set(spillway::support::assignment({{.zone = "a", .healthy = 2}}), {});
  const auto state = refresh(cluster_of(envoy::policies::round_robin::Config{minute}), nullptr, hosts, {});
  CHECK(exact_shares(*state).basis == "no host in slow start");
}

// Release notes of Envoy 1.25: slow start counts from the first check that a host passes; before, from its creation.
TEST_CASE("before Envoy 1.25 slow start begins when a host is added, healthy or not") {
  const std::array unhealthy{SlowStartHost::unhealthy};
  const std::array healthy{SlowStartHost::healthy};
  const std::array<std::chrono::nanoseconds, 1> passed_at{40s};
  const auto weight = [&](bool from_addition) {
    SlowStart slow_start(0s);
    slow_start.refresh(minute, unhealthy, {.now = 10s, .from_addition = from_addition});
    slow_start.refresh(minute, healthy, {.now = 40s, .last_hc_pass = passed_at, .from_addition = from_addition});
    return slow_start.weight(minute, HostIndex{0}, 1.0, 46s);
  };
  CHECK(weight(true) == 0.6);   // 36 s of 60 s since it was added
  CHECK(weight(false) == 0.1);  // 6 s of 60 s since it passed
}

TEST_CASE("the last host to start keeps a balancer in slow start, wherever it stands, for one window") {
  const std::array healthy = {SlowStartHost::healthy, SlowStartHost::healthy};
  const auto applies = [&](std::array<std::chrono::nanoseconds, 2> of_hosts, std::chrono::nanoseconds now) {
    SlowStart slow_start(0s);
    slow_start.refresh(minute, healthy, {.now = 100s, .last_hc_pass = of_hosts});
    return slow_start.may_apply(minute, now);
  };
  CHECK(applies({90s, 70s}, 150s));
  CHECK(applies({70s, 90s}, 150s));
  CHECK_FALSE(applies({70s, 90s}, 150001ms));
  // A host that started a window ago is within it still, and one that did so before is not.
  CHECK(applies({40s, 40s}, 100s));
  CHECK_FALSE(applies({39999ms, 39s}, 100s));
}

TEST_CASE("a host that is not healthy, or unknown, has all of its weight") {
  SlowStart slow_start(0s);
  const std::array hosts = {SlowStartHost::healthy, SlowStartHost::unhealthy};
  slow_start.refresh(minute, hosts, {.now = 10s});
  CHECK(slow_start.weight(minute, HostIndex{0}, 2.0, 16s) == 0.2);
  CHECK(slow_start.weight(minute, HostIndex{1}, 2.0, 16s) == 2.0);
  CHECK(slow_start.weight(minute, HostIndex{2}, 2.0, 16s) == 2.0);
  // A list that is shorter has lost the others.
  slow_start.refresh(minute, std::array{SlowStartHost::healthy}, {.now = 20s});
  slow_start.refresh(minute, hosts, {.now = 30s});
  CHECK(slow_start.weight(minute, HostIndex{0}, 2.0, 40s) == 1.0);
}

TEST_CASE("hosts that are settled when a balancer takes them have their window behind them") {
  const std::array healthy = {SlowStartHost::healthy};
  SlowStart settled(0s);
  settled.refresh(minute, healthy, {.now = 100s, .settled = true});
  CHECK(settled.weight(minute, HostIndex{0}, 1.0, 100s) == 1.0);
  const std::array unhealthy = {SlowStartHost::unhealthy};
  SlowStart added(0s);
  added.refresh(minute, unhealthy, {.now = 100s, .settled = true, .from_addition = true});
  added.refresh(minute, healthy, {.now = 101s, .from_addition = true});
  CHECK(added.weight(minute, HostIndex{0}, 1.0, 101s) == 1.0);
}

TEST_CASE("slow start counts whole milliseconds, one at least") {
  const SlowStartConfig config{.slow_start_window = 1s, .min_weight_percent = {0.0}};
  CHECK(slow_start_factor(config, 0ms) == 0.001);
  CHECK(slow_start_factor(config, 1999us) == 0.001);
  CHECK(slow_start_factor(config, 2ms) == 0.002);
  CHECK(slow_start_factor(config, 999999us) == 0.999);
}
