// Responses on the slow path: their outcome, their reports to the proxy, and retries.
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/response_statuses.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/scenario/route.hpp"

namespace spillway::run {

using engine::CalendarEvent;
using engine::CalendarEventKind;
using scenario::Outcome;

namespace {

constexpr std::uint32_t ok = 200;
constexpr std::uint16_t first_error_status = 500;   // as in outlier detection
constexpr std::uint16_t first_failed_status = 400;  // as in clients and in `fails`

Outcome outcome_of(const CalendarEvent& moment) {
  switch (moment.kind) {
    case CalendarEventKind::answer:
      return moment.status < first_failed_status ? Outcome::ok : Outcome::upstream_error;
    case CalendarEventKind::reset:
      return Outcome::upstream_error;
    case CalendarEventKind::connect_failure:
      return Outcome::connect_failure;
    case CalendarEventKind::queue_full:
      return Outcome::queue_full;
    default:
      break;
  }
  return Outcome::timeout;
}

}  // namespace

void SlowPath::simulate(const CalendarEvent& moment) {
  switch (moment.kind) {
    case CalendarEventKind::try_again:
      try_again(moment);
      return;
    case CalendarEventKind::end_of_wait:
      if (moment.open_request == OpenRequests::none) {
        Try delayed{.demand = &parts_.traffic.demand(moment.demand),
                    .proxy = moment.proxy,
                    .sent_at = moment.sent_at,
                    .now = moment.at,
                    .delay = moment.at - moment.sent_at};
        begin(delayed);
      } else {
        give_up_waiting(moment);
      }
      return;
    case CalendarEventKind::written_answer:
      end_recorded(moment);
      return;
    default:
      end_try(moment);
  }
}

// Ends a first try without other state by a response 200. Returns false if it must take the general path.
bool SlowPath::end_success(const CalendarEvent& moment) {
  if (moment.kind != CalendarEventKind::answer || moment.status != ok || moment.open_request != OpenRequests::none) {
    return false;
  }
  if (const ProxyLane& lane = fast_lane_->of(moment.proxy); lane.is_open && !parts_.world.any_outage()) {
    parts_.book.succeed(lane.leader, moment.epoch, moment.at - moment.sent_at);
    FastLane::end(lane, moment.target, moment.worker);
    act_on_answer(moment, parts_.book.targets(lane.flow).at(moment.target));
    return true;
  }
  Proxy& proxy = parts_.fleet.proxy(moment.proxy);
  if (!parts_.plans[moment.demand].opens_late) {
    return false;
  }
  const Target& target = parts_.book.targets(proxy.flow).at(moment.target);
  const config::HostIndex host = target.host;
  if (parts_.world.outages(parts_.server_queues.node_of(target.endpoint)) != moment.node_outages) {
    return false;
  }
  const std::uint32_t index = parts_.fleet.first_cluster_of(moment.proxy);
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  health::CircuitBreaker& breaker = cluster.breakers[moment.routing_priority];
  breaker.decrease(health::Resource::requests);
  if (!proxy.active_requests.empty()) {
    proxy.active_requests.decrease(moment.active_slot);
  }
  if (cluster.watch) {
    cluster.watch->note_success(host);
  }
  parts_.book.finish(proxy.flow, moment.epoch, Outcome::ok, moment.at - moment.sent_at);
  act_on_answer(moment, target);
  if (cluster.pool) {
    give_connection_back(index, moment.worker, host, false, breaker, moment.at);
  }
  return true;
}

// Does what clients do at a response 200, except counting.
inline void SlowPath::act_on_answer(const CalendarEvent& moment, const Target& target) {
  const DemandPlan& way = parts_.plans[moment.demand];
  if (way.by_session && way.demand->keeps_session) {
    remember(moment, target);
  }
  if (way.is_awaited) {
    parts_.users.answered(parts_.flows.at(way.demand->flow).client, moment.proxy - way.first_proxy, moment.at,
                          moment.at - moment.sent_at);
  }
}

// Ends a request that was recorded before its proxy's lane was closed.
void SlowPath::end_recorded(const CalendarEvent& moment) {
  const ProxyLane& lane = fast_lane_->of(moment.proxy);
  lane.end_success(moment.target);
  if (lane.pool != nullptr) {
    give_connection_back(parts_.fleet.first_cluster_of(moment.proxy), moment.worker, config::HostIndex{moment.target},
                         false, *lane.breaker, moment.at);
  }
}

void SlowPath::end_try(const CalendarEvent& arrived) {
  if (end_success(arrived)) {
    return;
  }
  CalendarEvent moment = arrived;
  if (moment.open_request == OpenRequests::none) {
    open_sent(moment);
  }
  const FlowIndex flow = parts_.fleet.proxy(moment.proxy).flow;
  const Target& target = parts_.book.targets(flow).at(moment.target);
  const std::uint32_t index = parts_.fleet.cluster_of(moment.proxy, target.child);
  ProxyCluster& cluster = parts_.fleet.cluster(index);
  const bool answered = arrived.kind == CalendarEventKind::answer || arrived.kind == CalendarEventKind::queue_full;
  if (answered && parts_.world.outages(parts_.server_queues.node_of(target.endpoint)) != moment.node_outages) {
    moment.kind = CalendarEventKind::reset;
  }
  health::CircuitBreaker& breaker = cluster.breakers[moment.routing_priority];
  if (auto& active = parts_.fleet.proxy(moment.proxy).active_requests; !active.empty()) {
    active.decrease(moment.active_slot);
  }
  if (moment.kind != CalendarEventKind::answer) {
    count_lost(moment.proxy, moment.epoch, moment.open_request, moment.target,
               moment.kind == CalendarEventKind::connect_failure ? CrossZoneBook::Lost::everything
                                                                 : CrossZoneBook::Lost::answer);
  }
  const std::uint32_t worker = worker_of(moment);
  if (moment.kind == CalendarEventKind::reset || moment.kind == CalendarEventKind::connect_failure) {
    connections_.close(worker, parts_.book.targets(flow).index_of(target.child, target.host), moment.target);
  }
  if (cluster.watch) {
    report(moment, target.endpoint, target.host, index);
  }
  if (target.forwarded()) {
    report_to_zone_proxies(moment, target);
  }
  if (moment.kind == CalendarEventKind::answer && parts_.traffic.demand(moment.demand).keeps_session) {
    remember(moment, target);
  }
  const bool again = moment.open_request != OpenRequests::none && tries_again(moment);
  // Only now, since a retry budget counts the attempt that has just failed among the active requests.
  breaker.decrease(health::Resource::requests);
  if (!again) {
    finish(ending_of(moment, outcome_of(moment)));
  }
  // Last, since a request that waits for the connection starts now.
  if (cluster.pool) {
    // A request that times out closes its connection, unless other requests share it.
    const bool broken =
        cluster.pool->multiplexes()
            ? moment.kind == CalendarEventKind::reset || moment.kind == CalendarEventKind::connect_failure
            : moment.kind != CalendarEventKind::answer && moment.kind != CalendarEventKind::queue_full;
    give_connection_back(index, worker - parts_.fleet.proxy(moment.proxy).first_worker, target.host, broken, breaker,
                         moment.at);
  }
}

void SlowPath::remember(const CalendarEvent& moment, const Target& target) {
  const FlowIndex flow = parts_.fleet.proxy(moment.proxy).flow;
  const std::uint32_t client = parts_.fleet.client_of(moment.proxy);
  const config::ClientEntryIndex entry = parts_.flows.at(flow).client;
  const std::uint32_t session = parts_.traffic.demand(moment.demand).session;
  const auto ttl = parts_.traffic.session_ttl(entry, session);
  const auto known = sessions_.find(entry, client, session, moment.at);
  const bool same = known && sessions_.host_in(target.service, *known) == target.host;
  // A response from the session's host sets no new session, so its expiry stays.
  if (!same) {
    sessions_.remember(entry, client, session, {target.service, target.host},
                       ttl == std::chrono::seconds{0} ? Nanoseconds::max() : moment.at + ttl);
  }
}

void SlowPath::report(const CalendarEvent& moment, config::EndpointIndex endpoint, config::HostIndex host,
                      std::uint32_t index) {
  using health::OutlierResult;
  const auto report_status = [&](std::uint32_t answered) {
    const config::ServiceIndex service = parts_.fleet.cluster(index).service;
    const std::uint32_t status =
        config::counted_status(answered, parts_.scenario.services[service.value].cluster.error_statuses);
    parts_.fleet.report(index, host,
                        status < first_error_status ? OutlierResult::ext_origin_request_success
                                                    : OutlierResult::ext_origin_request_failed,
                        status, moment.at);
  };
  switch (moment.kind) {
    case CalendarEventKind::answer:
      report_status(moment.status);
      parts_.fleet.take_report(index, host, moment.at);
      if (parts_.truth.of(endpoint).check_answer == scenario::CheckAnswer::immediate_health_check_fail) {
        parts_.fleet.fail_immediately(index, host, moment.at);
      }
      break;
    case CalendarEventKind::queue_full:
      report_status(service_unavailable);
      break;
    case CalendarEventKind::stream_timeout:
    case CalendarEventKind::try_timeout:
      break;
    case CalendarEventKind::reset:
    case CalendarEventKind::connect_failure:
      parts_.fleet.report(index, host, OutlierResult::local_origin_connect_failed, std::nullopt, moment.at);
      break;
    default:
      parts_.fleet.report(index, host, OutlierResult::local_origin_timeout, gateway_timeout, moment.at);
  }
}

}  // namespace spillway::run
