// What one proxy has of one cluster at once, and how much more it may have: connections, pending and active requests,
// retries. One for each routing priority; its counters are the proxy's, whatever the number of its workers.
//
//   CircuitBreaker breaker(config, config::RoutingPriority::default_priority);
//   if (breaker.can_create(Resource::requests)) {
//     breaker.increase(Resource::requests);     // and decrease() when the request is over
//   } else {
//     // 503 with x-envoy-overloaded, and never a retry
//   }
//
// All constant time. Source: docs/behaviour/envoy-host-pick.md 19; Envoy's resource_manager_impl.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/config/circuit_breakers.hpp"
#include "models/health/resource.hpp"

namespace spillway::health {

inline constexpr double default_budget_percent = 20.0;
inline constexpr std::uint32_t default_min_retry_concurrency = 3;

// Returns how many concurrent retries a budget allows. The attempt whose retry is decided is still one of the active or
// pending requests.
[[nodiscard]] std::uint64_t max_retries_of_budget(const config::RetryBudget& budget, std::uint64_t active_requests,
                                                  std::uint64_t pending_requests) noexcept;

// The field by which every request of this priority overflows: a limit of 0. Empty if some get through.
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

  // Whether retries are limited by a part of the requests in flight, and not by a number.
  [[nodiscard]] bool has_retry_budget() const noexcept { return budgeted_; }

  // Whether a connection may be opened to a host that has so many from this proxy. The first one always may, so that
  // nobody waits for a host that other hosts' connections shut out.
  [[nodiscard]] bool can_connect(std::uint64_t connections_of_host) const noexcept {
    return connections_of_host == 0 ||
           (connections_of_host < max_connections_per_host_ && can_create(Resource::connections));
  }

 private:
  [[nodiscard]] std::uint64_t max_of_budget() const noexcept;

  static constexpr std::size_t resources = 5;
  static constexpr std::size_t index(Resource resource) noexcept { return static_cast<std::size_t>(resource); }

  // As many as Envoy's fields hold; a request looks at one cache line.
  std::array<std::uint32_t, resources> limits_;
  std::array<std::uint32_t, resources> counts_{};
  std::uint32_t max_connections_per_host_;
  bool budgeted_ = false;
  double budget_percent_ = default_budget_percent;
  std::uint32_t min_retry_concurrency_ = default_min_retry_concurrency;
};

}  // namespace spillway::health
