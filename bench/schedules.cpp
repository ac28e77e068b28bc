// What a weighted schedule costs to pick from and to build. Goal: 100 ns a pick among 1,000 hosts.
#include <benchmark/benchmark.h>
#include <vector>

#include "models/envoy/edf_scheduler.hpp"

namespace spillway::bench {

namespace {

std::vector<double> weights(std::int64_t hosts) {
  std::vector<double> result;
  for (std::int64_t host = 0; host < hosts; ++host) {
    result.push_back(static_cast<double>(1 + host % 10));
  }
  return result;
}

void edf_pick(benchmark::State& state) {
  const std::vector<double> own = weights(state.range(0));
  auto schedule = envoy::EdfScheduler::seeded(own, 12345);
  for (auto _ : state) {
    benchmark::DoNotOptimize(schedule.pick(own));
  }
}
BENCHMARK(edf_pick)->ArgName("hosts")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

void edf_build(benchmark::State& state) {
  const std::vector<double> own = weights(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::EdfScheduler::seeded(own, 12345));
  }
}
BENCHMARK(edf_build)->ArgName("hosts")->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace spillway::bench
