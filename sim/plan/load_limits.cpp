#include "sim/plan/load_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/config/seconds.hpp"
#include "sim/plan/breaker_thresholds.hpp"
#include "sim/plan/objectives.hpp"
#include "sim/plan/rows.hpp"
#include "sim/plan/service_variation.hpp"
#include "sim/run/exact/stay_bound.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::plan {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double default_timeout = 15.0;  // [s]
// A mean number may reach this part of a limit before random peaks reach the limit: one in 10^8 geometric numbers
// exceeds 20 times the mean. Large numbers of requests in flight are sums, which vary less.
constexpr double safe_part = 1.0 / 20.0;
constexpr double safe_part_of_many = 0.5;
// -ln of the part of requests that may exceed the bound of their time: one in 10^10.
constexpr double surprise = 23.0;

run::ServiceBound bound_of(const scenario::Endpoint& endpoint, double seconds) {
  const double alone = config::seconds(endpoint.service_time);
  return run::service_bound(endpoint.service_time, endpoint.variation.get(), surprise)
      .slowed(alone > 0.0 ? seconds / alone : 1.0);
}

// Returns an upper bound [s] on a request's mean time at the server; infinity if the server is overloaded.
double mean_at(const LoadLimits::Server& server, double growth) {
  if (server.work.rate == 0.0) {
    return server.seconds;
  }
  const double free = 1.0 - server.utilisation * growth;
  return free > 0.0 ? server.seconds + server.seconds / (server.cores.cores * free) * server.variability : unlimited;
}

// Returns an upper bound [s] on a request's time at the server, within `seconds` of load.
double longest_at(const LoadLimits::Server& server, double growth, double seconds) {
  if (server.work.rate == 0.0) {
    return server.longest;
  }
  run::Work work = server.work;
  work.rate *= growth;
  work.busy *= growth;
  work.square *= growth;
  return run::longest_stay({.open = work, .servers = server.cores, .horizon = seconds, .surprise = surprise});
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

// Returns the time [s] that a request can spend on links.
double longest_on_links(const scenario::Scenario& still) {
  constexpr double most_links = 8.0;  // there and back, over zone proxies
  double longest = 0.0;
  for (const scenario::Link& link : still.links) {
    longest = std::max(longest, config::seconds(link.latency + link.jitter));
  }
  return most_links * longest;
}

// Lowers the limits to those of the cluster's breakers. Any request may have to wait while its connection opens.
void lower(LoadLimits::Limit& limit, const envoy::Cluster& cluster) {
  const auto& thresholds = cluster.circuit_breakers.thresholds;
  const bool has_default = std::any_of(thresholds.begin(), thresholds.end(), [](const auto& of) {
    return of.priority == config::RoutingPriority::default_priority;
  });
  limit.in_flight = has_default ? limit.in_flight : std::min(limit.in_flight, 1.0 * default_max_requests);
  for (const config::CircuitBreakerThresholds& of : thresholds) {
    limit.in_flight = std::min({limit.in_flight, 1.0 * of.max_requests.value_or(default_max_requests),
                                of.max_pending_requests ? *of.max_pending_requests : unlimited,
                                of.max_connection_pools ? *of.max_connection_pools : unlimited});
    limit.connections = std::min(limit.connections, of.max_connections ? *of.max_connections : unlimited);
  }
}

// Lowers the timeout to the shortest of the route, or of a try.
void lower(LoadLimits::Limit& limit, const scenario::Route& route) {
  const auto add = [&](std::chrono::nanoseconds of) {
    limit.timeout = of.count() > 0 ? std::min(limit.timeout, config::seconds(of)) : limit.timeout;
  };
  add(route.timeout);
  add(route.stream_timeout);
  add(route.retry_policy ? route.retry_policy->per_try_timeout.value_or(std::chrono::nanoseconds{0})
                         : std::chrono::nanoseconds{0});
}

// Returns the limits by ServiceIndex, for services as clients ask for them.
std::vector<LoadLimits::Limit> limits_of(const scenario::Scenario& still) {
  const double timeout = default_timeout - longest_on_links(still);
  std::vector<LoadLimits::Limit> limits(still.services.size(), {unlimited, unlimited, timeout});
  std::vector<std::vector<std::uint32_t>> asked_for(still.services.size());  // by cluster
  for (std::uint32_t index = 0; index < still.services.size(); ++index) {
    const std::uint32_t service = scenario::asked_for(still, {index}).value;
    asked_for[index].push_back(service);
    for (const config::ServiceIndex member : scenario::members_of(still, {index})) {
      lower(limits[service], still.services[member.value].cluster);
      asked_for[member.value].push_back(service);
    }
  }
  for (const scenario::Route& route : still.routes) {
    for (const config::ServiceIndex cluster : route.clusters) {
      for (const std::uint32_t service : asked_for[cluster.value]) {
        lower(limits[service], route);
      }
    }
  }
  return limits;
}

// True if endpoints keep requests without an answer: in flight until a timeout ends them.
bool never_answers(const scenario::Change& change) {
  const auto* const fails = std::get_if<scenario::Fails>(&change.effect);
  return fails != nullptr && fails->failure == scenario::Failure::no_answer;
}

bool too_many(double mean, double limit) {
  return mean > limit * safe_part - 1.0 && (limit < default_max_requests || mean > limit * safe_part_of_many);
}

// True if one of the limits may end a request. `rate` is that of a proxy.
bool near(const LoadLimits::Server& server, const LoadLimits::Limit& limit, double rate, double growth,
          double seconds) {
  const double in_flight = mean_at(server, growth) * rate * growth;
  if (too_many(in_flight, limit.in_flight)) {
    return true;
  }
  double longest = longest_at(server, growth, seconds);
  if (too_many(in_flight, limit.connections)) {
    if (in_flight > limit.connections * safe_part_of_many) {
      return true;
    }
    // Each request holds one of the connections while it is at the server.
    longest = run::longest_stay(
        {.open = {.rate = rate * growth, .busy = in_flight, .square = in_flight * longest, .longest = longest},
         .servers = {.cores = static_cast<std::uint32_t>(limit.connections)},
         .horizon = seconds,
         .surprise = surprise});
  }
  return longest > limit.timeout;
}

}  // namespace

