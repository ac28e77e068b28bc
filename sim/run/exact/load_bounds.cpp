#include "sim/run/exact/load_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <variant>

#include "models/config/seconds.hpp"
#include "models/envoy/cluster_state.hpp"
#include "models/envoy/largest_part.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/run/event.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

namespace {

// The probability that any request of a whole run stays longer than its bound.
constexpr double negligible_chance = 1e-9;

// Returns by client entry the highest rate of one client.
std::vector<double> most_rates(const scenario::Scenario& scenario) {
  constexpr double most_of_user = 1e6;
  std::vector<double> rates;
  for (const scenario::ClientEntry& client : scenario.clients) {
    const scenario::Workload& workload = client.workload;
    const double ramp = std::max(0.0, workload.slope) * config::seconds(scenario.duration);
    rates.push_back(workload.rate + ramp + most_of_user * workload.users);
  }
  for (const scenario::Change& change : scenario.changes) {
    if (const auto* const rate = std::get_if<scenario::RateChange>(&change.effect)) {
      const double ramp = std::max(0.0, rate->slope) * config::seconds(scenario.duration);
      rates[rate->client.value] = std::max(rates[rate->client.value], rate->rate + ramp);
    }
  }
  return rates;
}

// Returns the most requests of the whole run.
double most_requests(const scenario::Scenario& scenario, const std::vector<double>& rates) {
  double sum = 1.0;
  for (std::size_t index = 0; index < rates.size(); ++index) {
    sum += rates[index] * scenario.clients[index].count * config::seconds(scenario.duration);
  }
  return sum;
}

double peak_of(const std::vector<scenario::TracedArrival>& trace) {
  constexpr std::chrono::seconds window{1};
  std::size_t most = 0;
  std::size_t first = 0;
  for (std::size_t last = 0; last < trace.size(); ++last) {
    while (trace[last].at - trace[first].at >= window) {
      ++first;
    }
    most = std::max(most, last - first + 1);
  }
  return static_cast<double>(most);
}

}  // namespace

LoadBounds::LoadBounds(const scenario::Scenario& scenario, const Flows& flows, const Traffic& traffic)
    : scenario_(&scenario),
      flows_(&flows),
      traffic_(&traffic),
      actual_(scenario),
      most_rates_(most_rates(scenario)),
      surprise_(std::log(most_requests(scenario, most_rates_) / negligible_chance)),
      slowness_(scenario.endpoints.size(), 1.0),
      most_(scenario.endpoints.size() + scenario.nodes.size()),
      parts_(scenario.endpoints.size(), 0.0) {
  bool limited = false;
  for (std::uint32_t index = 0; index < scenario.endpoints.size(); ++index) {
    const scenario::Endpoint& endpoint = scenario.endpoints[index];
    service_.push_back(service_bound(endpoint.service_time, endpoint.variation.get(), surprise_));
    limited = limited || servers({index});
  }
  if (limited) {
    upstreams_.emplace(scenario, flows);
  }
  for (const scenario::ClientEntry& client : scenario.clients) {
    peak_of_trace_.push_back(client.workload.trace == nullptr ? 0.0 : peak_of(*client.workload.trace));
  }
}

std::size_t LoadBounds::cores_place(config::EndpointIndex index) const {
  const scenario::Endpoint& endpoint = scenario_->endpoints[index.value];
  return endpoint.servers ? index.value : scenario_->endpoints.size() + endpoint.node.value;
}

const std::optional<scenario::Servers>& LoadBounds::servers(config::EndpointIndex index) const {
  const scenario::Endpoint& endpoint = scenario_->endpoints[index.value];
  return endpoint.servers ? endpoint.servers : scenario_->nodes[endpoint.node.value].servers;
}

Queue LoadBounds::queue_of(const Load& load, const scenario::Servers& cores) const {
  Queue queue{.open = load.open,
              .population = load.population,
              .longest_of_population = std::max(load.open.longest, load.closed.longest),
              .servers = cores,
              .horizon = config::seconds(scenario_->duration),
              .surprise = surprise_};
  if (load.open.rate > 0.0) {
    queue.open.rate += load.closed.rate;
    queue.open.busy += load.closed.busy;
    queue.open.square += load.closed.square;
    queue.open.longest = queue.longest_of_population;
  }
  return queue;
}

const Targets& LoadBounds::targets(config::ServiceIndex service) {
  const auto found = targets_.find(service);
  return found != targets_.end() ? found->second : targets_.try_emplace(service, *scenario_, service).first->second;
}

