#include "sim/plan/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "models/config/seconds.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/service_variation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

// A wait up to this part of a run distorts results by no more than the resolution of the rate search.
constexpr double short_wait = 0.02;

// Returns the sum of `max_requests` over both routing priorities; infinity if none is written.
double written_max_requests(const scenario::Service& service) {
  double sum = 0.0;
  for (const config::CircuitBreakerThresholds& of : service.cluster.circuit_breakers.thresholds) {
    sum += of.max_requests.value_or(0);
  }
  return sum > 0.0 ? sum : std::numeric_limits<double>::infinity();
}

// Returns, by EndpointIndex, the number of requests that all proxies' breakers together allow in flight.
std::vector<double> most_in_flight(const scenario::Scenario& still) {
  const bool any_breaker = std::any_of(
      still.services.begin(), still.services.end(),
      [](const scenario::Service& service) { return !service.cluster.circuit_breakers.thresholds.empty(); });
  const bool forwarded = std::any_of(still.clients.begin(), still.clients.end(),
                                     [](const scenario::ClientEntry& client) { return client.zone_proxy.has_value(); });
  if (!any_breaker || forwarded) {
    return std::vector<double>(still.endpoints.size(), std::numeric_limits<double>::infinity());
  }
  std::vector<double> proxies(still.services.size(), 0.0);
  for (const scenario::ClientEntry& client : still.clients) {
    for (const config::ServiceIndex service : scenario::services_of(still, client)) {
      for (const config::ServiceIndex member : scenario::members_of(still, service)) {
        proxies[member.value] += client.count;
      }
    }
  }
  std::vector<double> most(still.endpoints.size(), 0.0);
  for (std::size_t index = 0; index < proxies.size(); ++index) {
    const double limit = proxies[index] > 0.0 ? proxies[index] * written_max_requests(still.services[index]) : 0.0;
    for (const scenario::Host& host : still.services[index].hosts) {
      most[host.endpoint.value] += limit;
    }
  }
  return most;
}

}  // namespace

std::vector<bool> endless_queues(const scenario::Scenario& still, double seconds) {
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  const std::vector<double> most = most_in_flight(still);
  std::vector<bool> endless(server_queues.size(), false);
  for (std::size_t index = 0; index < server_queues.size(); ++index) {
    if (const std::optional<ServerQueue>& server = server_queues[index]) {
      const double waiting = server->queue ? std::min(most[index], 1.0 * *server->queue) : most[index];
      endless[index] = waiting * server->seconds / server->cores > short_wait * seconds;
    }
  }
  return endless;
}

namespace {

// The limits on connections over HTTP/1.1 of a cluster.
struct Pool {
  double connections = 0.0;  // of one proxy; 0 if unlimited
  double pending = std::numeric_limits<double>::infinity();
};

Pool pool_of(const envoy::Cluster& cluster) {
  Pool pool;
  for (const config::CircuitBreakerThresholds& of : cluster.circuit_breakers.thresholds) {
    if (of.priority == config::RoutingPriority::default_priority && !cluster.http2) {
      pool.connections = of.max_connections.value_or(0);
      pool.pending = of.max_pending_requests ? 1.0 * *of.max_pending_requests : pool.pending;
    }
  }
  return pool;
}

// Calls `use` with each client entry, the service that it asks for, and its cluster there.
template <class Use>
void each_use(const scenario::Scenario& still, const Use& use) {
  for (std::uint32_t client = 0; client < still.clients.size(); ++client) {
    if (still.clients[client].zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : scenario::services_of(still, still.clients[client])) {
      if (scenario::members_of(still, service).size() == 1) {
        use(client, scenario::asked_for(still, service), still.services[service.value]);
      }
    }
  }
}

// Returns the mean time [s] of a request at the service's endpoints, and the number of these.
std::pair<double, double> mean_service(const scenario::Scenario& still, const std::vector<double>& rates,
                                       const std::vector<std::optional<ServerQueue>>& server_queues) {
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  double busy = 0.0;
  double rate = 0.0;
  double endpoints = 0.0;
  for (std::uint32_t index = 0; index < rates.size(); ++index) {
    if (rates[index] > 0.0) {
      const double seconds = server_queues[index] ? server_queues[index]->seconds
                                                  : config::seconds(still.endpoints[index].service_time) *
                                                        state.of(config::EndpointIndex{index}).slowness;
      busy += rates[index] * seconds;
      rate += rates[index];
      ++endpoints;
    }
  }
  return {rate > 0.0 ? busy / rate : 0.0, endpoints};
}

}  // namespace

std::vector<bool> endless_pools(const scenario::Scenario& still, double seconds) {
  std::vector<bool> endless(still.services.size(), false);
  if (std::none_of(still.services.begin(), still.services.end(),
                   [](const scenario::Service& service) { return pool_of(service.cluster).connections > 0.0; })) {
    return endless;
  }
  each_use(still, [&](std::uint32_t, config::ServiceIndex asked, const scenario::Service& service) {
    const Pool pool = pool_of(service.cluster);
    double longest = 0.0;  // [s] per request
    for (const scenario::Host& host : service.hosts) {
      longest = std::max(longest, config::seconds(still.endpoints[host.endpoint.value].service_time));
    }
    endless[asked.value] = endless[asked.value] ||
                           (pool.connections > 0.0 && pool.pending * longest / pool.connections > short_wait * seconds);
  });
  return endless;
}

void set_connection_utilisation(const scenario::Scenario& still, double seconds, Loads& loads) {
  const std::vector<bool> endless = endless_pools(still, seconds);
  if (std::find(endless.begin(), endless.end(), true) == endless.end()) {
    return;
  }
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  const auto rates = rates_of_flows(still);
  each_use(still, [&](std::uint32_t index, config::ServiceIndex asked, const scenario::Service& service) {
    const scenario::ClientEntry& client = still.clients[index];
    const Pool pool = pool_of(service.cluster);
    const auto rate = rates.find({index, asked.value});
    if (endless[asked.value] && pool.connections > 0.0 && rate != rates.end()) {
      const auto [mean, endpoints] = mean_service(still, loads.rates_by_service[asked.value], server_queues);
      const double connections = std::max(pool.connections, endpoints * client.concurrency);
      std::optional<double>& most = loads.services[asked.value].connection_utilisation;
      most = std::max(most.value_or(0.0), rate->second / client.count * mean / connections);
    }
  });
}

double settled_growth(const scenario::Scenario& still, const Loads& loads) {
  constexpr double soon = 0.1;
  const double seconds = soon * config::seconds(still.duration);
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  double growth = std::numeric_limits<double>::infinity();
  for (std::size_t index = 0; index < server_queues.size(); ++index) {
    const double utilisation = loads.utilisation[index].value_or(0.0);
    if (loads.endless[index] && utilisation > 0.0) {
      const double free = std::sqrt(2.0 * one_and_squared_variation(still.endpoints[index]) *
                                    server_queues[index]->seconds / (server_queues[index]->cores * seconds));
      growth = std::min(growth, std::max(0.0, 1.0 - free) / utilisation);
    }
  }
  return growth;
}

}  // namespace spillway::plan
