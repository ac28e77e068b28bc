// The circuit breaker of one proxy for one cluster: counts and limits of connections, pending requests, active requests
// and retries. There is one per routing priority; all workers of the proxy share its counters.
//
//   CircuitBreaker breaker(config, config::RoutingPriority::default_priority);
//   if (breaker.can_create(Resource::requests)) {
//     breaker.increase(Resource::requests);     // and decrease() when the request is over
//   } else {
//     // 503 with x-envoy-overloaded, and never a retry
//   }
//
// All operations are O(1). Source: docs/behaviour/envoy-host-pick.md 19; Envoy's resource_manager_impl.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/config/circuit_breakers.hpp"
#include "models/health/detection.hpp"

namespace spillway::health {

inline constexpr double default_budget_percent = 20.0;
inline constexpr std::uint32_t default_min_retry_concurrency = 3;

// Returns how many concurrent retries a budget allows. The attempt whose retry is decided is still one of the active or
// pending requests.
[[nodiscard]] std::uint64_t max_retries_of_budget(const config::RetryBudget& budget, std::uint64_t active_requests,
                                                  std::uint64_t pending_requests) noexcept;

// Returns the field whose limit of 0 rejects every request of this priority; empty if some requests get through.
[[nodiscard]] std::string_view limit_that_shuts(const config::CircuitBreakers& config,
                                                config::RoutingPriority priority) noexcept;

class alignas(64) CircuitBreaker {
 public:
  CircuitBreaker(const config::CircuitBreakers& config, config::RoutingPriority priority);

  [[nodiscard]] bool can_create(Resource resource) const noexcept { return count(resource) < max(resource); }
  void increase(Resource resource) noexcept { ++counts_[index(resource)]; }
  void decrease(Resource resource) noexcept { --counts_[index(resource)]; }

  [[nodiscard]] std::uint64_t count(Resource resource) const noexcept { return counts_[index(resource)]; }
  [[nodiscard]] std::uint64_t max(Resource resource) const noexcept {
    return resource == Resource::retries && budgeted_ ? max_of_budget() : limits_[index(resource)];
  }

  // True if retries are limited to a percentage of the requests in flight, not to a number.
  [[nodiscard]] bool has_retry_budget() const noexcept { return budgeted_; }

  // True if another connection may be opened to a host that has this many from the proxy. The first is always allowed,
  // so that connections to other hosts cannot block a host.
  [[nodiscard]] bool can_connect(std::uint64_t connections_of_host) const noexcept {
    return connections_of_host == 0 ||
           (connections_of_host < max_connections_per_host_ && can_create(Resource::connections));
  }

 private:
  [[nodiscard]] std::uint64_t max_of_budget() const noexcept;

  static constexpr std::size_t resources = 5;
  static constexpr std::size_t index(Resource resource) noexcept { return static_cast<std::size_t>(resource); }

  // 32 bits like Envoy's fields; a request touches one cache line.
  std::array<std::uint32_t, resources> limits_;
  std::array<std::uint32_t, resources> counts_{};
  std::uint32_t max_connections_per_host_;
  bool budgeted_ = false;
  double budget_percent_ = default_budget_percent;
  std::uint32_t min_retry_concurrency_ = default_min_retry_concurrency;
};

}  // namespace spillway::health
