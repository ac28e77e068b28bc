#include "sim/run/proxies/connection_pool.hpp"

#include <algorithm>

#include "models/envoy/cluster.hpp"

namespace spillway::run {

using health::Resource;

bool ConnectionPool::needed(const envoy::Cluster& cluster) noexcept {
  const config::CircuitBreakers& limits = cluster.circuit_breakers;
  return (!cluster.http2 && !limits.per_host_thresholds.empty()) ||
         std::any_of(limits.thresholds.begin(), limits.thresholds.end(), [&cluster](const auto& thresholds) {
           return thresholds.max_connection_pools ||
                  (!cluster.http2 && (thresholds.max_connections || thresholds.max_pending_requests));
         });
}

void ConnectionPool::move_to(std::uint32_t* first, std::size_t stride) {
  for (std::size_t host = 0; host < hosts_; ++host) {
    std::copy_n(first_ + host * stride_, stride_, first + host * stride);
  }
  first_ = first;
  stride_ = stride;
  own_ = {};
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
  const Host host = at(worker, index);
  --host.busy;
  // A broken connection that carries more requests closes with the last of them.
  if (broken && (!multiplexes_ || host.busy == 0)) {
    host.open -= streams();
    --host.of_all;
    breaker.decrease(Resource::connections);
    if (host.open == 0) {
      breaker.decrease(Resource::connection_pools);
    }
  }
  const auto line = waiting_.empty() ? waiting_.end() : waiting_.find(place(worker, index));
  if (line == waiting_.end() || !take(host, streams(), breaker)) {
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
