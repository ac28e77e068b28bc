// Event-log records for actions and detections of proxies.
#include <utility>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/newcomers.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {
namespace {

using Action = health::OutlierEvent::Action;

EventKind kind_of(Action action) {
  switch (action) {
    case Action::eject:
      return EventKind::ejected;
    case Action::uneject:
      return EventKind::returned;
    case Action::detected_not_enforced:
      return EventKind::ejection_not_enforced;
    case Action::overflow:
      return EventKind::ejection_prevented;
  }
  return EventKind::ejected;
}

// Fills in the counted value of the host and the limit that it was compared with.
void give_reason(EventRecord& record, const health::OutlierDetector& detector, config::HostIndex host) {
  using health::Detection;
  const config::OutlierDetection& config = detector.config();
  const bool local = record.detection == Detection::success_rate_local_origin ||
                     record.detection == Detection::failure_percentage_local_origin;
  const health::Origin origin = local ? health::Origin::local : health::Origin::external;
  switch (record.detection) {
    case Detection::consecutive_5xx:
      record.limit = config.consecutive_5xx;
      break;
    case Detection::consecutive_gateway_failure:
      record.limit = config.consecutive_gateway_failure;
      break;
    case Detection::consecutive_local_origin_failure:
      record.limit = config.consecutive_local_origin_failure;
      break;
    case Detection::success_rate:
    case Detection::success_rate_local_origin:
      record.value = detector.success_rate(host, origin);
      record.limit = detector.success_rate_ejection_threshold(origin);
      record.mean = detector.success_rate_average(origin);
      record.deviations = static_cast<double>(config.success_rate_stdev_factor) / 1000.0;
      return;
    case Detection::failure_percentage:
    case Detection::failure_percentage_local_origin:
      record.value = 100.0 - detector.success_rate(host, origin);
      record.limit = config.failure_percentage_threshold;
      return;
  }
  record.value = record.limit;
}

// Returns the percentage of counted hosts that are healthy or degraded.
double available_percent(const envoy::HostCounts& hosts) {
  const std::uint64_t countable = hosts.all - hosts.excluded;
  return countable == 0 ? 0.0
                        : 100.0 * static_cast<double>(hosts.healthy + hosts.degraded) / static_cast<double>(countable);
}

std::uint32_t load_of(const envoy::PriorityState& state, std::size_t priority) {
  return priority < state.load.healthy.size() ? state.load.healthy[priority] + state.load.degraded[priority] : 0;
}

}  // namespace

EventRecord Fleet::event_record(EventKind kind, std::uint32_t index, std::optional<config::HostIndex> host,
                                Nanoseconds now) const {
  const ProxyCluster& cluster = clusters_[index];
  EventRecord record{.at = now,
                     .kind = kind,
                     .client = cluster.entry,
                     .instance = client_of_cluster(index),
                     .service = cluster.service};
  if (host) {
    record.endpoint = scenario::endpoint_index(*scenario_, cluster.service, *host);
    record.priority = cluster.watch ? cluster.watch->priority_of(*host) : config::Priority{};
  }
  return record;
}

void Fleet::log_outlier(std::uint32_t cluster, const health::OutlierEvent& event, bool by_check, Nanoseconds now) {
  if (log_ == nullptr) {
    return;
  }
  const health::OutlierDetector& detector = *clusters_[cluster].watch->detector();
  EventRecord record = event_record(kind_of(event.action), cluster, event.host, now);
  record.by_check = by_check;
  if (event.detection) {
    record.detection = *event.detection;
    give_reason(record, detector, event.host);
    record.threshold = record.limit;
  }
  // A detector with an enforcing percentage of 0 never ejects. This is the reason to log, although Envoy checks
  // max_ejection_percent first.
  const bool never = event.detection && detector.enforcing(record.detection) == 0;
  if (never && event.action == Action::overflow) {
    record.kind = EventKind::ejection_not_enforced;
  }
  if (event.action == Action::eject) {
    record.until = detector.ejected_until(event.host);
  } else if (record.kind == EventKind::ejection_prevented) {
    record.limit = detector.config().max_ejection_percent;
    record.hosts = detector.members();
  } else if (record.kind == EventKind::ejection_not_enforced) {
    record.limit = detector.enforcing(record.detection);
  }
  log_->add(record);
}

void Fleet::log_check(const CheckDue& due, const health::CheckResult& result, const ClusterWatch::Checked& checked,
                      Nanoseconds now) {
  if (log_ == nullptr) {
    return;
  }
  const ProxyCluster& cluster = clusters_[due.cluster];
  // Does not use the host's current state: a host that EDS has removed disappears with its failed check.
  const bool fails = checked.health ? *checked.health == envoy::Health::unhealthy : checked.was_failed;
  if (fails == checked.was_failed && (fails || !result.failure)) {
    return;
  }
  const EventKind kind = fails == checked.was_failed ? EventKind::check_failed
                         : fails                     ? EventKind::marked_unhealthy
                                                     : EventKind::marked_healthy;
  EventRecord record = event_record(kind, due.cluster, due.host, now);
  record.check_failure = result.failure;
  record.value = checked.failures;
  record.limit =
      scenario_->services[cluster.service.value].cluster.health_checks[due.check].unhealthy_threshold.value_or(0);
  log_->add(record);
}

