#include "sim/plan/load_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/config/seconds.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/service_variation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

constexpr std::uint32_t default_max_requests = 1024;
constexpr double default_timeout = 15.0;  // [s]
// A mean may reach this part of a limit before random peaks reach the limit: one in 10^8 exponential times, or
// geometric numbers, exceeds 20 times the mean. Large numbers of requests in flight are sums, which vary less.
constexpr double safe_part = 1.0 / 20.0;
constexpr double safe_part_of_many = 0.5;

struct Server {
  double seconds = 0.0;      // [s] per request, with nothing else running
  double longest = 0.0;      // longest measured time [s]; 0 if the distribution has no upper end
  double variability = 1.0;  // half of one plus the squared coefficient of variation; at least 1
  double cores = 0.0;        // 0 if unlimited
  double utilisation = 0.0;
};

double longest_measured(const scenario::Endpoint& endpoint) {
  double longest_time = 0.0;
  if (endpoint.variation) {
    for (const scenario::ServiceVariation::Measured& measured : endpoint.variation->measured) {
      longest_time = std::max(longest_time, config::seconds(measured.time));
    }
  }
  return longest_time;
}

// Returns the endpoints that get requests for the service.
std::vector<Server> servers_of(const scenario::Scenario& still, const Loads& loads,
                               const std::vector<std::optional<ServerQueue>>& server_queues,
                               const scenario::ActualState& state, config::ServiceIndex service) {
  const std::vector<double>& rates = loads.rates_by_service[service.value];
  std::vector<Server> servers;
  for (std::uint32_t index = 0; index < rates.size(); ++index) {
    if (rates[index] > 0.0) {
      const scenario::Endpoint& endpoint = still.endpoints[index];
      const double slowness = state.of(config::EndpointIndex{index}).slowness;
      servers.push_back({.seconds = config::seconds(endpoint.service_time) * slowness,
                         .longest = longest_measured(endpoint) * slowness,
                         .variability = std::max(1.0, one_and_squared_variation(endpoint) / 2.0),
                         .cores = server_queues[index] ? server_queues[index]->cores : 0.0,
                         .utilisation = loads.utilisation[index].value_or(0.0)});
    }
  }
  return servers;
}

// Returns an upper bound [s] on a request's mean time at the server; infinity if the server is overloaded.
double mean_at(const Server& server, double growth) {
  if (server.cores == 0.0) {
    return server.seconds;
  }
  const double free = 1.0 - server.utilisation * growth;
  return free > 0.0 ? server.seconds + server.seconds / (server.cores * free) * server.variability
                    : std::numeric_limits<double>::infinity();
}

// By ServiceIndex: rate [requests/s] of the proxy that sends most; of all proxies together if some forward.
std::vector<double> busiest_proxies(const scenario::Scenario& still) {
  std::vector<double> most(still.services.size(), 0.0);
  std::vector<double> all(still.services.size(), 0.0);
  for (const auto& [flow, rate] : rates_of_flows(still)) {
    if (!still.clients[flow.first].zone_proxy) {
      most[flow.second] = std::max(most[flow.second], rate / still.clients[flow.first].count);
      all[flow.second] += rate;
    }
  }
  const bool forwarded = std::any_of(still.clients.begin(), still.clients.end(),
                                     [](const scenario::ClientEntry& client) { return client.zone_proxy.has_value(); });
  return forwarded ? all : most;
}

// Returns the least number of requests to the cluster that its breakers let a proxy have in flight. Connections and
// requests that wait for one are taken to be requests in flight.
double max_in_flight(const envoy::Cluster& cluster) {
  const auto& thresholds = cluster.circuit_breakers.thresholds;
  const bool has_default = std::any_of(thresholds.begin(), thresholds.end(), [](const auto& of) {
    return of.priority == config::RoutingPriority::default_priority;
  });
  std::uint32_t least = has_default ? UINT32_MAX : default_max_requests;
  for (const config::CircuitBreakerThresholds& of : thresholds) {
    least = std::min({least, of.max_requests.value_or(default_max_requests), of.max_connections.value_or(UINT32_MAX),
                      of.max_pending_requests.value_or(UINT32_MAX), of.max_connection_pools.value_or(UINT32_MAX)});
  }
  return least;
}

// Returns the shortest timeout [s] of any route, or of a try.
double shortest_timeout(const scenario::Scenario& still) {
  double shortest = default_timeout;
  const auto add = [&](std::chrono::nanoseconds timeout) {
    shortest = timeout.count() > 0 ? std::min(shortest, config::seconds(timeout)) : shortest;
  };
  for (const scenario::Route& route : still.routes) {
    add(route.timeout);
    add(route.stream_timeout);
    add(route.retry_policy ? route.retry_policy->per_try_timeout.value_or(std::chrono::nanoseconds{0})
                           : std::chrono::nanoseconds{0});
  }
  return shortest;
}

// The limits of one service's requests.
struct Limit {
  double in_flight = 0.0;
  double timeout = 0.0;  // [s]
};

bool too_many(double mean, double limit) {
  return mean > limit * safe_part - 1.0 && (limit < default_max_requests || mean > limit * safe_part_of_many);
}

bool near(const std::vector<Server>& servers, const Limit& limit, double rate, double growth) {
  return std::any_of(servers.begin(), servers.end(), [&](const Server& server) {
    const double mean = mean_at(server, growth);
    return too_many(mean * rate * growth, limit.in_flight) || mean * server.variability > limit.timeout * safe_part ||
           mean + server.longest > limit.timeout;
  });
}

}  // namespace

LoadLimits::LoadLimits(const scenario::Scenario& still, const Loads& loads)
    : still_(still),
      loads_(loads),
      server_queues_(server_queues_of(still)),
      state_(scenario::actual_at(still, still.duration)),
      proxies_(busiest_proxies(still)),
      timeout_(shortest_timeout(still)) {}

double LoadLimits::growth_to(config::ServiceIndex service) const {
  const std::vector<Server> servers = servers_of(still_, loads_, server_queues_, state_, service);
  const double rate = proxies_[service.value];
  Limit limit{.in_flight = std::numeric_limits<double>::infinity(), .timeout = timeout_};
  for (std::uint32_t index = 0; index < still_.services.size(); ++index) {
    if (scenario::asked_for(still_, {index}) == service) {
      for (const config::ServiceIndex member : scenario::members_of(still_, {index})) {
        limit.in_flight = std::min(limit.in_flight, max_in_flight(still_.services[member.value].cluster));
      }
    }
  }
  if (!near(servers, limit, rate, most_growth)) {
    return std::numeric_limits<double>::infinity();
  }
  // Nearness to a limit is monotonic in the growth, so bisection applies.
  double far = 0.0;
  double close = most_growth;
  constexpr double resolution = 1e-3;
  while (close - far > resolution * close) {
    const double middle = (far + close) / 2.0;
    (near(servers, limit, rate, middle) ? close : far) = middle;
  }
  return close;
}

}  // namespace spillway::plan
