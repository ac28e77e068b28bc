#include "sim/plan/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/config/seconds.hpp"
#include "sim/plan/loads.hpp"
#include "sim/plan/service_variation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"

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
