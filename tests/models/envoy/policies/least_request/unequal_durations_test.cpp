// What Envoy's page says of least request: two choices are nearly as good as a scan of all hosts, and better than the
// old weighted mode when requests last unequally long. Judged by the requests in flight at the busiest host.
//
// Theory: with n requests at n hosts the busiest has about log n / log log n of them if hosts are drawn at random, and
// log log n / log 2 with two choices (Mitzenmacher, The Power of Two Choices in Randomized Load Balancing).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
namespace policies = envoy::policies;

namespace {

constexpr std::uint32_t host_count = 100;

// The mean, over the requests, of how many are in flight at the busiest host. A request comes at every step; nine in
// ten last 50 steps, the tenth 500, so that about one a host is in flight.
double busiest(const policies::Config& policy, config::EnvoyProfile profile, std::uint32_t weight) {
  envoy::Cluster cluster;
  cluster.lb_policy = policy;
  auto assignment = support::assignment({{.healthy = host_count}});
  for (config::LbEndpoint& endpoint : assignment.endpoints.front().lb_endpoints) {
    endpoint.load_balancing_weight = weight;
  }
  const auto hosts = envoy::make_priority_set(assignment, {.profile = profile});
  support::Draws draw(1);
  envoy::LoadBalancer balancer(envoy::refresh(cluster, nullptr, hosts, {.profile = profile}), draw);

  constexpr std::uint64_t steps = 100'000;
  std::vector<std::uint32_t> active(host_count, 0);
  using Departure = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<Departure, std::vector<Departure>, std::greater<>> departures;
  double sum = 0.0;
  for (std::uint64_t step = 0; step < steps; ++step) {
    for (; !departures.empty() && departures.top().first <= step; departures.pop()) {
      --active[departures.top().second];
    }
    const std::uint32_t host = balancer.choose(draw, {.active_requests = active})->host.value;
    ++active[host];
    departures.emplace(step + (draw() % 10 == 0 ? 500 : 50), host);
    sum += *std::max_element(active.begin(), active.end());
  }
  return sum / static_cast<double>(steps);
}

constexpr auto current = config::EnvoyProfile::current;

double two_choices() {
  return busiest(policies::least_request::Config{}, current, 1);
}

double full_scan() {
  policies::least_request::Config config;
  config.selection_method = policies::least_request::SelectionMethod::full_scan;
  return busiest(config, current, 1);
}

}  // namespace

TEST_CASE("two choices stay within log log n of a full scan where random hosts do not") {
  const double near = std::log2(std::log(static_cast<double>(host_count)));
  const double scan = full_scan();
  const double two = two_choices();
  CHECK(scan <= two);
  CHECK(two <= scan + near);
  CHECK(busiest(policies::random::Config{}, current, 1) > scan + near);
}

TEST_CASE("the old weighted mode crowds a host that two choices would spare") {
  // Weights of 8 alone switch it on: the host that was drawn takes the next seven requests too, busy or not.
  const double reused = busiest(policies::least_request::Config{}, config::EnvoyProfile::seed, 8);
  CHECK(reused > 8.0);
  CHECK(two_choices() < reused / 2);
}