void Fleet::log_failed_by_answer(std::uint32_t cluster, config::HostIndex host, Nanoseconds now) {
  if (log_ == nullptr) {
    return;
  }
  EventRecord record = event_record(EventKind::marked_unhealthy, cluster, host, now);
  record.check_failure = health::CheckFailure::passive;
  log_->add(record);
}

// Logs all changes at one time as one change: no request meets the states in between.
void Fleet::apply(const StatesSettled& /*event*/, Nanoseconds now) {
  for (const auto& [proxy, before] : std::exchange(unsettled_, {})) {
    log_priorities(proxies_[proxy], before.get(), now);
  }
}

// Logs priority changes. `before` is null at the start, when only priorities other than 0 with requests are logged.
void Fleet::log_priorities(const Proxy& proxy, const envoy::ClusterState* before, Nanoseconds now) {
  const envoy::ClusterState& after = *proxy.state;
  if (log_ == nullptr || before == &after) {
    return;
  }
  const auto number = static_cast<std::uint32_t>(&proxy - proxies_.data());
  EventRecord record{.at = now,
                     .client = flows_->at(proxy.flow).client,
                     .instance = client_of(number),
                     .service = flows_->at(proxy.flow).service};
  const auto add = [&](EventKind kind, std::size_t priority, double value, double limit) {
    record.kind = kind;
    record.priority = config::Priority{static_cast<std::uint32_t>(priority)};
    record.value = value;
    record.limit = limit;
    log_->add(record);
  };
  for (std::size_t priority = 0; priority < after.counts.size(); ++priority) {
    const envoy::HostCounts& hosts = after.counts[priority].hosts;
    record.hosts = static_cast<std::uint32_t>(hosts.all);
    const bool panicked = before != nullptr && envoy::sends_in_panic(*before, priority);
    if (envoy::sends_in_panic(after, priority) != panicked) {
      add(panicked ? EventKind::panic_ended : EventKind::panic_began, priority, available_percent(hosts),
          static_cast<double>(envoy::threshold_of_panic(after, priority)));
    }
    const std::uint32_t load = load_of(after.priorities, priority);
    const std::uint32_t load_before =
        before != nullptr ? load_of(before->priorities, priority) : (priority == 0 ? 100U : 0U);
    if (load > 0 && load_before == 0) {
      add(EventKind::priority_began, priority, load, load_before);
    } else if (load == 0 && load_before > 0 && before != nullptr) {
      add(EventKind::priority_stopped, priority, load, load_before);
    }
  }
  record.hosts = 0;
  const Nanoseconds window = envoy::slow_start_window(after);
  if (before != nullptr && window > Nanoseconds{0} && envoy::gains_healthy_host(*before, after)) {
    record.until = now + window;
    add(EventKind::slow_start_began, 0, 0.0, 0.0);
  }
}

// True if the limited resource is retries and the limit is a budget.
bool Fleet::is_budget(std::uint32_t index, health::Resource resource) const noexcept {
  return resource == health::Resource::retries && clusters_[index].breakers[0].has_retry_budget();
}

void Fleet::turned_away(std::uint32_t index, health::Resource resource, std::uint64_t limit, Nanoseconds now) {
  if (log_ == nullptr) {
    return;
  }
  const auto [place, is_new] = turned_away_.try_emplace({index, resource}, 0);
  ++place->second;
  if (is_new) {
    clusters_[index].turns_away = true;
    EventRecord record =
        event_record(is_budget(index, resource) ? EventKind::retry_budget_empty : EventKind::breaker_opened, index,
                     std::nullopt, now);
    record.resource = resource;
    record.limit = static_cast<double>(limit);
    log_->add(record);
  }
}

void Fleet::let_in(std::uint32_t index, health::Resource resource, Nanoseconds now) {
  const auto found = turned_away_.find({index, resource});
  if (found == turned_away_.end()) {
    return;
  }
  EventRecord record =
      event_record(is_budget(index, resource) ? EventKind::retry_budget_refilled : EventKind::breaker_closed, index,
                   std::nullopt, now);
  record.resource = resource;
  record.value = static_cast<double>(found->second);
  turned_away_.erase(found);
  const auto next = turned_away_.lower_bound({index, health::Resource{}});
  clusters_[index].turns_away = next != turned_away_.end() && next->first.first == index;
  log_->add(record);
}

}  // namespace spillway::run
