// Functions by which hash policies (ring hash, maglev) use priorities and localities. Each policy builds its own
// tables.
//
// These policies choose the priority with the request's hash from the cluster's own loads; a retry priority or an
// aggregate's choice does not affect them. Only the number of the chosen priority counts, not whether it was chosen for
// healthy or degraded hosts. Degraded hosts are therefore picked only in panic. fail_traffic_on_panic is ignored.
//
// Source: docs/behaviour/envoy-before-pick.md 5; Envoy's thread_aware_lb_impl.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/host_set.hpp"
#include "models/envoy/priority_load.hpp"

namespace spillway::envoy {

// Returns the priority for a request hash.
[[nodiscard]] inline config::Priority hash_priority(std::uint64_t hash, const HealthyAndDegradedLoad& load) noexcept {
  return choose_priority(hash, load).priority;
}

// Returns the hosts that a priority's table is built from.
[[nodiscard]] inline const HostList& hash_hosts(const HostSet& set, bool in_panic) noexcept {
  return in_panic ? set.all : set.healthy;
}

// Returns weight / sum for each host, in order.
[[nodiscard]] std::vector<double> normalized_weights(std::span<const std::uint32_t> host_weights);

struct LocalityHostWeights {
  std::uint32_t weight = 0;  // of the locality; localities with 0 are left out
  std::vector<std::uint32_t> host_weights;
};

// Returns weight * (locality / all localities) / locality's hosts, in order. Uses raw locality weights, adjusted by
// neither overprovisioning nor availability. A locality without hosts loses its share, so the result may sum to less
// than 1.
[[nodiscard]] std::vector<double> normalized_weights(std::span<const LocalityHostWeights> localities);

struct NormalizedHost {
  config::HostIndex host;
  double weight = 0.0;
};

// Returns the weights of one priority's table, in the order in which Envoy builds it. Linear.
[[nodiscard]] std::vector<NormalizedHost> normalized_hosts(const HostSet& set, std::span<const Host> hosts,
                                                           bool in_panic, bool locality_weighted);

}  // namespace spillway::envoy
