#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/run/requests/request_simulator.hpp"

namespace spillway::run {

using engine::LoggedEvent;
using engine::Moment;
using scenario::Outcome;

namespace {

constexpr std::uint32_t gateway_timeout = 504;
constexpr std::uint16_t first_error_status = 500;   // as in outlier detection
constexpr std::uint16_t first_failed_status = 400;  // as in clients and in `fails`
constexpr std::uint16_t service_unavailable = 503;  // the response of an endpoint with a full queue

Outcome outcome_of(const Moment& moment) {
  switch (moment.logged_event) {
    case LoggedEvent::answer:
      return moment.status < first_failed_status ? Outcome::ok : Outcome::upstream_error;
    case LoggedEvent::reset:
      return Outcome::upstream_error;
    case LoggedEvent::connect_failure:
      return Outcome::connect_failure;
    case LoggedEvent::queue_full:
      return Outcome::queue_full;
    default:
      break;
  }
  return Outcome::timeout;
}

health::RetryDecision decision_of(const config::RetryPolicy& policy, const Moment& moment) {
  using health::ResetReason;
  switch (moment.logged_event) {
    case LoggedEvent::answer:
      return health::retry_decision(policy, health::UpstreamAnswer{.status = moment.status});
    case LoggedEvent::reset:
      return health::retry_decision(policy, ResetReason::remote_reset);
    case LoggedEvent::connect_failure:
      return health::retry_decision(policy, ResetReason::connection_failure, false);
    case LoggedEvent::per_try_timeout:
    case LoggedEvent::try_timeout:
      return health::retry_decision(policy, ResetReason::per_try_timeout);
    case LoggedEvent::queue_full:
      return health::retry_decision(policy, health::UpstreamAnswer{.status = service_unavailable});
    default:
      break;
  }
  return health::RetryDecision::no_retry;
}

// Returns a hash of a stream's state; 0 if nothing was drawn from it.
std::uint64_t fingerprint_of(const engine::RandomStream& stream) {
  unsigned char bytes[8];
  for (unsigned index = 0; index < 8; ++index) {
    bytes[index] = static_cast<unsigned char>(stream.fingerprint() >> (8 * index));
  }
  return stream.draws() == 0 ? 0 : XXH64(bytes, sizeof(bytes), stream.draws());
}

// Returns a hash of a count; `of` is the kind of what is counted.
std::uint64_t fingerprint_of(std::uint64_t count, std::uint64_t of) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  return count * (odd + 2 * of);
}

}  // namespace

void RequestSimulator::simulate_moment() {
  const Moment moment = calendar_.pop([this](const Moment& soon, unsigned step) { look_ahead(soon, step); });
  if (ServerQueues::owns(moment)) {
    if (trips_) {
      trips_->simulate(moment);
    } else {
      server_queues_.simulate(moment);
    }
    return;
  }
  switch (moment.logged_event) {
    case LoggedEvent::try_again:
      try_again(moment);
      return;
    case LoggedEvent::end_of_wait:
      give_up_waiting(moment);
      return;
    case LoggedEvent::written_answer:
      end_near(near_[moment.proxy], {moment.proxy, moment.target, moment.worker}, moment.at);
      return;
    default:
      end_try(moment);
  }
}

