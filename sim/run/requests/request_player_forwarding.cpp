// Where requests go that zone proxies forward.
#include "sim/run/requests/request_player.hpp"

namespace spillway::run {

// The endpoint that a pick leads to, over the connection that is there already or a new one.
std::uint32_t RequestPlayer::target_of(const Try& attempt, const envoy::Pick& pick) {
  const FlowIndex flow = attempt.demand->flow;
  const Targets& targets = book_->targets(flow);
  const std::uint32_t host = targets.index_of(pick.child, pick.host);
  if (!targets.forwarded() || !targets.at(host).forwarded()) {
    return host;
  }
  if (!targets.at(host).on_connection) {
    return target_behind(flow, pick, attempt.now);
  }
  if (const auto known = connections_.find(attempt.worker, host, targets)) {
    return *known;
  }
  const std::uint32_t target = target_behind(flow, pick, attempt.now);
  connections_.open(attempt.worker, host, targets, target);
  return target;
}

// Zone proxies in between pick too.
std::uint32_t RequestPlayer::target_behind(FlowIndex flow, const envoy::Pick& pick, Nanoseconds now) {
  const Targets& targets = book_->targets(flow);
  const std::uint32_t target = targets.index_of(pick.child, pick.host);
  if (!targets.forwarded() || !targets.at(target).forwarded()) {
    return target;
  }
  const Target& first = targets.at(target);
  return target + forward(scenario_->services[first.service.value].hosts[first.host.value], now);
}

// By the numbers of the Targets of what the zone proxy forwards to; their end if that has no host.
std::uint32_t RequestPlayer::forward(const scenario::Host& zone_proxy, Nanoseconds now) {
  const FlowIndex flow = flows_->of_zone_proxy(zone_proxy.endpoint, *zone_proxy.forwards_to);
  Worker& worker = fleet_->worker(fleet_->proxy(fleet_->first_proxy(flow)).next_worker());
  const std::optional<envoy::Pick> pick = worker.balancer.choose(worker.draws, {.now = now});
  return pick ? target_behind(flow, *pick, now) : book_->targets(flow).size();
}

}  // namespace spillway::run