double LoadBounds::most_tries(FlowIndex flow) const {
  double most = 1.0;
  for (const config::RetryPolicy* policy : traffic_->retry_policies(flow)) {
    most = std::max(most, 1.0 + policy->num_retries);
  }
  return most;
}

// Returns the demand of a flow. Users send at most as often as if each response took only the shortest service time.
LoadBounds::Demand LoadBounds::demand_of(FlowIndex flow, Nanoseconds until) {
  const config::ClientEntryIndex index = flows_->at(flow).client;
  const scenario::ClientEntry& client = scenario_->clients[index.value];
  const scenario::Workload& workload = client.workload;
  Demand demand{.flow = flow};
  if (workload.users > 0) {
    double shortest = std::numeric_limits<double>::infinity();
    const Targets& hosts = targets(flows_->at(flow).service);
    for (std::uint32_t target = 0; target < hosts.size(); ++target) {
      shortest = std::min(shortest, service_[hosts.at(target).endpoint.value].mean);
    }
    demand.open = false;
    demand.population = static_cast<double>(workload.users) * client.count;
    demand.rate = demand.population / (config::seconds(workload.think_time) + shortest);
  } else if (workload.trace != nullptr) {
    demand.population = demand.rate = peak_of_trace_[index.value];
  } else {
    demand.rate = client.count * std::max(actual_.rate(index, since_), actual_.rate(index, until));
  }
  demand.rate *= traffic_->part_of_client(flow);
  return demand;
}

std::vector<LoadBounds::Demand> LoadBounds::demands(Nanoseconds until, const Judge& judge) {
  std::vector<Demand> all;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> known;
  ForwardedParts forwarded({*scenario_, *flows_, *traffic_, *upstreams_});
  for (const FlowIndex flow : flows_->all()) {
    Demand demand = demand_of(flow, until);
    if (scenario_->clients[flows_->at(flow).client.value].zone_proxy || !(demand.rate > 0.0)) {
      continue;
    }
    const auto [place, is_new] =
        known.try_emplace({upstreams_->class_index(flow), traffic_->class_of(flow), demand.open}, all.size());
    if (!is_new) {
      all[place->second].rate += demand.rate;
      all[place->second].population += demand.population;
      continue;
    }
    demand.shares = judge.shares_of(flow, *upstreams_->state(flow));
    demand.forwarded = forwarded.of(targets(flows_->at(flow).service));
    all.push_back(std::move(demand));
  }
  return all;
}

void LoadBounds::add(const Demand& demand) {
  const Targets& hosts = targets(flows_->at(demand.flow).service);
  std::fill(parts_.begin(), parts_.end(), 0.0);
  const auto take = [&](std::uint32_t target, double part) {
    double& sum = parts_[hosts.at(target).endpoint.value];
    sum = std::min(1.0, sum + (hosts.at(target).ends_at_zone_proxy ? 0.0 : part));
  };
  if (demand.settled) {
    const envoy::ClusterState& state = *upstreams_->state(demand.flow);
    const std::map<std::uint32_t, double> joint = envoy::joint_sums(demand.shares);
    for (const envoy::HostShare& row : demand.shares.hosts) {
      const double part = envoy::largest_part(state, row, joint);
      std::uint32_t target = hosts.index_of(row.child, row.host);
      do {
        const double behind = demand.forwarded.empty() ? 1.0 : demand.forwarded[target];
        take(target, hosts.at(target).on_connection && behind > 0.0 ? part : part * behind);
        ++target;
      } while (target < hosts.size() && !hosts.at(target).first_of_host);
    }
  } else {
    for (std::uint32_t target = 0; target < hosts.size(); ++target) {
      take(target, 1.0);
    }
  }
  const double rate = demand.rate * (demand.settled ? 1.0 : most_tries(demand.flow));
  for (std::uint32_t endpoint = 0; endpoint < parts_.size(); ++endpoint) {
    if (parts_[endpoint] > 0.0) {
      Load& load = now_[cores_place({endpoint})];
      (demand.open ? load.open : load.closed).add(rate * parts_[endpoint], service_[endpoint]);
      load.population += demand.population;
    }
  }
}

void LoadBounds::raise() {
  for (std::uint32_t index = 0; index < scenario_->endpoints.size(); ++index) {
    const auto& cores = servers({index});
    const std::size_t place = cores_place({index});
    Load& now = now_[place];
    Load& most = most_[place];
    if (!cores || (now.open.rate <= most.open.rate && now.open.square <= most.open.square &&
                   now.closed.square <= most.closed.square && now.population <= most.population)) {
      continue;
    }
    most.open.raise_to(now.open);
    most.closed.raise_to(now.closed);
    most.population = std::max(most.population, now.population);
    most.stay = longest_stay(queue_of(most, *cores));
  }
}

