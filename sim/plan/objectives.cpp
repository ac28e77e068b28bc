#include "sim/plan/objectives.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "models/config/seconds.hpp"
#include "models/kuma/names.hpp"
#include "sim/plan/cause_of_failure.hpp"
#include "sim/plan/stability.hpp"
#include "sim/run/replications.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/study/verdict.hpp"

namespace spillway::plan {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Rounding errors of sums must not exceed the limit.
constexpr double rounding = 1e-9;

std::set<std::uint32_t> asked_services(const scenario::Scenario& scenario) {
  std::set<std::uint32_t> services;
  for (const scenario::ClientEntry& client : scenario.clients) {
    if (client.zone_proxy) {
      continue;
    }
    for (const config::ServiceIndex service : services_of(scenario, client)) {
      services.insert(scenario::asked_for(scenario, service).value);
    }
  }
  return services;
}

void add_bounds(const scenario::Objective& objective, config::ServiceIndex service, std::vector<Bound>& bounds) {
  const auto add = [&](Metric metric, const std::optional<double>& limit) {
    if (limit) {
      bounds.push_back({metric, service, *limit});
    }
  };
  const auto seconds = [](const std::optional<std::chrono::nanoseconds>& time) {
    return time ? std::optional(static_cast<double>(time->count()) * 1e-9) : std::nullopt;
  };
  add(Metric::utilisation, objective.utilisation);
  add(Metric::p50, seconds(objective.p50));
  add(Metric::p90, seconds(objective.p90));
  add(Metric::p95, seconds(objective.p95));
  add(Metric::p99, seconds(objective.p99));
  add(Metric::p999, seconds(objective.p999));
  add(Metric::error_share, objective.error_share);
  add(Metric::cross_zone_share, objective.cross_zone_share);
  add(Metric::cross_zone_cost, objective.cross_zone_cost);
  add(Metric::machine_cost, objective.machine_cost);
}

// Returns the busiest endpoint that gets the service's requests, or that is in its list and gets only those of others.
// For a bound on endless queues, considers only endpoints with one.
std::optional<Margin> busiest(const Loads& loads, const Bound& bound) {
  std::optional<Margin> margin;
  const EndpointRates& rates = loads.rates_by_service[bound.service.value];
  for (std::uint32_t index = rates.first(); index < rates.end(); ++index) {
    if (rates[index] > 0.0 && loads.utilisation[index] && (!bound.below || loads.endless[index]) &&
        (!margin || *loads.utilisation[index] > margin->value)) {
      margin = Margin{bound, *loads.utilisation[index], config::EndpointIndex{index}};
    }
  }
  return margin;
}

// Returns the value that the margin's bound limits; nullopt if the endpoint of a utilisation gets no requests.
std::optional<double> value_of(const Loads& loads, const Margin& margin) {
  const ServiceLoad& service = loads.services[margin.bound.service.value];
  switch (margin.bound.metric) {
    case Metric::utilisation:
      return loads.utilisation[margin.endpoint->value];
    case Metric::error_share:
      return service.failed;
    case Metric::cross_zone_share:
      return service.cross_zone;
    case Metric::cross_zone_cost:
      return service.cost;
    case Metric::machine_cost:
      return service.machine_cost;
    case Metric::link_utilisation:
      return service.link_utilisation;
    case Metric::connection_utilisation:
      return service.connection_utilisation;
    case Metric::p50:
    case Metric::p90:
    case Metric::p95:
    case Metric::p99:
    case Metric::p999:
      break;
  }
  return std::nullopt;
}

// Returns one value per replication. A utilisation is that of the replication's busiest endpoint, whichever it is. If
// chance decides which endpoint gets a connection's load, no endpoint's mean shows the busiest one's load.
std::vector<double> values_of(const Loads& loads, const Margin& margin) {
  std::vector<double> values;
  for (const Loads& replication : loads.replications) {
    if (margin.bound.metric == Metric::utilisation) {
      const std::optional<Margin> of = busiest(replication, margin.bound);
      values.push_back(of ? of->value : 0.0);
    } else {
      values.push_back(value_of(replication, margin).value_or(0.0));
    }
  }
  return values;
}

// Returns the half-width by Student's distribution over the replications. For a utilisation, it is at least the largest
// distance of a replication from the mean: each is one outcome of an outage. For a share with no hit in n requests, it
// is 3 / n (the rule of three).
double half_width_of(const Loads& loads, const Margin& margin, const std::vector<double>& values) {
  double student = run::half_width_95(values);
  for (const double value : values) {
    const bool is_utilisation = margin.bound.metric == Metric::utilisation;
    student = is_utilisation ? std::max(student, std::abs(value - margin.value)) : student;
  }
  const std::uint64_t requests = loads.services[margin.bound.service.value].requests;
  const bool is_share = !grows_with_rate(margin.bound.metric) && margin.bound.metric != Metric::machine_cost;
  return is_share && requests > 0 ? std::max(student, 3.0 / static_cast<double>(requests)) : student;
}

// True if, apart from overload, no client has more failed requests than allowed.
bool fails_by_overload(const Loads& loads, const Bound& bound) {
  return std::all_of(loads.failing.begin(), loads.failing.end(), [&](const FailedRequests& failing) {
    const double otherwise = std::accumulate(
        failing.causes.begin(), failing.causes.end(), 0.0,
        [](double sum, const CausePart& part) { return sum + (is_of_overload(part.cause) ? 0.0 : part.share); });
    return failing.service != bound.service || otherwise <= bound.limit;
  });
}

// Sets eased_at. For counted requests only: their shares of failures are those of this rate only.
void ease(const Loads& loads, std::vector<Margin>& margins) {
  double least = 1.0;
  for (const Margin& margin : margins) {
    least = margin.bound.metric == Metric::utilisation ? std::min(least, margin.growth()) : least;
  }
  for (Margin& margin : margins) {
    if (margin.bound.metric == Metric::error_share && !margin.holds() && least < 1.0 &&
        fails_by_overload(loads, margin.bound)) {
      margin.eased_at = least;
    }
  }
}

}  // namespace