void RequestSimulator::end_try(const Moment& arrived) {
  if (end_success(arrived)) {
    return;
  }
  Moment moment = arrived;
  if (moment.open_request == OpenRequests::none) {
    open_sent(moment);
  }
  const FlowIndex flow = fleet_->proxy(moment.proxy).flow;
  const Target& target = book_->targets(flow).at(moment.target);
  const std::uint32_t index = fleet_->cluster_of(moment.proxy, target.child);
  ProxyCluster& cluster = fleet_->cluster(index);
  const bool answered = arrived.logged_event == LoggedEvent::answer || arrived.logged_event == LoggedEvent::queue_full;
  if (answered && world_->outages(server_queues_.node_of(target.endpoint)) != moment.node_outages) {
    moment.logged_event = LoggedEvent::reset;
  }
  health::CircuitBreaker& breaker = cluster.breakers[moment.routing_priority];
  if (auto& active = fleet_->proxy(moment.proxy).active_requests; !active.empty()) {
    active.decrease(moment.active_slot);
  }
  if (moment.logged_event != LoggedEvent::answer) {
    count_lost(moment.proxy, moment.epoch, moment.open_request, moment.target,
               moment.logged_event == LoggedEvent::connect_failure ? CrossZoneBook::Lost::everything
                                                                   : CrossZoneBook::Lost::answer);
  }
  const std::uint32_t worker = worker_of(moment);
  if (moment.logged_event == LoggedEvent::reset || moment.logged_event == LoggedEvent::connect_failure) {
    connections_.close(worker, book_->targets(flow).index_of(target.child, target.host), moment.target);
  }
  if (cluster.watch) {
    report(moment, target.endpoint, target.host, index);
  }
  if (target.forwarded()) {
    report_to_zone_proxies(moment, target);
  }
  if (moment.logged_event == LoggedEvent::answer && traffic_->demand(moment.demand).keeps_session) {
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
            ? moment.logged_event == LoggedEvent::reset || moment.logged_event == LoggedEvent::connect_failure
            : moment.logged_event != LoggedEvent::answer && moment.logged_event != LoggedEvent::queue_full;
    give_connection_back(index, worker - fleet_->proxy(moment.proxy).first_worker, target.host, broken, breaker,
                         moment.at);
  }
}

void RequestSimulator::remember(const Moment& moment, const Target& target) {
  const FlowIndex flow = fleet_->proxy(moment.proxy).flow;
  const std::uint32_t client = fleet_->client_of(moment.proxy);
  const config::ClientEntryIndex entry = flows_->at(flow).client;
  const std::uint32_t session = traffic_->demand(moment.demand).session;
  const auto ttl = traffic_->session_ttl(entry, session);
  const auto known = sessions_.find(entry, client, session, moment.at);
  const bool same = known && sessions_.host_in(target.service, *known) == target.host;
  // A response from the session's host sets no new session, so its expiry stays.
  if (!same) {
    sessions_.remember(entry, client, session, {target.service, target.host},
                       ttl == std::chrono::seconds{0} ? Nanoseconds::max() : moment.at + ttl);
  }
}

void RequestSimulator::report(const Moment& moment, config::EndpointIndex endpoint, config::HostIndex host,
                              std::uint32_t index) {
  using health::OutlierResult;
  const auto report_status = [&](std::uint32_t answered) {
    const config::ServiceIndex service = fleet_->cluster(index).service;
    const std::uint32_t status =
        config::counted_status(answered, scenario_->services[service.value].cluster.error_statuses);
    fleet_->report(index, host,
                   status < first_error_status ? OutlierResult::ext_origin_request_success
                                               : OutlierResult::ext_origin_request_failed,
                   status, moment.at);
  };
  switch (moment.logged_event) {
    case LoggedEvent::answer:
      report_status(moment.status);
      fleet_->take_report(index, host, moment.at);
      if (truth_->of(endpoint).check_answer == scenario::CheckAnswer::immediate_health_check_fail) {
        fleet_->fail_immediately(index, host, moment.at);
      }
      break;
    case LoggedEvent::queue_full:
      report_status(service_unavailable);
      break;
    case LoggedEvent::stream_timeout:
    case LoggedEvent::try_timeout:
      break;
    case LoggedEvent::reset:
    case LoggedEvent::connect_failure:
      fleet_->report(index, host, OutlierResult::local_origin_connect_failed, std::nullopt, moment.at);
      break;
    default:
      fleet_->report(index, host, OutlierResult::local_origin_timeout, gateway_timeout, moment.at);
  }
}

