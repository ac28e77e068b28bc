#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <variant>
#include <vector>

#include "models/config/circuit_breakers.hpp"
#include "models/documents/problem.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/lints/settings.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::scenario::lints {
namespace {

// The mean number of requests in flight from one proxy at its highest rate, without any queue (Little's law: rate times
// time in the system).
struct UnderWay {
  double requests = 0.0;
  double rate = 0.0;
  double seconds = 0.0;
  const ClientEntry* client = nullptr;
};

double highest_rate(const Scenario& scenario, std::uint32_t number) {
  double highest = scenario.clients[number].workload.rate;
  for (const Change& change : scenario.changes) {
    if (const auto* const phase = std::get_if<RateChange>(&change.effect);
        phase != nullptr && phase->client.value == number) {
      highest = std::max(highest, phase->rate);
    }
  }
  return highest;
}

// Returns the part of a client's requests that go only to the service.
double part_to(const Scenario& scenario, const Workload& workload, config::ServiceIndex service) {
  if (workload.requests.empty()) {
    return workload.service == service ? 1.0 : 0.0;
  }
  double all = 0.0;
  double to = 0.0;
  for (const RequestKind& kind : workload.requests) {
    all += kind.weight;
    to += scenario.routes[kind.route].clusters == std::vector{service} ? kind.weight : 0.0;
  }
  return all > 0.0 ? to / all : 0.0;
}

// Returns the client of the service whose proxies have the most requests in flight; null if no client requests only the
// service.
UnderWay most_under_way(const LintedCluster& cluster) {
  const Scenario& scenario = cluster.scenario;
  const config::ServiceIndex service = cluster.index;
  double seconds = 0.0;
  std::size_t hosts = 0;  // hosts behind a zone proxy are unknown here
  for (const Host& host : scenario.services[service.value].hosts) {
    if (!host.forwards_to) {
      seconds += std::chrono::duration<double>(scenario.endpoints[host.endpoint.value].service_time).count();
      ++hosts;
    }
  }
  seconds /= static_cast<double>(std::max<std::size_t>(hosts, 1));
  UnderWay most;
  for (const std::uint32_t number : cluster.clients[service.value]) {
    const ClientEntry& client = scenario.clients[number];
    const double part = part_to(scenario, client.workload, service);
    if (part <= 0.0 || client.workload.users > 0 || client.zone_proxy) {
      continue;
    }
    const double rate = highest_rate(scenario, number) * part;
    if (most.client == nullptr || rate > most.rate) {
      most = {rate * seconds, rate, seconds, &client};
    }
  }
  return most;
}

std::string of_client(const UnderWay& of) {
  return fmt::format("each proxy of {} has {} requests in flight on average: {} a second, {} ms each",
                     in_ticks(of.client->name), short_number(of.requests), short_number(of.rate),
                     short_number(of.seconds * 1e3));
}

void warn_of_budget(Span where, const config::RetryBudget& budget, const UnderWay& under_way, Diagnostics& problems) {
  const double percent = budget.budget_percent ? budget.budget_percent->value : 20.0;
  // The attempt that has just failed still counts, besides those already in flight.
  const double counted = under_way.requests + 1.0;
  const double retries = percent / 100.0 * counted;
  if (budget.min_retry_concurrency.value_or(3) > 0 || retries >= 1.0) {
    return;
  }
  problems
      .warning("SP756", where, "a retry budget below one retry",
               "{} % of {} requests in flight, the failed one included", {short_number(percent), short_number(counted)})
      .note("{}, so that most failures are not retried", {of_client(under_way)})
      .help("write a `min_retry_concurrency` of 1 or more");
}

void warn_of_breaker(const messages::SettingPlaces::Thresholds& places, const char* name, std::uint32_t limit,
                     const UnderWay& under_way, Diagnostics& problems) {
  if (under_way.requests <= limit || !places.max_requests) {
    return;
  }
  problems
      .warning("SP757", *places.max_requests, "a circuit breaker below what the workload needs",
               "{} concurrent requests, where {} are in flight", {limit, short_number(under_way.requests)})
      .note("{}", {of_client(under_way)})
      .help("write at least twice as many, `{}: {}`", {name, static_cast<std::uint64_t>(2.0 * under_way.requests) + 1});
}

void warn_of_least_request(const LintedCluster& cluster, const UnderWay& under_way, Diagnostics& problems) {
  constexpr std::uint32_t many_clients = 10;
  constexpr std::size_t few_hosts = 10;
  const bool least_request =
      std::holds_alternative<envoy::policies::least_request::Config>(cluster.service().cluster.lb_policy);
  const std::size_t hosts = cluster.service().hosts.size();
  // Two choices differ only if one of them has a request of this proxy in flight.
  if (!least_request || under_way.client->count < many_clients || hosts > few_hosts || hosts < 2 ||
      under_way.seconds <= 0.0 || under_way.requests >= 0.5) {
    return;
  }
  problems
      .warning("SP760", cluster.places.lb_policy.value_or(cluster.places.whole), "least request that picks at random",
               "each proxy knows of {} requests in flight to {} hosts", {short_number(under_way.requests), hosts})
      .note("{}; it does not see those of the other {} proxies", {of_client(under_way), under_way.client->count - 1})
      .help("expect the spread of random picks, or share proxies among more clients");
}

}  // namespace

ClientsOfServices clients_of_services(const Scenario& scenario) {
  ClientsOfServices clients(scenario.services.size());
  const auto add = [&](config::ServiceIndex service, std::uint32_t client) {
    std::vector<std::uint32_t>& known = clients[service.value];
    if (known.empty() || known.back() != client) {
      known.push_back(client);
    }
  };
  for (std::uint32_t number = 0; number < scenario.clients.size(); ++number) {
    const Workload& workload = scenario.clients[number].workload;
    if (workload.requests.empty()) {
      add(workload.service, number);
    }
    for (const RequestKind& kind : workload.requests) {
      const auto& targets = scenario.routes[kind.route].clusters;
      if (targets.size() == 1) {
        add(targets.front(), number);
      }
    }
  }
  return clients;
}

void warn_of_concurrency(const LintedCluster& cluster, Diagnostics& problems) {
  const UnderWay under_way = most_under_way(cluster);
  if (under_way.client == nullptr) {
    return;
  }
  warn_of_least_request(cluster, under_way, problems);
  const std::vector<messages::SettingPlaces::Thresholds>& places = cluster.places.thresholds;
  const auto& thresholds = cluster.service().cluster.circuit_breakers.thresholds;
  for (std::size_t number = 0; number < places.size() && number < thresholds.size(); ++number) {
    const config::CircuitBreakerThresholds& of = thresholds[number];
    if (of.priority != config::RoutingPriority::default_priority || under_way.requests <= 0.0) {
      continue;
    }
    if (of.retry_budget) {
      warn_of_budget(places[number].retry_budget, *of.retry_budget, under_way, problems);
    }
    warn_of_breaker(places[number], cluster.places.names.max_requests, of.max_requests.value_or(1024), under_way,
                    problems);
  }
}

}  // namespace spillway::scenario::lints
