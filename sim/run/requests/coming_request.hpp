// A future request, as far as it is determined in advance.
#pragma once

#include <cstdint>
#include <optional>

#include "models/envoy/only_list.hpp"
#include "sim/engine/random_stream.hpp"

namespace spillway::run {

struct Demand;    // traffic.hpp
struct LaneHost;  // fast_lane.hpp

struct alignas(128) ComingRequest {
  using Pair = envoy::NextPair<engine::RandomStream>;
  std::uint64_t number = 0;  // of the arrival; another number if nothing is known
  const Demand* demand = nullptr;
  const LaneHost* lane = nullptr;  // as in its DemandPlan
  std::uint32_t proxy = 0;
  std::uint32_t worker = 0;
  // Valid if, when the request comes, the worker has made no more draws and its balancer's update count is `updates`.
  std::optional<Pair> pair = {};
  std::uint64_t updates = 0;
  std::uint32_t likely = 0;  // the host that a pick now would choose, and so the probable one

  // True if the pair is the worker's next one.
  template <class Worker>
  [[nodiscard, gnu::always_inline]] bool holds(const Worker& of) const noexcept {
    constexpr std::uint64_t of_pair = 3;
    return pair && of.balancer.updates() == updates && of.draws.draws() + of_pair == pair->after.draws();
  }
};

}  // namespace spillway::run
