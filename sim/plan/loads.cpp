#include "sim/plan/loads.hpp"

#include <algorithm>
#include <numeric>

#include "models/config/seconds.hpp"
#include "sim/plan/cut_off.hpp"
#include "sim/run/eds/cluster_watch.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

double weighted(const std::vector<ServiceLoad>& services, double ServiceLoad::* fraction) {
  double sum = 0.0;
  double rate = 0.0;
  for (const ServiceLoad& service : services) {
    sum += service.rate * service.*fraction;
    rate += service.rate;
  }
  return rate > 0.0 ? sum / rate : 0.0;
}

double summed(const std::vector<ServiceLoad>& services, double ServiceLoad::* amount) {
  return std::accumulate(services.begin(), services.end(), 0.0,
                         [&](double sum, const ServiceLoad& service) { return sum + service.*amount; });
}

// Returns nullopt if any amount is nullopt.
std::optional<double> summed(const std::vector<ServiceLoad>& services, std::optional<double> ServiceLoad::* amount) {
  std::optional<double> sum = 0.0;
  for (const ServiceLoad& service : services) {
    sum = sum && service.*amount ? std::optional(*sum + *(service.*amount)) : std::nullopt;
  }
  return sum;
}

}  // namespace

double EndpointRates::sum() const {
  return std::accumulate(rates_.begin(), rates_.end(), 0.0);
}

void EndpointRates::add(std::uint32_t endpoint, double rate) {
  if (rates_.empty()) {
    first_ = endpoint;
  }
  if (endpoint < first_) {
    rates_.insert(rates_.begin(), first_ - endpoint, 0.0);
    first_ = endpoint;
  } else if (endpoint >= end()) {
    rates_.resize(endpoint - first_ + 1, 0.0);
  }
  rates_[endpoint - first_] += rate;
}

double Loads::rate() const {
  return summed(services, &ServiceLoad::rate);
}
std::optional<double> Loads::cost() const {
  return summed(services, &ServiceLoad::cost);
}
std::optional<double> Loads::bytes() const {
  return summed(services, &ServiceLoad::bytes);
}
double Loads::failed() const {
  return weighted(services, &ServiceLoad::failed);
}
double Loads::no_host() const {
  return weighted(services, &ServiceLoad::no_host);
}
double Loads::cross_zone() const {
  return weighted(services, &ServiceLoad::cross_zone);
}

std::vector<std::optional<ServerQueue>> server_queues_of(const scenario::Scenario& still) {
  std::vector<std::optional<ServerQueue>> server_queues(still.endpoints.size());
  std::vector<std::optional<std::uint32_t>> of_node(still.nodes.size());
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  std::uint32_t next = 0;
  for (std::size_t index = 0; index < server_queues.size(); ++index) {
    const scenario::Endpoint& endpoint = still.endpoints[index];
    const auto& shared = still.nodes[endpoint.node.value].servers;
    if (!endpoint.servers && !shared) {
      continue;
    }
    ServerQueue server;
    server.seconds =
        scenario::core_seconds(endpoint) * state.of(config::EndpointIndex{static_cast<std::uint32_t>(index)}).slowness;
    const scenario::Servers& servers = endpoint.servers ? *endpoint.servers : *shared;
    server.cores = servers.cores;
    server.queue = servers.queue;
    std::optional<std::uint32_t>& number = of_node[endpoint.node.value];
    if (!endpoint.servers && !number) {
      number = next++;
    }
    server.number = endpoint.servers ? next++ : *number;
    server_queues[index] = server;
  }
  return server_queues;
}

bool first_attempts_suffice(const scenario::Scenario& still, const Loads& loads) {
  const auto checked = [&](const scenario::Service& service) { return !service.cluster.health_checks.empty(); };
  const bool any_checks = std::any_of(still.services.begin(), still.services.end(), checked);
  const auto found_out_by_checks = [](const scenario::Change& change) {
    const auto* const membership = std::get_if<scenario::EdsMembership>(&change.effect);
    return (membership != nullptr && !membership->member) ||
           std::holds_alternative<scenario::AnswersChecks>(change.effect);
  };
  if (any_checks && std::any_of(still.changes.begin(), still.changes.end(), found_out_by_checks)) {
    return false;
  }
  const bool retries = std::any_of(still.routes.begin(), still.routes.end(),
                                   [](const scenario::Route& route) { return route.retry_policy.has_value(); });
  const auto lost = unanswered(still, loads.failing);
  return std::none_of(loads.failing.begin(), loads.failing.end(), [&](const FailedRequests& failing) {
    if (lost.contains({failing.client, failing.service})) {
      return false;
    }
    const scenario::ClientEntry& client = still.clients[failing.client.value];
    const std::vector<config::ServiceIndex> services = services_of(still, client);
    const bool watched = std::any_of(services.begin(), services.end(), [&](config::ServiceIndex service) {
      return scenario::asked_for(still, service) == failing.service &&
             run::ClusterWatch::needed(still.services[service.value].cluster);
    });
    return watched || (retries && !client.workload.requests.empty());
  });
}

}  // namespace spillway::plan