bool RequestSimulator::tries_again(const Moment& moment) {
  OpenRequest& open = open_.at(moment.open_request);
  if (!open.retries) {
    return false;
  }
  const config::RetryPolicy& policy = *open.demand->route->retry_policy;
  const health::RetryDecision wanted = decision_of(policy, moment);
  health::CircuitBreaker& breaker = fleet_->retry_breaker(moment.proxy, moment.routing_priority);
  const std::uint32_t cluster = fleet_->cluster_of(moment.proxy, 0);
  const health::RetryStatus status = open.retries->decide(wanted, breaker);
  if (status == health::RetryStatus::no_overflow) {
    fleet_->turned_away(cluster, health::Resource::retries, breaker.max(health::Resource::retries), moment.at);
  }
  if (status != health::RetryStatus::yes) {
    return false;
  }
  if (fleet_->cluster(cluster).turns_away) {
    fleet_->let_in(cluster, health::Resource::retries, moment.at);
  }
  Moment next{.sent_at = moment.sent_at,
              .proxy = moment.proxy,
              .epoch = moment.epoch,
              .target = moment.target,
              .open_request = moment.open_request,
              .demand = moment.demand,
              .logged_event = LoggedEvent::try_again};
  next.routing_priority = moment.routing_priority;
  Entry& entry = entries_[flows_->at(open.demand->flow).client.value];
  next.at =
      moment.at + (wanted == health::RetryDecision::immediately ? Nanoseconds{0}
                                                                : Nanoseconds{open.retries->back_off(entry.retries)});
  const Nanoseconds last = deadline(*open.demand, open.sent_at).at;
  if (next.at >= last) {
    next.at = last;
    next.status = gateway_timeout;  // the request ends before its back-off does
  }
  calendar_.push(next);
  return true;
}

void RequestSimulator::try_again(const Moment& moment) {
  OpenRequest& open = open_.at(moment.open_request);
  if (moment.status == gateway_timeout) {
    finish(ending_of(moment, Outcome::timeout));
    return;
  }
  ++retries_;
  book_->count_retry(open.demand->flow, moment.epoch);
  Try next{.demand = open.demand,
           .proxy = moment.proxy,
           .worker = open.worker,
           .epoch = moment.epoch,
           .open = moment.open_request,
           .sent_at = open.sent_at,
           .now = moment.at};
  attempt(next);
}

void RequestSimulator::give_up_waiting(const Moment& moment) {
  OpenRequest& open = open_.at(moment.open_request);
  if (!open.waits_for || open.ticket != moment.active_slot) {
    return;  // it got its connection in time
  }
  const std::uint32_t index = fleet_->cluster_of(open.proxy, open.waits_for->child);
  ProxyCluster& cluster = fleet_->cluster(index);
  cluster.pool->give_up(open.worker - fleet_->proxy(open.proxy).first_worker,
                        fleet_->known_as(index, open.waits_for->host), moment.open_request,
                        cluster.breakers[open.demand->routing_priority()]);
  open.waits_for.reset();
  count_lost(moment.proxy, moment.epoch, moment.open_request, open.target, CrossZoneBook::Lost::everything);
  Ending ending = ending_of(moment, Outcome::timeout);
  ending.target = open.target;
  finish(ending);
}

void RequestSimulator::give_connection_back(std::uint32_t index, std::uint32_t worker, config::HostIndex host,
                                            bool broken, health::CircuitBreaker& breaker, Nanoseconds now) {
  const auto next = fleet_->cluster(index).pool->release(worker, fleet_->known_as(index, host), broken, breaker);
  if (!next) {
    return;
  }
  OpenRequest& open = open_.at(*next);
  const envoy::Pick pick = *std::exchange(open.waits_for, std::nullopt);
  start({.demand = open.demand,
         .proxy = open.proxy,
         .worker = open.worker,
         .epoch = open.epoch,
         .open = *next,
         .target = open.target,
         .sent_at = open.sent_at,
         .now = now},
        pick);
}

std::uint64_t RequestSimulator::fingerprint() const {
  std::uint64_t sum = 0;
  const auto add = [&sum](const engine::RandomStream& stream) { sum += fingerprint_of(stream); };
  for (const Entry& entry : entries_) {
    add(entry.arrivals.stream());
    add(entry.kinds);
    add(entry.retries);
    add(entry.links);
  }
  users_.for_each_stream(add);
  server_queues_.for_each_stream(add);
  fleet_->for_each_stream(add);
  truth_->for_each_stream(add);
  sum += fingerprint_of(fleet_->events().ejections, 1);
  sum += fingerprint_of(fleet_->events().unejections, 2);
  sum += fingerprint_of(retries_, 3);
  return sum;
}

}  // namespace spillway::run