void LoadBounds::measure(Nanoseconds until, const Judge& judge) {
  if (!upstreams_ || until <= since_) {
    return;
  }
  bool ramps = false;
  for (std::uint32_t client = 0; client < scenario_->clients.size(); ++client) {
    ramps = ramps || actual_.of(config::ClientEntryIndex{client}).slope != 0.0;
  }
  if (changed_ || ramps) {
    std::vector<Demand> sent = demands(until, judge);
    bool unsettles = true;
    bool all_settled = true;
    while (unsettles) {
      now_.assign(most_.size(), {});
      for (const Demand& demand : sent) {
        add(demand);
      }
      for (std::size_t place = 0; all_settled && place < now_.size(); ++place) {
        most_[place].busy = std::max(most_[place].busy, now_[place].open.busy + now_[place].closed.busy);
      }
      all_settled = false;
      raise();
      unsettles = false;
      for (Demand& demand : sent) {
        if (demand.settled && !judge.is_settled(demand.flow, demand.shares)) {
          demand.settled = false;
          unsettles = true;
        }
      }
    }
  }
  changed_ = false;
  since_ = until;
}

void LoadBounds::apply(std::span<const scenario::Change> changes) {
  std::vector<const scenario::Change*> ordered;
  for (const scenario::Change& change : changes) {
    ordered.push_back(&change);
  }
  numeric::stable_sort(ordered, [](const scenario::Change* left, const scenario::Change* right) {
    return event_class_of(left->effect) < event_class_of(right->effect);
  });
  for (const scenario::Change* change : ordered) {
    std::visit(
        [&](const auto& effect) {
          using Effect = std::decay_t<decltype(effect)>;
          actual_.apply(effect, change->at);
          if constexpr (scenario::is_reported<Effect>) {
            if (upstreams_) {
              upstreams_->tell(effect, change->at > Nanoseconds{0} ? Upstreams::Removal::once_a_check_fails
                                                                   : Upstreams::Removal::at_once);
            }
          } else if constexpr (std::is_same_v<Effect, config::RuntimeChange>) {
            if (upstreams_) {
              upstreams_->tell(effect);
            }
          } else if constexpr (std::is_same_v<Effect, scenario::Slow>) {
            for (const config::HostIndex host : effect.hosts) {
              const config::EndpointIndex index = scenario::endpoint_index(*scenario_, effect.service, host);
              const scenario::Endpoint& endpoint = scenario_->endpoints[index.value];
              double& slowness = slowness_[index.value];
              slowness = std::max(slowness, effect.slowness);
              service_[index.value] =
                  service_bound(endpoint.service_time, endpoint.variation.get(), surprise_).slowed(slowness);
            }
          }
        },
        change->effect);
  }
  changed_ = true;
}

double LoadBounds::stay(config::EndpointIndex endpoint) const {
  const double unhindered = service_[endpoint.value].longest;
  return servers(endpoint) ? std::max(unhindered, most_[cores_place(endpoint)].stay) : unhindered;
}

double LoadBounds::utilisation(config::EndpointIndex endpoint) const {
  const auto& cores = servers(endpoint);
  const Load& load = most_[cores_place(endpoint)];
  return cores ? load.busy / cores->cores : 0.0;
}

bool LoadBounds::may_get_more(config::EndpointIndex endpoint) const {
  constexpr double rounding = 1e-9;
  const Load& load = most_[cores_place(endpoint)];
  return load.open.busy + load.closed.busy > load.busy + rounding;
}

bool LoadBounds::may_have_in_flight(config::ClientEntryIndex index, double longest, std::uint32_t most) const {
  const scenario::Workload& workload = scenario_->clients[index.value].workload;
  Queue queue{.population = workload.users + peak_of_trace_[index.value], .surprise = surprise_};
  queue.open.rate = workload.users > 0 ? 0.0 : most_rates_[index.value];
  return may_exceed(queue, longest, most);
}

bool LoadBounds::may_fill(config::EndpointIndex endpoint) const {
  const auto& cores = servers(endpoint);
  const Load& load = most_[cores_place(endpoint)];
  return cores && cores->queue && may_exceed(queue_of(load, *cores), load.stay, *cores->queue);
}

}  // namespace spillway::run