namespace {

// True if a bound covers the service's failed requests, or if the service has no bounds and is not judged at all.
bool counts_failures(const std::vector<Bound>& bounds, config::ServiceIndex service) {
  bool bounded = false;
  bool counted = false;
  for (const Bound& bound : bounds) {
    if (bound.service == service) {
      bounded = true;
      counted = counted || bound.metric == Metric::error_share || !follows_from_shares(bound.metric);
    }
  }
  return counted || !bounded;
}

// True if the service has a bound, but none on utilisation.
bool needs_stability(const std::vector<Bound>& bounds, config::ServiceIndex service) {
  bool bounded = false;
  for (const Bound& bound : bounds) {
    if (bound.service == service && bound.metric == Metric::utilisation) {
      return false;
    }
    bounded = bounded || bound.service == service;
  }
  return bounded;
}

bool is_bounded(const std::vector<Bound>& bounds, config::ServiceIndex service) {
  return std::any_of(bounds.begin(), bounds.end(), [&](const Bound& bound) { return bound.service == service; });
}

// True if only users who wait for responses ask for the service: its queues hold at most one request of each.
bool is_of_users(const scenario::Scenario& scenario, config::ServiceIndex service) {
  return std::all_of(scenario.clients.begin(), scenario.clients.end(), [&](const scenario::ClientEntry& client) {
    const std::vector<config::ServiceIndex> asked = services_of(scenario, client);
    return client.zone_proxy || client.workload.arrivals == scenario::Arrivals::closed ||
           std::none_of(asked.begin(), asked.end(),
                        [&](config::ServiceIndex one) { return scenario::asked_for(scenario, one) == service; });
  });
}

bool has_endless_queue(const scenario::Scenario& scenario, const std::vector<bool>& endless,
                       config::ServiceIndex service) {
  const std::vector<config::ServiceIndex> members = scenario::members_of(scenario, service);
  return std::any_of(members.begin(), members.end(), [&](config::ServiceIndex member) {
    const auto& hosts = scenario.services[member.value].hosts;
    return std::any_of(hosts.begin(), hosts.end(),
                       [&](const scenario::Host& host) { return endless[host.endpoint.value]; });
  });
}

}  // namespace

