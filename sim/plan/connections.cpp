#include "sim/plan/connections.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "sim/plan/loads.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::plan {
namespace {

bool alike(double one, double other) {
  constexpr double rounding = 1e-9;
  return std::abs(one - other) <= rounding * std::max(std::abs(one), std::abs(other));
}

}  // namespace

Connections::Connections(const scenario::Scenario& still, const run::Results& exact, const FlowRates& rates)
    : still_(&still) {
  read(exact, rates);
  if (groups_.empty()) {
    return;
  }
  const scenario::ActualState state = scenario::actual_at(still, still.duration);
  for (const Group& group : groups_) {
    place(group, state);
  }
  if (even_ && !uneven_.empty()) {
    compare_endpoints(exact, rates);
  }
}

namespace {

// True if some place is behind a zone proxy. Tables share their places.
bool any_behind_proxies(const run::Results& exact) {
  std::set<const run::SharePlaces*> seen;
  for (const run::ShareBlock& block : exact.shares.blocks()) {
    const run::SharePlaces* const places = block.exact->places.get();
    if (seen.insert(places).second && std::any_of(places->places.begin(), places->places.end(),
                                                  [](const run::SharePlace& place) { return !place.via.empty(); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

void Connections::read(const run::Results& exact, const FlowRates& rates) {
  if (!any_behind_proxies(exact)) {
    return;
  }
  for (std::uint32_t index = 0; index < still_->endpoints.size(); ++index) {
    index_of_.emplace(still_->endpoints[index].id, index);
  }
  for (const run::ShareBlock& block : exact.shares.blocks()) {
    std::map<std::uint32_t, std::size_t> group_of;  // by joint share
    const auto rate = rates.find({block.client.value, block.service.value});
    block.for_each([&](const run::ShareCell& cell) {
      const std::size_t row = shares_.size();
      shares_.push_back(cell.at_rest);
      const run::SharePlace& place = block.place(cell);
      if (place.via.empty() || rate == rates.end() || !(rate->second > 0.0) || !(cell.at_rest > 0.0)) {
        return;
      }
      const auto endpoint = index_of_.find(place.endpoint);
      if (endpoint == index_of_.end()) {
        return;
      }
      ways_[{block.client.value, block.service.value, place.via}].insert(place.endpoint);
      if (cell.joint != 0) {
        const auto [position, is_new] = group_of.try_emplace(cell.joint, groups_.size());
        if (is_new) {
          groups_.push_back({.rows = {},
                             .endpoints = {},
                             .parts = {},
                             .client = block.client.value,
                             .service = block.service.value,
                             .via = place.via,
                             .rate = rate->second});
        }
        Group& group = groups_[position->second];
        even_ = even_ && group.via == place.via;
        group.rows.push_back(row);
        group.endpoints.push_back(endpoint->second);
        group.parts.push_back(cell.at_rest);
      }
    });
  }
}

bool Connections::is_plain(const Group& group, const scenario::ActualState& state) {
  return group.via.find(" > ") == std::string::npos &&
         std::all_of(group.parts.begin(), group.parts.end(),
                     [&](double part) { return alike(part, group.parts.front()); }) &&
         std::all_of(group.endpoints.begin(), group.endpoints.end(),
                     [&](std::uint32_t endpoint) { return state.answers({endpoint}); });
}

void Connections::place(const Group& group, const scenario::ActualState& state) {
  if (!is_plain(group, state)) {
    even_ = false;
    return;
  }
  const scenario::ClientEntry& client = still_->clients[group.client];
  const std::size_t connections = std::size_t{client.count} * client.concurrency;
  const std::size_t count = group.rows.size();
  const std::size_t rest = connections % count;
  if (rest == 0) {
    return;
  }
  const double carried =
      std::accumulate(group.parts.begin(), group.parts.end(), 0.0) / static_cast<double>(connections);
  std::size_t& next = next_[{group.via, group.service}];
  const std::size_t least = connections / count;
  for (std::size_t turn = 0; turn < count; ++turn) {
    const std::size_t own = turn < rest ? least + 1 : least;
    shares_[group.rows[(next + turn) % count]] = carried * static_cast<double>(own);
  }
  next = (next + rest) % count;
  uneven_.push_back(&group);
  const double load = carried * group.rate;
  even_ = even_ && alike(carried_.try_emplace({group.via, group.service}, load).first->second, load);
  for (const std::uint32_t endpoint : group.endpoints) {
    even_ = even_ && proxy_of_.try_emplace(endpoint, group.via).first->second == group.via;
  }
}

std::vector<double> Connections::loads_beside(const run::Results& exact, const FlowRates& rates) const {
  std::vector<bool> is_uneven(shares_.size(), false);
  for (const Group* group : uneven_) {
    for (const std::size_t row : group->rows) {
      is_uneven[row] = true;
    }
  }
  std::vector<double> loads(still_->endpoints.size(), 0.0);
  std::size_t row = 0;
  for (const run::ShareBlock& block : exact.shares.blocks()) {
    const auto rate = rates.find({block.client.value, block.service.value});
    block.for_each([&](const run::ShareCell& cell) {
      const std::size_t own = row++;
      const auto endpoint = index_of_.find(block.place(cell).endpoint);
      if (endpoint != index_of_.end() && rate != rates.end() && !is_uneven[own]) {
        loads[endpoint->second] += rate->second * shares_[own];
      }
    });
  }
  return loads;
}

void Connections::compare_endpoints(const run::Results& exact, const FlowRates& rates) {
  const std::vector<double> loads = loads_beside(exact, rates);
  const std::vector<std::optional<ServerQueue>> server_queues = server_queues_of(*still_);
  for (const Group* group : uneven_) {
    const std::uint32_t first = group->endpoints.front();
    for (const std::uint32_t endpoint : group->endpoints) {
      const bool is_known = server_queues[endpoint].has_value();
      const bool shares_cores = is_known && !still_->endpoints[endpoint].servers;
      even_ = even_ && !shares_cores && is_known == server_queues[first].has_value() &&
              alike(loads[endpoint], loads[first]) &&
              (!is_known || alike(server_queues[endpoint]->seconds / server_queues[endpoint]->cores,
                                  server_queues[first]->seconds / server_queues[first]->cores));
    }
  }
}

bool connections_reopen(const Connections& before, const Connections& after) {
  return std::any_of(after.ways().begin(), after.ways().end(), [&](const auto& way) {
    const auto old = before.ways().find(way.first);
    return old != before.ways().end() && old->second != way.second;
  });
}

}  // namespace spillway::plan
