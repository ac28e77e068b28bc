// A worker of a client's proxy, with its balancer for one service.
//
// A proxy has as many workers as Envoy's --concurrency says. Each picks by a balancer of its own, with its own cursors,
// schedules and random numbers. They share everything else (proxy.hpp).
#pragma once

#include <chrono>

#include "models/envoy/load_balancer.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/forward.hpp"

namespace spillway::run {

// The proxies have been up for long before the run begins: this long, for their balancers and checks.
inline constexpr std::chrono::nanoseconds long_before = -std::chrono::hours{24 * 365};

// A worker of a proxy. Its first two cache lines are what a pick needs.
struct alignas(64) Worker {
  Worker(const BalancingState& first_state, const engine::RandomStream& stream)
      : draws(stream), balancer(first_state, draws, {.now = long_before, .settled = true}) {}

  engine::RandomStream draws;
  envoy::LoadBalancer balancer;
};

}  // namespace spillway::run