std::vector<Bound> bounds_of(const scenario::Scenario& scenario) {
  constexpr double careful_utilisation = 0.8;
  const std::set<std::uint32_t> services = asked_services(scenario);
  const bool limited = scenario.mode == scenario::Mode::platform &&
                       std::any_of(scenario.links.begin(), scenario.links.end(),
                                   [](const scenario::Link& link) { return link.bandwidth.has_value(); });
  const std::vector<bool> endless = endless_queues(scenario, config::seconds(scenario.duration));
  const std::vector<bool> pools = endless_pools(scenario, config::seconds(scenario.duration));
  std::vector<Bound> bounds;
  for (const scenario::Objective& objective : scenario.objectives) {
    for (const std::uint32_t service : services) {
      if (!objective.service || objective.service->value == service) {
        add_bounds(objective, {service}, bounds);
      }
    }
  }
  for (const std::uint32_t service : services) {
    if (scenario.objectives.empty()) {
      bounds.push_back({Metric::utilisation, {service}, careful_utilisation, true});
    }
    if (!counts_failures(bounds, {service})) {
      bounds.push_back({Metric::error_share, {service}, 0.0, true});
    }
    if (needs_stability(bounds, {service}) && has_endless_queue(scenario, endless, {service}) &&
        !is_of_users(scenario, {service})) {
      bounds.push_back({Metric::utilisation, {service}, 1.0, true, true});
    }
    if (limited) {
      bounds.push_back({Metric::link_utilisation, {service}, 1.0, true});
    }
    if (pools[service] && is_bounded(bounds, {service}) && !is_of_users(scenario, {service})) {
      bounds.push_back({Metric::connection_utilisation, {service}, 1.0, true, true});
    }
  }
  return bounds;
}

std::vector<Bound> with_errors_of_latency(std::vector<Bound> bounds) {
  for (std::size_t index = 0, written = bounds.size(); index < written; ++index) {
    if (const auto late = may_be_late(bounds[index].metric)) {
      bounds.push_back({Metric::error_share, bounds[index].service, *late, true});
    }
  }
  return bounds;
}

std::optional<Metric> implied_latency(const Bound& bound) {
  for (const Metric metric : {Metric::p50, Metric::p90, Metric::p95, Metric::p99, Metric::p999}) {
    if (bound.assumed && bound.metric == Metric::error_share && may_be_late(metric) == bound.limit) {
      return metric;
    }
  }
  return std::nullopt;
}

study::Verdict Margin::judgement() const noexcept {
  const double limit = bound.limit * (1.0 + rounding) + 1e-12;
  const bool none_failed = bound.metric == Metric::error_share && bound.limit == 0.0 && value == 0.0;
  if (bound.below) {
    const double below = bound.limit * (1.0 - rounding);
    return value + half_width < below    ? study::Verdict::met
           : value - half_width >= below ? study::Verdict::missed
                                         : study::Verdict::undecided;
  }
  if (none_failed || value + half_width <= limit) {
    return study::Verdict::met;
  }
  return value - half_width > limit ? study::Verdict::missed : study::Verdict::undecided;
}

double Margin::growth() const noexcept {
  if (!grows_with_rate(bound.metric)) {
    return holds() ? infinite : eased_at;
  }
  // The rates that a search tries are this far apart.
  constexpr double step = 1.02;
  const double growth = growth_to_limit();
  return !bound.below || !std::isfinite(growth) ? growth : holds() ? std::max(1.0, growth / step) : growth / step;
}

double Margin::growth_to_limit() const noexcept {
  return value > 0.0 ? bound.limit / (value + half_width) : infinite;
}

