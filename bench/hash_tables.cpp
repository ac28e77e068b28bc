// What the tables of ring hash and maglev cost to build. Goal: maglev's 65,537 slots over 500 hosts in 2.5 ms.
#include <benchmark/benchmark.h>

#include "bench/clusters.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"

namespace spillway::bench {

namespace {

void maglev_build(benchmark::State& state) {
  const HashHosts hosts(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::policies::maglev::Table({}, hosts.input()));
  }
}
BENCHMARK(maglev_build)->ArgName("hosts")->Arg(10)->Arg(100)->Arg(500)->Arg(1000)->Unit(benchmark::kMillisecond);

void ring_hash_build(benchmark::State& state) {
  const HashHosts hosts(static_cast<std::size_t>(state.range(0)));
  const envoy::policies::ring_hash::Config config{.minimum_ring_size = static_cast<std::uint64_t>(state.range(1))};
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::policies::ring_hash::Ring(config, hosts.input()));
  }
}
BENCHMARK(ring_hash_build)
    ->ArgNames({"hosts", "minimum_ring_size"})
    ->Args({16, 1024})
    ->Args({500, 1024})
    ->Args({500, 65536})
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace spillway::bench
