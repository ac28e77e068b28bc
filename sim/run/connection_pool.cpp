#include "sim/run/connection_pool.hpp"

#include <algorithm>

namespace spillway::run {

using health::Resource;

bool ConnectionPool::needed(const config::CircuitBreakers& limits) noexcept {
  return !limits.per_host_thresholds.empty() ||
         std::any_of(limits.thresholds.begin(), limits.thresholds.end(), [](const auto& thresholds) {
           return thresholds.max_connections || thresholds.max_pending_requests;
         });
}

bool ConnectionPool::take(Host& host, health::CircuitBreaker& breaker) {
  if (host.busy == host.open) {
    if (!breaker.can_connect(host.open)) {
      return false;
    }
    ++host.open;
    breaker.increase(Resource::connections);
  }
  ++host.busy;
  return true;
}

ConnectionPool::Start ConnectionPool::request(config::HostIndex index, std::uint32_t slot,
                                              health::CircuitBreaker& breaker) {
  Host& host = hosts_[index.value];
  if (host.busy < host.open) {
    ++host.busy;
    return Start::now;
  }
  // Who needs a new connection is pending for a moment, even if it opens at once.
  if (!breaker.can_create(Resource::pending_requests)) {
    return Start::overflow;
  }
  if (take(host, breaker)) {
    return Start::now;
  }
  breaker.increase(Resource::pending_requests);
  host.waiting.push_back(slot);
  return Start::waits;
}

std::optional<std::uint32_t> ConnectionPool::release(config::HostIndex index, bool broken,
                                                     health::CircuitBreaker& breaker) {
  Host& host = hosts_[index.value];
  --host.busy;
  if (broken) {
    --host.open;
    breaker.decrease(Resource::connections);
  }
  if (host.waiting.empty() || !take(host, breaker)) {
    return std::nullopt;
  }
  const std::uint32_t slot = host.waiting.front();
  host.waiting.pop_front();
  breaker.decrease(Resource::pending_requests);
  return slot;
}

void ConnectionPool::give_up(config::HostIndex index, std::uint32_t slot, health::CircuitBreaker& breaker) {
  Host& host = hosts_[index.value];
  host.waiting.erase(std::find(host.waiting.begin(), host.waiting.end(), slot));
  breaker.decrease(Resource::pending_requests);
}

}  // namespace spillway::run
