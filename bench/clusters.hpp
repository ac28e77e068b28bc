// The clusters that benchmarks measure with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/hash_table_input.hpp"

namespace spillway::bench {

// SplitMix64: cheap, so that a measured pick is the policy's and not the generator's.
class Draws {
 public:
  std::uint64_t operator()() noexcept {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31U);
  }

 private:
  std::uint64_t state_ = 1;
};

enum class Weights : std::uint8_t { equal, different };

inline std::string address(std::size_t host) {
  return "10.0." + std::to_string(host / 250) + "." + std::to_string(host % 250) + ":8080";
}

// One priority of `hosts` healthy endpoints, spread over `localities`; different weights are 1 to 10.
inline config::ClusterLoadAssignment assignment(std::size_t hosts, Weights weights = Weights::equal,
                                                std::size_t localities = 1) {
  config::ClusterLoadAssignment result;
  result.endpoints.resize(localities);
  for (std::size_t locality = 0; locality < localities; ++locality) {
    result.endpoints[locality].locality.zone = "zone-" + std::to_string(locality);
    result.endpoints[locality].load_balancing_weight = static_cast<std::uint32_t>(locality + 1);
  }
  for (std::size_t host = 0; host < hosts; ++host) {
    config::LbEndpoint& endpoint = result.endpoints[host % localities].lb_endpoints.emplace_back();
    endpoint.address = address(host);
    endpoint.load_balancing_weight = weights == Weights::equal ? 1 : static_cast<std::uint32_t>(1 + host % 10);
  }
  return result;
}

inline std::shared_ptr<const envoy::ClusterState> state_of(envoy::policies::Config policy,
                                                           const config::ClusterLoadAssignment& assignment) {
  envoy::Cluster cluster;
  cluster.lb_policy = std::move(policy);
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(assignment, {}), {});
}

// What a hash table is built from: hosts of the same share each, and their names.
struct HashHosts {
  explicit HashHosts(std::size_t count) : names(assignment(count).endpoints.front().lb_endpoints) {
    for (std::uint32_t host = 0; host < count; ++host) {
      hosts.push_back({{host}, 1.0 / static_cast<double>(count)});
    }
  }

  [[nodiscard]] envoy::policies::HashTableInput input() const { return {hosts, names}; }

  std::vector<config::LbEndpoint> names;
  std::vector<envoy::NormalizedHost> hosts;
};

}  // namespace spillway::bench
