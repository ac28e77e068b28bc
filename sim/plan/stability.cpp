#include "sim/plan/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
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
constexpr double rounding_of_rates = 1e-9;

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

// The limits on connections over HTTP/1.1 of a cluster, in one proxy; 0 if unlimited.
struct Pool {
  double connections = 0.0;  // to all endpoints together
  double per_host = 0.0;
  double pending = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_limited() const { return connections > 0.0 || per_host > 0.0; }
  // Returns the connections to as many endpoints. Each worker may open one to an endpoint beyond all limits.
  [[nodiscard]] double to(double endpoints, double workers) const {
    const double of_hosts = per_host > 0.0 ? endpoints * std::max(per_host, workers) : connections;
    return connections > 0.0 ? std::max(std::min(connections, of_hosts), endpoints * workers) : of_hosts;
  }
};

Pool pool_of(const envoy::Cluster& cluster) {
  Pool pool;
  if (cluster.http2) {
    return pool;
  }
  const auto is_default = [](const config::CircuitBreakerThresholds& of) {
    return of.priority == config::RoutingPriority::default_priority;
  };
  for (const config::CircuitBreakerThresholds& of : cluster.circuit_breakers.thresholds) {
    if (is_default(of)) {
      pool.connections = of.max_connections.value_or(0);
      pool.pending = of.max_pending_requests ? 1.0 * *of.max_pending_requests : pool.pending;
    }
  }
  for (const config::CircuitBreakerThresholds& of : cluster.circuit_breakers.per_host_thresholds) {
    pool.per_host = is_default(of) ? of.max_connections.value_or(0) : pool.per_host;
  }
  return pool;
}

bool is_limited(const scenario::Service& service) {
  return pool_of(service.cluster).is_limited();
}

// Calls `use` with each client entry, the service that it asks for, and each cluster with endpoints behind it there.
template <class Use>
void each_use(const scenario::Scenario& still, const Use& use) {
  for (std::uint32_t client = 0; client < still.clients.size(); ++client) {
    if (still.clients[client].zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : scenario::services_of(still, still.clients[client])) {
      for (const config::ServiceIndex member : scenario::members_of(still, service)) {
        use(client, scenario::asked_for(still, service), still.services[member.value]);
      }
    }
  }
}

// Returns, by EndpointIndex, the mean time [s] of a request there.
std::vector<double> service_seconds(const scenario::Scenario& still) {
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(still);
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  std::vector<double> seconds;
  for (std::uint32_t index = 0; index < still.endpoints.size(); ++index) {
    seconds.push_back(server_queues[index] ? server_queues[index]->seconds
                                           : config::seconds(still.endpoints[index].service_time) *
                                                 state.of(config::EndpointIndex{index}).slowness);
  }
  return seconds;
}

// The requests of all proxies that ask for a service, at a cluster and at one of its endpoints.
struct Demand {
  double rate = 0.0;       // requests/s that the cluster's endpoints answer
  double busy = 0.0;       // connections that carry a request, by Little's law
  double endpoints = 0.0;  // that answer any
  double busiest = 0.0;    // connections to one endpoint that carry a request
};

Demand demand_of(const scenario::Service& service, const EndpointRates& rates, const std::vector<double>& seconds) {
  Demand demand;
  for (const scenario::Host& host : service.hosts) {
    const double rate = rates[host.endpoint.value];
    if (rate > 0.0) {
      const double busy = rate * seconds[host.endpoint.value];
      demand.rate += rate;
      demand.busy += busy;
      demand.busiest = std::max(demand.busiest, busy);
      ++demand.endpoints;
    }
  }
  return demand;
}

}  // namespace

std::vector<bool> endless_pools(const scenario::Scenario& still, double seconds) {
  std::vector<bool> endless(still.services.size(), false);
  if (std::none_of(still.services.begin(), still.services.end(), is_limited)) {
    return endless;
  }
  each_use(still, [&](std::uint32_t, config::ServiceIndex asked, const scenario::Service& service) {
    const Pool pool = pool_of(service.cluster);
    double longest = 0.0;  // [s] per request
    for (const scenario::Host& host : service.hosts) {
      longest = std::max(longest, config::seconds(still.endpoints[host.endpoint.value].service_time));
    }
    const double connections = pool.to(static_cast<double>(service.hosts.size()), 1.0);
    endless[asked.value] =
        endless[asked.value] || (pool.is_limited() && pool.pending * longest / connections > short_wait * seconds);
  });
  return endless;
}

void set_connection_utilisation(const scenario::Scenario& still, double seconds, Loads& loads) {
  const std::vector<bool> endless = endless_pools(still, seconds);
  if (std::find(endless.begin(), endless.end(), true) == endless.end()) {
    return;
  }
  const std::vector<double> times = service_seconds(still);
  const auto rates = rates_of_flows(still);
  // By requested service and cluster behind it: the proxies that ask, times their connections.
  struct Offer {
    double all = 0.0;
    double of_one_host = 0.0;
    Demand demand = {};
  };
  std::map<std::pair<std::uint32_t, const scenario::Service*>, Offer> offers;
  each_use(still, [&](std::uint32_t index, config::ServiceIndex asked, const scenario::Service& service) {
    const scenario::ClientEntry& client = still.clients[index];
    const Pool pool = pool_of(service.cluster);
    const auto rate = rates.find({index, asked.value});
    if (!endless[asked.value] || !pool.is_limited() || rate == rates.end()) {
      return;
    }
    const EndpointRates& answered = loads.rates_by_service[asked.value];
    const Demand demand = demand_of(service, answered, times);
    Offer& offer = offers[{asked.value, &service}];
    offer.demand = demand;
    offer.all += client.count * pool.to(demand.endpoints, client.concurrency);
    offer.of_one_host += client.count * pool.to(1.0, client.concurrency);
    // If several clusters are behind a service, the part that each client sends to one of them is not known.
    const double of_service = answered.sum();
    if (demand.rate >= of_service * (1.0 - rounding_of_rates) && demand.rate > 0.0) {
      std::optional<double>& most = loads.services[asked.value].connection_utilisation;
      most = std::max(most.value_or(0.0), rate->second / client.count * demand.busy / demand.rate /
                                              pool.to(demand.endpoints, client.concurrency));
    }
  });
  for (const auto& [key, offer] : offers) {
    std::optional<double>& most = loads.services[key.first].connection_utilisation;
    if (offer.all > 0.0) {
      most = std::max({most.value_or(0.0), offer.demand.busy / offer.all, offer.demand.busiest / offer.of_one_host});
    }
  }
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
