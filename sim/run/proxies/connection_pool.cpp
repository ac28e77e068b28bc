#include "sim/run/proxies/connection_pool.hpp"

#include <algorithm>

namespace spillway::run {

using health::Resource;

bool ConnectionPool::needed(const config::CircuitBreakers& limits) noexcept {
  return !limits.per_host_thresholds.empty() ||
         std::any_of(limits.thresholds.begin(), limits.thresholds.end(), [](const auto& thresholds) {
           return thresholds.max_connections || thresholds.max_pending_requests;
         });
}

bool ConnectionPool::take(Host& host, config::HostIndex index, health::CircuitBreaker& breaker) {
  if (host.busy == host.open) {
    // A worker that has none to this host may always open one.
    if (host.open > 0 && !breaker.can_connect(open_[index.value])) {
      return false;
    }
    ++host.open;
    ++open_[index.value];
    breaker.increase(Resource::connections);
  }
  ++host.busy;
  return true;
}

ConnectionPool::Start ConnectionPool::request(std::uint32_t worker, config::HostIndex index, std::uint32_t slot,
                                              health::CircuitBreaker& breaker) {
  Host& host = at(worker, index);
  if (host.busy < host.open) {
    ++host.busy;
    return Start::now;
  }
  // Who needs a new connection is pending for a moment, even if it opens at once.
  if (!breaker.can_create(Resource::pending_requests)) {
    return Start::overflow;
  }
  if (take(host, index, breaker)) {
    return Start::now;
  }
  breaker.increase(Resource::pending_requests);
  host.waiting.push_back(slot);
  return Start::waits;
}

std::optional<std::uint32_t> ConnectionPool::release(std::uint32_t worker, config::HostIndex index, bool broken,
                                                     health::CircuitBreaker& breaker) {
  Host& host = at(worker, index);
  --host.busy;
  if (broken) {
    --host.open;
    --open_[index.value];
    breaker.decrease(Resource::connections);
  }
  if (host.waiting.empty() || !take(host, index, breaker)) {
    return std::nullopt;
  }
  const std::uint32_t slot = host.waiting.front();
  host.waiting.pop_front();
  breaker.decrease(Resource::pending_requests);
  return slot;
}

void ConnectionPool::give_up(std::uint32_t worker, config::HostIndex index, std::uint32_t slot,
                             health::CircuitBreaker& breaker) {
  Host& host = at(worker, index);
  host.waiting.erase(std::find(host.waiting.begin(), host.waiting.end(), slot));
  breaker.decrease(Resource::pending_requests);
}

}  // namespace spillway::run
