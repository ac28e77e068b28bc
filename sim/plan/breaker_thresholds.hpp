// Changes the circuit breakers of a whole scenario.
//
//   set_thresholds(scenario, [](auto& of) { of.max_requests = 100; });
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::plan {

// Envoy's limit of the requests in flight from a proxy to a cluster, if none is written.
inline constexpr std::uint32_t default_max_requests = 1024;

// Calls `set` with the thresholds of each service's circuit breakers, at least one per service.
template <class Set>
void set_thresholds(scenario::Scenario& changed, const Set& set) {
  for (std::size_t index = 0; index < changed.services.size(); ++index) {
    auto& thresholds = changed.services[index].cluster.circuit_breakers.thresholds;
    if (thresholds.empty()) {
      thresholds.emplace_back();
    }
    for (config::CircuitBreakerThresholds& of : thresholds) {
      set(of);
    }
  }
}

}  // namespace spillway::plan
