// What tables cost to build and picks cost to make.
//
// Goals: a Maglev table of 65,537 slots over 500 hosts in 2.5 ms, a weighted pick among 1,000 hosts in 100 ns, and a
// subset lookup whose cost does not follow the number of subsets.
#include <benchmark/benchmark.h>
#include <cstdint>
#include <string>
#include <vector>

#include "models/envoy/edf_scheduler.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/load_balancer.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"
#include "models/envoy/policies/subset/subset.hpp"

namespace {

using namespace spillway;

std::vector<config::LbEndpoint> endpoints(std::size_t count) {
  std::vector<config::LbEndpoint> result;
  for (std::size_t host = 0; host < count; ++host) {
    result.push_back({.address = "10.0." + std::to_string(host / 250) + "." + std::to_string(host % 250) + ":8080"});
  }
  return result;
}

std::vector<envoy::NormalizedHost> equal_hosts(std::size_t count) {
  std::vector<envoy::NormalizedHost> result;
  for (std::uint32_t host = 0; host < count; ++host) {
    result.push_back({{host}, 1.0 / static_cast<double>(count)});
  }
  return result;
}

void maglev_build(benchmark::State& state) {
  const auto hosts = equal_hosts(static_cast<std::size_t>(state.range(0)));
  const auto names = endpoints(hosts.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::policies::maglev::Table({}, {hosts, names}));
  }
}
BENCHMARK(maglev_build)->Arg(10)->Arg(500)->Unit(benchmark::kMillisecond);

void ring_hash_build(benchmark::State& state) {
  const auto hosts = equal_hosts(static_cast<std::size_t>(state.range(0)));
  const auto names = endpoints(hosts.size());
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::policies::ring_hash::Ring({.minimum_ring_size = 65536}, {hosts, names}));
  }
}
BENCHMARK(ring_hash_build)->Arg(500)->Unit(benchmark::kMillisecond);

void weighted_pick(benchmark::State& state) {
  std::vector<double> weights;
  for (std::int64_t host = 0; host < state.range(0); ++host) {
    weights.push_back(static_cast<double>(1 + host % 10));
  }
  auto schedule = envoy::EdfScheduler::seeded(weights, 12345);
  for (auto _ : state) {
    benchmark::DoNotOptimize(schedule.pick(weights));
  }
}
BENCHMARK(weighted_pick)->Arg(10)->Arg(1000);

// Every host has a value of its own for each key, so that there are as many subsets as hosts.
void subset_lookup(benchmark::State& state) {
  const auto criteria = static_cast<std::size_t>(state.range(0));
  const auto subsets = static_cast<std::size_t>(state.range(1));
  envoy::policies::subset::Config config;
  auto& selector = config.subset_selectors.emplace_back();
  for (std::size_t key = 0; key < criteria; ++key) {
    selector.keys.push_back("key" + std::to_string(key));
  }
  config::ClusterLoadAssignment assignment;
  assignment.endpoints.resize(1);
  for (config::LbEndpoint& endpoint : assignment.endpoints.front().lb_endpoints = endpoints(subsets)) {
    for (const std::string& key : selector.keys) {
      endpoint.metadata.set(key, endpoint.address);
    }
  }
  const auto hosts = envoy::make_priority_set(assignment, {});
  const envoy::policies::subset::Selectors selectors(config);
  const envoy::policies::subset::Directory directory(config, selectors, hosts);
  const config::Struct& asked = assignment.endpoints.front().lb_endpoints[subsets / 2].metadata;
  for (auto _ : state) {
    benchmark::DoNotOptimize(directory.find({&asked}));
  }
}
BENCHMARK(subset_lookup)->ArgsProduct({{1, 2, 4, 8}, {10, 1000, 20000}})->ArgNames({"criteria", "subsets"});

}  // namespace
