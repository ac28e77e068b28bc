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

ConnectionPool::Start ConnectionPool::try_now(std::uint32_t worker, config::HostIndex index,
                                              health::CircuitBreaker& breaker) {
  Host& host = hosts_[place(worker, index)];
  if (host.busy < host.open) {
    ++host.busy;
    return Start::now;
  }
  // Who needs a new connection is pending for a moment, even if it opens at once.
  if (!breaker.can_create(Resource::pending_requests)) {
    return Start::overflow;
  }
  return take(host, index, breaker) ? Start::now : Start::waits;
}

ConnectionPool::Start ConnectionPool::request(std::uint32_t worker, config::HostIndex index, std::uint32_t slot,
                                              health::CircuitBreaker& breaker) {
  const Start start = try_now(worker, index, breaker);
  if (start == Start::waits) {
    breaker.increase(Resource::pending_requests);
    waiting_[place(worker, index)].push_back(slot);
  }
  return start;
}

std::optional<std::uint32_t> ConnectionPool::release(std::uint32_t worker, config::HostIndex index, bool broken,
                                                     health::CircuitBreaker& breaker) {
  Host& host = hosts_[place(worker, index)];
  --host.busy;
  if (broken) {
    --host.open;
    --open_[index.value];
    breaker.decrease(Resource::connections);
  }
  const auto line = waiting_.empty() ? waiting_.end() : waiting_.find(place(worker, index));
  if (line == waiting_.end() || !take(host, index, breaker)) {
    return std::nullopt;
  }
  const std::uint32_t slot = line->second.front();
  line->second.pop_front();
  if (line->second.empty()) {
    waiting_.erase(line);
  }
  breaker.decrease(Resource::pending_requests);
  return slot;
}

void ConnectionPool::give_up(std::uint32_t worker, config::HostIndex index, std::uint32_t slot,
                             health::CircuitBreaker& breaker) {
  const auto line = waiting_.find(place(worker, index));
  line->second.erase(std::find(line->second.begin(), line->second.end(), slot));
  if (line->second.empty()) {
    waiting_.erase(line);
  }
  breaker.decrease(Resource::pending_requests);
}

}  // namespace spillway::run
