// What a change of a cluster costs: listing 1,000 hosts anew, the state that follows, and its exact shares.
#include <benchmark/benchmark.h>

#include "bench/clusters.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"

namespace spillway::bench {

namespace {

namespace policies = envoy::policies;

constexpr std::size_t host_count = 1000;

void list_hosts(benchmark::State& state) {
  const auto hosts = assignment(host_count, Weights::equal, 10);
  const auto names = envoy::flat_endpoints(hosts);
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::make_priority_set(hosts, {.endpoints = names}));
  }
}
BENCHMARK(list_hosts)->Unit(benchmark::kMicrosecond);

// One host fails and comes back, in turn.
void refresh(benchmark::State& state, const policies::Config& policy) {
  auto hosts = assignment(host_count, Weights::equal, 10);
  const auto names = envoy::flat_endpoints(hosts);
  const auto well = envoy::make_priority_set(hosts, {.endpoints = names});
  hosts.endpoints.front().lb_endpoints.front().health_status = config::HealthStatus::unhealthy;
  const auto failed = envoy::make_priority_set(hosts, {.endpoints = names});
  envoy::Cluster cluster;
  cluster.lb_policy = policy;
  auto current = envoy::refresh(cluster, nullptr, well, {});
  bool now_well = true;
  for (auto _ : state) {
    now_well = !now_well;
    current = envoy::refresh(cluster, current.get(), now_well ? well : failed, {});
  }
}
BENCHMARK_CAPTURE(refresh, round_robin, policies::round_robin::Config{})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(refresh, ring_hash, policies::ring_hash::Config{})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(refresh, maglev, policies::maglev::Config{})->Unit(benchmark::kMicrosecond);

// What a client adds to that: its schedules start anew.
void balancer_update(benchmark::State& state) {
  auto hosts = assignment(host_count, Weights::different);
  const auto well = state_of(policies::round_robin::Config{}, hosts);
  hosts.endpoints.front().lb_endpoints.front().health_status = config::HealthStatus::unhealthy;
  const auto failed = state_of(policies::round_robin::Config{}, hosts);
  Draws draw;
  envoy::LoadBalancer balancer(well, draw);
  bool now_well = true;
  for (auto _ : state) {
    now_well = !now_well;
    balancer.update(now_well ? well : failed, draw);
  }
}
BENCHMARK(balancer_update)->Unit(benchmark::kMicrosecond);

void exact_shares(benchmark::State& state, const policies::Config& policy, Weights weights) {
  const auto cluster = state_of(policy, assignment(host_count, weights));
  const std::vector<std::uint32_t> active(host_count, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::exact_shares(*cluster, active));
  }
}
BENCHMARK_CAPTURE(exact_shares, round_robin, policies::round_robin::Config{}, Weights::different)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exact_shares, random, policies::random::Config{}, Weights::equal)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exact_shares, least_request, policies::least_request::Config{}, Weights::equal)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exact_shares, ring_hash, policies::ring_hash::Config{}, Weights::equal)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exact_shares, maglev, policies::maglev::Config{}, Weights::equal)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace spillway::bench
