#include "sim/plan/moment.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "sim/scenario/state_at.hpp"

namespace spillway::plan {

namespace {

double sum_of_rates(const scenario::Scenario& scenario, const scenario::ActualState& state, Nanoseconds at) {
  double sum = 0.0;
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    sum += state.rate({client}, at) * scenario.clients[client].count;
  }
  return sum;
}

}  // namespace

std::vector<double> rates_at(const scenario::Scenario& scenario, Nanoseconds at) {
  const scenario::ActualState state = scenario::actual_at(scenario, at);
  std::vector<double> rates;
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    rates.push_back(state.rate({client}, at));
  }
  return rates;
}

double rate_at(const scenario::Scenario& scenario, Nanoseconds at) {
  return sum_of_rates(scenario, scenario::actual_at(scenario, at), at);
}

Nanoseconds busiest_moment(const scenario::Scenario& scenario) {
  scenario::ActualState state(scenario);
  Nanoseconds busiest{0};
  double most = 0.0;
  const auto look_at = [&](Nanoseconds moment) {
    const double rate = sum_of_rates(scenario, state, moment);
    // What rounding makes of one and the same rate is no higher one.
    if (rate > most * (1.0 + 1e-12)) {
      most = rate;
      busiest = moment;
    }
  };
  // Rates are straight lines between changes of them, so the highest is at an end of one.
  Nanoseconds start{0};
  for (const scenario::Change& change : scenario.changes) {
    const bool moves = std::holds_alternative<scenario::RateChange>(change.effect) ||
                       std::holds_alternative<scenario::NodeOutage>(change.effect);
    if (moves && change.at > start) {
      look_at(start);
      look_at(change.at - Nanoseconds{1});
      start = change.at;
    }
    std::visit([&](const auto& effect) { state.apply(effect, change.at); }, change.effect);
  }
  look_at(start);
  look_at(scenario.duration - Nanoseconds{1});
  return busiest;
}

scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth) {
  const scenario::ActualState state = scenario::actual_at(scenario, at);
  const auto is_on = [&](config::NodeIndex node) { return state.is_on(node); };
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    scenario::ClientEntry& entry = scenario.clients[client];
    entry.workload.slope = 0.0;
    entry.workload.rate = state.rate({client}, at) * growth;
    const std::uint32_t sending = clients_on(entry, is_on);
    // The arrivals of a trace name clients, so all of them stay.
    if (sending > 0 && sending < entry.count && entry.workload.trace == nullptr) {
      entry.workload.rate = std::max(0.0, state.of(config::ClientEntryIndex{client}).at(at)) * growth;
      entry.count = sending;
      std::erase_if(entry.nodes, [&](config::NodeIndex node) { return !is_on(node); });
    }
  }
  std::vector<scenario::Change> past;
  for (scenario::Change& change : scenario.changes) {
    if (change.at <= at && !std::holds_alternative<scenario::RateChange>(change.effect)) {
      change.at = Nanoseconds{0};
      past.push_back(std::move(change));
    }
  }
  scenario.changes = std::move(past);
  scenario.expectations.clear();
  return scenario;
}

}  // namespace spillway::plan
