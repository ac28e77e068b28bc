// What the parts of the request engine cost, one by one.
#include <benchmark/benchmark.h>
#include <chrono>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/fifo_server.hpp"
#include "sim/engine/latency_histogram.hpp"
#include "sim/engine/service_time.hpp"

namespace spillway::bench {

namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

// A moment leaves and another one comes, while so many are under way for 10 ms on average.
void calendar(benchmark::State& state) {
  engine::Calendar calendar;
  engine::RandomStream draws({.seed = 1});
  const engine::ServiceTime distribution(10ms, {.distribution = scenario::ServiceDistribution::exponential});
  for (std::int64_t under_way = 0; under_way < state.range(0); ++under_way) {
    calendar.push({.at = distribution(draws)});
  }
  for (auto _ : state) {
    const engine::CalendarEvent moment = calendar.pop();
    calendar.push({.at = moment.at + distribution(draws)});
  }
}
BENCHMARK(calendar)->Arg(10)->Arg(1'000)->Arg(100'000)->Arg(1'000'000);

void poisson_arrivals(benchmark::State& state) {
  engine::Arrivals arrivals(scenario::Arrivals::poisson, 1000.0, 10, engine::RandomStream({.seed = 1}));
  for (auto _ : state) {
    arrivals.advance();
    benchmark::DoNotOptimize(arrivals.next());
  }
}
BENCHMARK(poisson_arrivals);

void poisson_arrivals_in_batches(benchmark::State& state) {
  engine::Arrivals arrivals(scenario::Arrivals::poisson, 1e6, 10, engine::RandomStream({.seed = 1}));
  nanoseconds limit{0};
  std::int64_t simulated = 0;
  for (auto _ : state) {
    limit += 1ms;
    for (auto taken = arrivals.take(limit); !taken.empty(); taken = arrivals.take(limit)) {
      benchmark::DoNotOptimize(taken.data());
      simulated += static_cast<std::int64_t>(taken.size());
    }
  }
  state.SetItemsProcessed(simulated);
}
BENCHMARK(poisson_arrivals_in_batches);

void service_time(benchmark::State& state, scenario::ServiceDistribution distribution) {
  const engine::ServiceTime time(10ms, {.distribution = distribution,
                                        .coefficient_of_variation = 1.5,
                                        .measured = {{1ms, 1.0}, {2ms, 2.0}, {30ms, 1.0}}});
  engine::RandomStream draws({.seed = 1});
  for (auto _ : state) {
    benchmark::DoNotOptimize(time(draws));
  }
}
BENCHMARK_CAPTURE(service_time, exponential, scenario::ServiceDistribution::exponential);
BENCHMARK_CAPTURE(service_time, lognormal, scenario::ServiceDistribution::lognormal);
BENCHMARK_CAPTURE(service_time, gamma, scenario::ServiceDistribution::gamma);
BENCHMARK_CAPTURE(service_time, hyperexponential, scenario::ServiceDistribution::hyperexponential);
BENCHMARK_CAPTURE(service_time, empirical, scenario::ServiceDistribution::empirical);

void fifo_server(benchmark::State& state) {
  engine::FifoServer server({.cores = static_cast<std::uint32_t>(state.range(0))});
  nanoseconds now{0};
  for (auto _ : state) {
    now += 3ms;
    benchmark::DoNotOptimize(server.arrive(now, state.range(0) * 2ms));
  }
}
BENCHMARK(fifo_server)->Arg(1)->Arg(4)->Arg(64);

void latency_histogram(benchmark::State& state) {
  engine::LatencyHistogram histogram;
  engine::RandomStream draws({.seed = 1});
  const engine::ServiceTime distribution(10ms, {.distribution = scenario::ServiceDistribution::exponential});
  for (auto _ : state) {
    histogram.add(distribution(draws));
  }
}
BENCHMARK(latency_histogram);

}  // namespace

}  // namespace spillway::bench