std::vector<Margin> margins_of(const Loads& loads, const std::vector<Bound>& bounds) {
  std::vector<Margin> margins;
  for (const Bound& bound : bounds) {
    std::optional<Margin> margin;
    if (bound.metric == Metric::utilisation) {
      margin = busiest(loads, bound);
    } else if (follows_from_shares(bound.metric)) {
      if (const std::optional<double> value = value_of(loads, Margin{bound})) {
        margin = Margin{bound, *value};
      }
    }
    if (margin && !loads.replications.empty()) {
      const std::vector<double> values = values_of(loads, *margin);
      if (bound.metric == Metric::utilisation) {
        margin->value = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
      }
      margin->half_width = half_width_of(loads, *margin, values);
    }
    if (margin) {
      margins.push_back(*margin);
    }
  }
  if (!loads.exact) {
    ease(loads, margins);
  }
  return margins;
}

study::Verdict judge(const std::vector<Margin>& margins) {
  study::Verdict worst = study::Verdict::met;
  for (const Margin& margin : margins) {
    worst = std::max(worst, margin.judgement());
  }
  return worst;
}

std::vector<Bound> unknown_bounds(const Loads& loads, const std::vector<Bound>& bounds) {
  std::vector<Bound> unknown;
  for (const Bound& bound : bounds) {
    const bool answered = loads.rates_by_service[bound.service.value].sum() > 0.0;
    // Requests that never wait for cores form no queue.
    const bool known = bound.metric == Metric::utilisation
                           ? busiest(loads, bound).has_value()
                           : !follows_from_shares(bound.metric) || value_of(loads, Margin{bound}).has_value();
    if (answered && !bound.below && !known) {
      unknown.push_back(bound);
    }
  }
  return unknown;
}

std::optional<Margin> tightest(const std::vector<Margin>& margins) {
  const auto least = std::min_element(margins.begin(), margins.end(), [](const Margin& left, const Margin& right) {
    return left.growth() < right.growth();
  });
  return least == margins.end() ? std::nullopt : std::optional(*least);
}

ServiceGrowth::ServiceGrowth(const scenario::Scenario& still, const Loads& loads, const std::vector<Bound>& bounds)
    : loads_(loads),
      bounds_(bounds),
      server_queues_(server_queues_of(still)),
      limits_(still.endpoints.size(), infinite) {
  for (std::uint32_t endpoint = 0; endpoint < server_queues_.size(); ++endpoint) {
    if (const auto& queue = server_queues_[endpoint]) {
      served_by_.resize(std::max<std::size_t>(served_by_.size(), queue->number + 1));
      served_by_[queue->number].push_back(endpoint);
    }
  }
  for (const Bound& bound : bounds) {
    if (bound.metric != Metric::utilisation) {
      continue;
    }
    const EndpointRates& rates = loads.rates_by_service[bound.service.value];
    for (std::uint32_t index = rates.first(); index < rates.end(); ++index) {
      if (rates[index] > 0.0 && (!bound.below || loads.endless[index])) {
        limits_[index] = std::min(limits_[index], bound.limit);
      }
    }
  }
}

double ServiceGrowth::of(config::ServiceIndex service) const {
  std::map<std::uint32_t, double> own;  // utilisation by this service's requests, by server queue
  const EndpointRates& of_service = loads_.rates_by_service[service.value];
  for (std::uint32_t index = of_service.first(); index < of_service.end(); ++index) {
    if (const auto& queue = server_queues_[index]; queue && of_service[index] > 0.0) {
      own[queue->number] += of_service[index] * queue->seconds / queue->cores;
    }
  }
  double growth = infinite;
  // Endpoints that get none of this service's requests are loaded by others, at any rate of it.
  for (const auto& [queue, part] : own) {
    for (const std::uint32_t index : served_by_[queue]) {
      if (std::isfinite(limits_[index])) {
        const double others = *loads_.utilisation[index] - part;
        growth = std::min(growth, std::max(0.0, (limits_[index] - others) / part));
      }
    }
  }
  for (const Bound& bound : bounds_) {
    if (bound.service == service && bound.metric != Metric::utilisation) {
      for (const Margin& margin : margins_of(loads_, {bound})) {
        growth = std::min(growth, margin.growth());
      }
    }
  }
  return growth;
}

}  // namespace spillway::plan
