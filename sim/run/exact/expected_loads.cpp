#include "sim/run/exact/expected_loads.hpp"

#include <cmath>
#include <limits>

#include "sim/run/records/load_periods.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/scenario/client.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ExpectedLoads::ExpectedLoads(const scenario::Scenario& scenario, const Flows& flows, const EpochBook& book,
                             const Truth& truth, const world::World& world, std::optional<Nanoseconds> sample,
                             std::span<const Nanoseconds> cuts)
    : scenario_(&scenario),
      flows_(&flows),
      book_(&book),
      truth_(&truth),
      world_(&world),
      sample_(sample),
      ends_(period_ends(scenario, sample, CutAt::every_change, cuts)),
      service_of_(services_of_endpoints(scenario)) {
  for (std::uint32_t endpoint = 0; endpoint < scenario.endpoints.size(); ++endpoint) {
    now_.push_back({.endpoint = {endpoint}});
  }
}

// Returns the average nanoseconds of a core that a request from `client` needs.
double ExpectedLoads::busy_of_one(const Target& target, config::NodeIndex client) const {
  const scenario::Endpoint& endpoint = target.endpoint_in(*scenario_);
  const config::NodeIndex from = target.via.empty() ? client : scenario_->endpoints[target.via.back().value].node;
  if (target.ends_at_zone_proxy || !truth_->exists(target.endpoint) || !world_->is_on(endpoint.node) ||
      !world_->is_linked(from, endpoint.node)) {
    return 0.0;
  }
  const scenario::EndpointState& state = truth_->state().of(target.endpoint);
  const bool unserved = state.failing.failure == scenario::Failure::connect_failure ||
                        state.failing.failure == scenario::Failure::no_answer;
  const double served = unserved ? 1.0 - state.failing.fraction : 1.0;
  return served * 1e9 * scenario::core_seconds(endpoint) * state.slowness;
}

void ExpectedLoads::expect(FlowIndex flow, double requests, Nanoseconds start, Nanoseconds end) {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(flow).client.value];
  if (client.zone_proxy || requests <= 0.0) {
    return;
  }
  const auto [place, is_new] =
      alike_.try_emplace({book_->present_class(flow, start), client.node, client.workload.users > 0}, demands_.size());
  if (is_new) {
    demands_.push_back({flow, 0.0, start, end});
  }
  demands_[place->second].requests += requests;
}

void ExpectedLoads::add(const Demand& demand) {
  const scenario::ClientEntry& client = scenario_->clients[flows_->at(demand.flow).client.value];
  const Targets& targets = book_->targets(demand.flow);
  const auto shares = book_->present_shares(demand.flow, demand.start, demand.end);
  for (std::uint32_t index = 0; index < targets.size(); ++index) {
    Load& load = now_[targets.at(index).endpoint.value];
    if (!shares[index] || client.workload.users > 0) {
      load.requests = unknown;
    } else if (*shares[index] > 0.0) {
      const double sent = demand.requests * *shares[index];
      load.requests += sent;
      load.busy += sent * busy_of_one(targets.at(index), client.node);
    }
  }
}

void ExpectedLoads::end_period() {
  for (const Demand& demand : demands_) {
    add(demand);
  }
  demands_.clear();
  alike_.clear();
  auto& period = periods_.emplace_back();
  for (Load& load : now_) {
    if (load.requests > 0.0 || std::isnan(load.requests)) {
      period.push_back(load);
    }
    load = {.endpoint = load.endpoint};
  }
}

void ExpectedLoads::write(bool epochs, Results& results) const {
  if (epochs) {
    results.endpoints = loads(epoch_stretches(results));
  }
  if (sample_) {
    results.samples = loads(sample_stretches(*sample_, scenario_->duration));
  }
  results.windows = loads(window_stretches(*scenario_));
}

std::size_t ExpectedLoads::cores_place(config::EndpointIndex index) const {
  const scenario::Endpoint& endpoint = scenario_->endpoints[index.value];
  return endpoint.servers ? index.value : scenario_->endpoints.size() + endpoint.node.value;
}

std::vector<EndpointLoad> ExpectedLoads::loads(std::span<const Stretch> stretches) const {
  const std::size_t endpoints = scenario_->endpoints.size();
  std::vector<EndpointLoad> rows;
  for (std::uint32_t number = 0; number < stretches.size(); ++number) {
    const Stretch& stretch = stretches[number];
    std::vector<double> requests(endpoints, 0.0);
    std::vector<double> busy(endpoints + scenario_->nodes.size(), 0.0);
    const auto [first, last] = periods_of(stretch, ends_);
    for (std::size_t period = first; period < last; ++period) {
      for (const Load& load : periods_[period]) {
        requests[load.endpoint.value] += load.requests;
        busy[cores_place(load.endpoint)] += std::isnan(load.requests) ? unknown : load.busy;
      }
    }
    const auto length = static_cast<double>((stretch.end - stretch.start).count());
    for (std::uint32_t index = 0; index < endpoints; ++index) {
      const scenario::Endpoint& endpoint = scenario_->endpoints[index];
      const auto& servers = endpoint.servers ? endpoint.servers : scenario_->nodes[endpoint.node.value].servers;
      const double needed = busy[cores_place(config::EndpointIndex{index})];
      if (!service_of_[index] || (requests[index] == 0.0 && (!servers || needed == 0.0))) {
        continue;
      }
      EndpointLoad row{.epoch = number,
                       .start = stretch.start,
                       .end = stretch.end,
                       .service = *service_of_[index],
                       .endpoint = {index}};
      if (!std::isnan(requests[index])) {
        row.expected = requests[index];
      }
      if (servers && !std::isnan(needed)) {
        row.utilisation = needed / (length * servers->cores);
      }
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace spillway::run