LoadLimits::LoadLimits(const scenario::Scenario& still, const Loads& loads)
    : still_(still),
      loads_(loads),
      server_queues_(server_queues_of(still)),
      state_(scenario::actual_at(still, still.duration)),
      proxies_(busiest_proxies(still)),
      limits_(limits_of(still)) {
  for (std::uint32_t index = 0; index < server_queues_.size(); ++index) {
    if (server_queues_[index]) {
      const std::uint32_t number = server_queues_[index]->number;
      work_.resize(std::max<std::size_t>(work_.size(), number + 1));
      work_[number].add(loads.rates[index], bound_of(still.endpoints[index], server_queues_[index]->seconds));
    }
  }
}

// Returns the endpoints that get requests for the service.
std::vector<LoadLimits::Server> LoadLimits::servers_of(config::ServiceIndex service) const {
  std::vector<Server> servers;
  const EndpointRates& rates = loads_.rates_by_service[service.value];
  for (std::uint32_t index = rates.first(); index < rates.end(); ++index) {
    if (rates[index] > 0.0) {
      const scenario::Endpoint& endpoint = still_.endpoints[index];
      const std::optional<ServerQueue>& queue = server_queues_[index];
      const double seconds =
          queue ? queue->seconds
                : config::seconds(endpoint.service_time) * state_.of(config::EndpointIndex{index}).slowness;
      servers.push_back({.seconds = seconds,
                         .longest = bound_of(endpoint, seconds).longest,
                         .variability = std::max(1.0, one_and_squared_variation(endpoint) / 2.0)});
      if (queue) {
        servers.back().utilisation = loads_.utilisation[index].value_or(0.0);
        servers.back().cores = endpoint.servers ? *endpoint.servers : *still_.nodes[endpoint.node.value].servers;
        servers.back().work = work_[queue->number];
      }
    }
  }
  return servers;
}

double LoadLimits::growth_to(config::ServiceIndex service) const {
  if (std::any_of(still_.changes.begin(), still_.changes.end(), never_answers)) {
    return 0.0;
  }
  const std::vector<Server> servers = servers_of(service);
  const auto is_near = [&](double growth) {
    return std::any_of(servers.begin(), servers.end(), [&](const Server& server) {
      return near(server, limits_[service.value], proxies_[service.value], growth, config::seconds(still_.duration));
    });
  };
  if (!is_near(most_growth)) {
    return unlimited;
  }
  // Nearness to a limit is monotonic in the growth, so bisection applies.
  double far = 0.0;
  double close = most_growth;
  constexpr double resolution = 1e-3;
  while (close - far > resolution * close) {
    const double middle = (far + close) / 2.0;
    (is_near(middle) ? close : far) = middle;
  }
  return close;
}

std::map<std::uint32_t, double> load_fails_from(const scenario::Scenario& still, const Loads& loads,
                                                const std::vector<Bound>& bounds) {
  std::map<std::uint32_t, double> growths;
  std::optional<LoadLimits> limits;
  for (const Bound& bound : bounds) {
    if (bound.metric == Metric::error_share && !growths.contains(bound.service.value)) {
      if (!limits) {
        limits.emplace(still, loads);
      }
      growths[bound.service.value] = limits->growth_to(bound.service);
    }
  }
  return growths;
}

}  // namespace spillway::plan
