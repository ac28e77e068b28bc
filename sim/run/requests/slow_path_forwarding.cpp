// The destinations of requests that zone proxies forward.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/envoy/load_balancer_picks.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/traffic/traffic.hpp"

namespace spillway::run {

// Returns the endpoint of a pick: that of an existing connection, or of a new one.
std::uint32_t SlowPath::target_of(const Try& attempt, const envoy::Pick& pick) {
  const FlowIndex flow = attempt.demand->flow;
  const Targets& targets = parts_.book.targets(flow);
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

// Returns the target of a pick; zone proxies in between pick too.
std::uint32_t SlowPath::target_behind(FlowIndex flow, const envoy::Pick& pick, Nanoseconds now) {
  const Targets& targets = parts_.book.targets(flow);
  const std::uint32_t target = targets.index_of(pick.child, pick.host);
  if (!targets.forwarded() || !targets.at(target).forwarded()) {
    return target;
  }
  const Target& first = targets.at(target);
  return target + forward(parts_.scenario.services[first.service.value].hosts[first.host.value], now);
}

// Picks for a zone proxy. Returns an index into the Targets of the service that it forwards to, or their size if there
// is no host.
std::uint32_t SlowPath::forward(const scenario::Host& zone_proxy, Nanoseconds now) {
  const FlowIndex flow = parts_.flows.of_zone_proxy(zone_proxy.endpoint, *zone_proxy.forwards_to);
  const std::uint32_t proxy = parts_.fleet.first_proxy(flow);
  Worker& worker = parts_.fleet.worker(parts_.fleet.proxy(proxy).next_worker());
  const std::optional<envoy::Pick> pick = worker.balancer.choose(worker.draws, {.now = now});
  if (pick) {
    parts_.fleet.cluster(parts_.fleet.cluster_of(proxy, pick->child)).traffic = true;
  }
  return pick ? target_behind(flow, *pick, now) : parts_.book.targets(flow).size();
}

void SlowPath::report_to_zone_proxies(const engine::CalendarEvent& moment, const Target& target) {
  config::ServiceIndex service = target.service;
  config::HostIndex host = target.host;
  for (std::size_t position = 0; position < target.via.size(); ++position) {
    const scenario::Host& proxy = parts_.scenario.services[service.value].hosts[host.value];
    const bool is_last = position + 1 == target.via.size();
    if (!proxy.forwards_to || (is_last && target.ends_at_zone_proxy)) {
      return;
    }
    const FlowIndex flow = parts_.flows.of_zone_proxy(proxy.endpoint, *proxy.forwards_to);
    const std::uint32_t cluster = parts_.fleet.cluster_of(parts_.fleet.first_proxy(flow), 0);
    const bool watches = parts_.fleet.cluster(cluster).watch != nullptr;
    if (is_last && !watches) {
      return;
    }
    const config::EndpointIndex next = is_last ? target.endpoint : target.via[position + 1];
    const std::vector<scenario::Host>& hosts = parts_.scenario.services[proxy.forwards_to->value].hosts;
    const auto found =
        std::find_if(hosts.begin(), hosts.end(), [&](const scenario::Host& one) { return one.endpoint == next; });
    if (found == hosts.end()) {
      return;
    }
    service = *proxy.forwards_to;
    host = config::HostIndex{static_cast<std::uint32_t>(found - hosts.begin())};
    if (watches) {
      report(moment, target.endpoint, host, cluster);
    }
  }
}

}  // namespace spillway::run
