// What one pick costs under every policy, from the draw of the priority to the host: one priority of 1,000 hosts.
#include <benchmark/benchmark.h>
#include <vector>

#include "bench/clusters.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/policies/original_dst/original_dst.hpp"

namespace spillway::bench {

namespace {

namespace policies = envoy::policies;

constexpr std::size_t host_count = 1000;

void pick_repeatedly(benchmark::State& state, const std::shared_ptr<const envoy::ClusterState>& cluster,
                     envoy::RequestContext context = {}) {
  Draws draw;
  const std::vector<std::uint32_t> active(host_count, 1);
  context.active_requests = active;
  envoy::LoadBalancer balancer(cluster, draw);
  for (auto _ : state) {
    benchmark::DoNotOptimize(balancer.choose(draw, context));
  }
}

void pick(benchmark::State& state, const policies::Config& policy, Weights weights) {
  pick_repeatedly(state, state_of(policy, assignment(host_count, weights)));
}

const policies::least_request::Config full_scan{.selection_method =
                                                    policies::least_request::SelectionMethod::full_scan};
const policies::maglev::Config bounded_maglev{.consistent_hashing_lb_config = {.hash_balance_factor = 120}};

BENCHMARK_CAPTURE(pick, round_robin, policies::round_robin::Config{}, Weights::equal);
BENCHMARK_CAPTURE(pick, round_robin_weighted, policies::round_robin::Config{}, Weights::different);
BENCHMARK_CAPTURE(pick, least_request, policies::least_request::Config{}, Weights::equal);
BENCHMARK_CAPTURE(pick, least_request_weighted, policies::least_request::Config{}, Weights::different);
BENCHMARK_CAPTURE(pick, least_request_full_scan, full_scan, Weights::equal);
BENCHMARK_CAPTURE(pick, random, policies::random::Config{}, Weights::equal);
BENCHMARK_CAPTURE(pick, ring_hash, policies::ring_hash::Config{}, Weights::equal);
BENCHMARK_CAPTURE(pick, maglev, policies::maglev::Config{}, Weights::equal);
BENCHMARK_CAPTURE(pick, maglev_bounded, bounded_maglev, Weights::equal);
BENCHMARK_CAPTURE(pick, client_side_weighted_round_robin, policies::client_side_weighted_round_robin::Config{},
                  Weights::different);

void pick_override_host(benchmark::State& state) {
  policies::override_host::Config policy;
  policy.override_host_sources = {{.header = "x-host"}};
  pick_repeatedly(state, state_of(policy, assignment(host_count)));
}
BENCHMARK(pick_override_host);

// A hundred subsets of ten hosts.
void pick_subset(benchmark::State& state) {
  policies::subset::Config policy;
  policy.subset_selectors = {{.keys = {"stage"}}};
  auto hosts = assignment(host_count);
  for (std::size_t host = 0; host < host_count; ++host) {
    hosts.endpoints.front().lb_endpoints[host].metadata.set("stage", std::to_string(host % 100));
  }
  config::Struct asked;
  asked.set("stage", "50");
  const policies::subset::Criteria criteria(asked);
  pick_repeatedly(state, state_of(policy, hosts), {.criteria = &criteria});
}
BENCHMARK(pick_subset);

void pick_locality_weighted(benchmark::State& state) {
  envoy::Cluster cluster;
  cluster.common_lb_config.locality_config_specifier = config::LocalityWeightedLbConfig{};
  const auto hosts = envoy::make_priority_set(assignment(host_count, Weights::equal, 10), {});
  pick_repeatedly(state, envoy::refresh(cluster, nullptr, hosts, {}));
}
BENCHMARK(pick_locality_weighted);

// Five callers of six zones share a cluster of six, unevenly, so that picks spill.
void pick_zone_aware(benchmark::State& state) {
  const auto own =
      envoy::make_priority_set(assignment(host_count, Weights::equal, 6), {.own_locality = {"", "zone-0", ""}});
  auto callers = assignment(7, Weights::equal, 6);
  const auto local = envoy::make_priority_set(callers, {.own_locality = {"", "zone-0", ""}});
  pick_repeatedly(state, envoy::refresh({}, nullptr, own, {.local_cluster = &local}));
}
BENCHMARK(pick_zone_aware);

void pick_original_dst(benchmark::State& state) {
  policies::original_dst::OnDemandHosts hosts;
  std::vector<std::string> addresses;
  for (std::size_t host = 0; host < host_count; ++host) {
    addresses.push_back(address(host));
    hosts.pick(addresses.back());
  }
  Draws draw;
  for (auto _ : state) {
    benchmark::DoNotOptimize(hosts.pick(addresses[draw() % host_count]));
  }
}
BENCHMARK(pick_original_dst);

}  // namespace

}  // namespace spillway::bench
