#include "sim/run/requests/plain/plain_scenario.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "models/envoy/newcomers.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/proxies/checks.hpp"
#include "sim/run/proxies/connection_pool.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

bool retries(const Demand& demand) {
  return demand.route != nullptr && demand.route->retry_policy && !demand.route->retry_policy->retry_on.empty();
}

Nanoseconds timeout_of(const Demand& demand) {
  constexpr Nanoseconds envoys_timeout = std::chrono::seconds{15};
  if (demand.route == nullptr) {
    return envoys_timeout;
  }
  const auto or_never = [](Nanoseconds timeout) { return timeout > Nanoseconds{0} ? timeout : Nanoseconds::max(); };
  const auto& policy = demand.route->retry_policy;
  return std::min({or_never(demand.route->timeout), or_never(demand.route->stream_timeout),
                   policy && policy->per_try_timeout ? *policy->per_try_timeout : Nanoseconds::max()});
}

bool timeouts_matter(const Demand& demand) {
  return demand.route != nullptr && (demand.route->stream_timeout > Nanoseconds{0} ||
                                     (demand.route->retry_policy && demand.route->retry_policy->per_try_timeout));
}

namespace {

bool is_plain(const scenario::Service& service) {
  const envoy::Cluster& cluster = service.cluster;
  return service.load_assignment.drop_overload.numerator == 0 && cluster.aggregate_clusters.empty() &&
         !cluster.original_dst && cluster.max_stream_duration == Nanoseconds{0} &&
         ClusterWatch::reads_load_reports(cluster) == nullptr && !ConnectionPool::needed(cluster);
}

bool is_plain(const Demand& demand) {
  return (demand.route == nullptr || demand.route->delayed_per_million == 0) && demand.override_hosts == nullptr &&
         !demand.original_dst && !demand.keeps_session && !demand.brought;
}

struct IsPlainChange {
  bool operator()(const scenario::EdsHealth& /*change*/) const { return true; }
  bool operator()(const scenario::EdsMembership& /*change*/) const { return true; }
  bool operator()(const scenario::Existence& /*change*/) const { return true; }
  bool operator()(const scenario::RateChange& /*change*/) const { return true; }
  template <class Other>
  bool operator()(const Other& /*change*/) const {
    return false;
  }
};

// True if active checks of the service's hosts pass now. Their result stays the same until something else changes.
bool checks_pass(const scenario::Scenario& scenario, config::NodeIndex client, config::ServiceIndex index, Truth& truth,
                 const world::World& world) {
  const scenario::Service& service = scenario.services[index.value];
  for (const config::HealthCheck& check : service.cluster.health_checks) {
    const health::CheckResult well = result_of_well(check);
    CheckRound round(scenario, check, well, client, truth, world, Nanoseconds{0});
    for (std::uint32_t host = 0; host < service.hosts.size(); ++host) {
      if (round.send(service.hosts[host]).result != health::CheckResult{}) {
        return false;
      }
    }
  }
  return true;
}

// True if no check finds anything. Slow start restarts with checks, and pushes read them.
bool checks_find_nothing(const scenario::Scenario& scenario, const Flows& flows, Truth& truth,
                         const world::World& world) {
  const auto changes_rate = [](const scenario::Change& change) {
    return std::holds_alternative<scenario::RateChange>(change.effect);
  };
  const bool only_rates = std::all_of(scenario.changes.begin(), scenario.changes.end(), changes_rate);
  std::set<std::pair<config::NodeIndex, config::ServiceIndex>> known;
  for (const FlowIndex flow : flows.all()) {
    const config::ServiceIndex service = flows.at(flow).service;
    const envoy::Cluster& cluster = scenario.services[service.value].cluster;
    const config::NodeIndex client = scenario.clients[flows.at(flow).client.value].node;
    if (cluster.health_checks.empty() || !known.emplace(client, service).second) {
      continue;
    }
    if (!only_rates || envoy::slow_start_window(cluster.lb_policy) > Nanoseconds{0} ||
        !checks_pass(scenario, client, service, truth, world)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_plain(const RequestParts& of, Plain how) {
  const scenario::Scenario& scenario = of.scenario;
  const Flows& flows = of.flows;
  const Traffic& traffic = of.traffic;
  const auto straight = [&](config::ClientEntryIndex index) {
    const scenario::ClientEntry& client = scenario.clients[index.value];
    if (client.zone_proxy || flows.of_client(index).size() != 1) {
      return false;
    }
    const std::span<const Demand> demands = traffic.demands_of_client(index);
    const envoy::Cluster& cluster = scenario.services[flows.at(demands.front().flow).service.value].cluster;
    if (how == Plain::throughout &&
        (ClusterWatch::needed(cluster) || std::any_of(demands.begin(), demands.end(), [](const Demand& demand) {
           return retries(demand) || timeouts_matter(demand);
         }))) {
      return false;
    }
    // Before 1.26, a request rejected by a circuit breaker counts as a failure of the host.
    if (config::before(scenario.profile.envoy, 26) && cluster.outlier_detection) {
      return false;
    }
    return is_plain(scenario.services[flows.at(demands.front().flow).service.value]) &&
           std::all_of(demands.begin(), demands.end(), [&](const Demand& demand) {
             return is_plain(demand) && demand.routing_priority() == demands.front().routing_priority() &&
                    timeout_of(demand) == timeout_of(demands.front());
           });
  };
  const auto plain_change = [](const scenario::Change& change) { return std::visit(IsPlainChange{}, change.effect); };
  bool all_straight = true;
  for (std::uint32_t client = 0; client < scenario.clients.size() && all_straight; ++client) {
    all_straight = straight(config::ClientEntryIndex{client});
  }
  return of.server_queues.all_foreseen() && all_straight && checks_find_nothing(scenario, flows, of.truth, of.world) &&
         std::all_of(scenario.changes.begin(), scenario.changes.end(), plain_change);
}

}  // namespace spillway::run
