#include "sim/run/requests/demand_plan.hpp"

#include <algorithm>

#include "models/config/outlier_detection.hpp"
#include "models/envoy/cluster.hpp"
#include "models/health/retry_state.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/records/epoch_book.hpp"
#include "sim/run/requests/plain/plain_scenario.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/request_try.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

namespace {

constexpr Nanoseconds default_timeout = std::chrono::seconds{15};
constexpr std::uint32_t status_ok = 200;

const envoy::Cluster& cluster_of(FlowIndex flow, const RequestParts& parts) {
  return parts.scenario.services[parts.flows.at(flow).service.value].cluster;
}

// True if a response 200 ends the request and is a success of its host.
bool ends_with_ok(const envoy::Cluster& cluster, const config::RetryPolicy* policy) {
  return config::counted_status(status_ok, cluster.error_statuses) == status_ok &&
         (policy == nullptr || (policy->retry_host_predicate.empty() && !policy->previous_priorities_update_frequency &&
                                health::retry_decision(*policy, health::UpstreamAnswer{.status = status_ok}) ==
                                    health::RetryDecision::no_retry));
}

// True if a request needs no state before its first try has failed or has to wait.
bool needs_no_state(const Demand& demand, const RequestParts& parts) {
  const config::ClientEntryIndex index = parts.flows.at(demand.flow).client;
  const scenario::ClientEntry& client = parts.scenario.clients[index.value];
  const auto flows = parts.flows.of_client(index);
  // Clusters below an aggregate may belong to other flows too.
  const bool any_aggregate = std::any_of(
      flows.begin(), flows.end(), [&](FlowIndex flow) { return !cluster_of(flow, parts).aggregate_clusters.empty(); });
  if (client.zone_proxy || client.concurrency > most_workers || any_aggregate) {
    return false;
  }
  const envoy::Cluster& cluster = cluster_of(demand.flow, parts);
  const config::RetryPolicy* const policy =
      demand.route != nullptr && demand.route->retry_policy ? &*demand.route->retry_policy : nullptr;
  return (demand.route == nullptr || demand.route->delayed_per_million == 0) && !demand.original_dst &&
         demand.override_hosts == nullptr &&
         parts.scenario.services[parts.flows.at(demand.flow).service.value].other_places.empty() &&
         parts.traffic.dropped(demand.flow) <= 0.0 && ClusterWatch::reads_load_reports(cluster) == nullptr &&
         ends_with_ok(cluster, policy);
}

}  // namespace

Deadline deadline_of_request(const Demand& demand, Nanoseconds sent_at, Nanoseconds delay) noexcept {
  Deadline deadline;
  const Nanoseconds timeout = demand.route == nullptr ? default_timeout : demand.route->timeout;
  if (timeout > Nanoseconds{0}) {
    deadline.at = sent_at + delay + timeout;
  }
  const Nanoseconds of_stream = demand.route == nullptr ? Nanoseconds{0} : demand.route->stream_timeout;
  if (of_stream > Nanoseconds{0} && sent_at + of_stream < deadline.at) {
    deadline = {sent_at + of_stream, engine::CalendarEventKind::stream_timeout};
  }
  return deadline;
}

Deadline deadline_of_try(const Try& attempt, const envoy::Cluster& cluster) noexcept {
  Deadline deadline = deadline_of_request(*attempt.demand, attempt.sent_at, attempt.delay);
  const auto limit = [&](Nanoseconds of_try, engine::CalendarEventKind late) {
    if (attempt.now + of_try <= deadline.at) {
      deadline = {attempt.now + of_try, late};
    }
  };
  if (cluster.max_stream_duration > Nanoseconds{0}) {
    limit(cluster.max_stream_duration, engine::CalendarEventKind::try_timeout);
  }
  if (const scenario::Route* const route = attempt.demand->route;
      route != nullptr && route->retry_policy && route->retry_policy->per_try_timeout) {
    limit(*route->retry_policy->per_try_timeout, engine::CalendarEventKind::per_try_timeout);
  }
  return deadline;
}

DemandPlan plan_of(const Demand& demand, const RequestParts& parts, bool may_open_late) {
  const scenario::ClientEntry& client = parts.scenario.clients[parts.flows.at(demand.flow).client.value];
  const Deadline deadline = deadline_of_try({.demand = &demand}, cluster_of(demand.flow, parts));
  DemandPlan plan{.demand = &demand,
                  .first_proxy = parts.fleet.first_proxy(demand.flow),
                  .opens_late = may_open_late && needs_no_state(demand, parts),
                  .keeps = retries(demand),
                  .by_session = demand.keeps_session || demand.brought,
                  .is_awaited = client.workload.users > 0,
                  .patience = deadline.at,
                  .late = deadline.late};
  if (!plan.opens_late) {
    plan.keeps = plan.keeps || demand.override_hosts != nullptr ||
                 (parts.fleet.proxy(plan.first_proxy).workers > 1 && parts.book.targets(demand.flow).forwarded());
  }
  return plan;
}

}  // namespace spillway::run
