// What it costs to find the subset of a request: it must grow with the criteria and not with the number of subsets.
#include <benchmark/benchmark.h>
#include <string>
#include <vector>

#include "bench/clusters.hpp"
#include "models/envoy/policies/subset/subset.hpp"

namespace spillway::bench {

namespace {

// Every host has a value of its own for each key, so that there are as many subsets as hosts.
struct SubsetCluster {
  SubsetCluster(std::size_t criteria, std::size_t subsets) : hosts(assignment(subsets)) {
    auto& selector = config.subset_selectors.emplace_back();
    for (std::size_t key = 0; key < criteria; ++key) {
      selector.keys.push_back("key" + std::to_string(key));
    }
    for (config::LbEndpoint& endpoint : hosts.endpoints.front().lb_endpoints) {
      for (const std::string& key : selector.keys) {
        endpoint.metadata.set(key, endpoint.address);
      }
    }
  }

  config::ClusterLoadAssignment hosts;
  envoy::policies::subset::Config config;
};

// Ten routes ask in turn, as a configuration has few routes however many subsets there are.
void subset_lookup(benchmark::State& state) {
  const auto subsets = static_cast<std::size_t>(state.range(1));
  const SubsetCluster cluster(static_cast<std::size_t>(state.range(0)), subsets);
  const envoy::policies::subset::Selectors selectors(cluster.config);
  const envoy::policies::subset::Directory directory(cluster.config, selectors,
                                                     envoy::make_priority_set(cluster.hosts, {}));
  constexpr std::size_t routes = 10;
  std::vector<config::Struct> asked;
  for (std::size_t route = 0; route < routes; ++route) {
    asked.push_back(cluster.hosts.endpoints.front().lb_endpoints[route * subsets / routes].metadata);
  }
  std::size_t route = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(directory.find({&asked[route]}));
    route = route + 1 == routes ? 0 : route + 1;
  }
}
BENCHMARK(subset_lookup)->ArgsProduct({{1, 2, 4, 8}, {10, 100, 1000, 10000}})->ArgNames({"criteria", "subsets"});

void subset_build(benchmark::State& state) {
  const SubsetCluster cluster(2, static_cast<std::size_t>(state.range(0)));
  const envoy::policies::subset::Selectors selectors(cluster.config);
  const auto hosts = envoy::make_priority_set(cluster.hosts, {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(envoy::policies::subset::Directory(cluster.config, selectors, hosts));
  }
}
BENCHMARK(subset_build)->ArgName("subsets")->Arg(1000)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace spillway::bench
