#include "sim/plan/moment.hpp"

#include <algorithm>
#include <vector>

namespace spillway::plan {
std::vector<double> rates_at(const scenario::Scenario& scenario, Nanoseconds at) {
  struct Phase {
    double rate = 0.0;
    double slope = 0.0;
    Nanoseconds since{0};
  };
  std::vector<Phase> phases;
  for (const scenario::ClientEntry& client : scenario.clients) {
    phases.push_back({client.workload.rate, client.workload.slope, Nanoseconds{0}});
  }
  std::vector<bool> on(scenario.nodes.size(), true);
  for (const scenario::Change& change : scenario.changes) {
    if (change.at > at) {
      break;
    }
    if (const auto* rate = std::get_if<scenario::RateChange>(&change.effect)) {
      phases[rate->client.value] = {rate->rate, rate->slope, change.at};
    } else if (const auto* outage = std::get_if<scenario::NodeOutage>(&change.effect)) {
      on[outage->node.value] = outage->on;
    }
  }
  std::vector<double> rates;
  for (std::size_t client = 0; client < phases.size(); ++client) {
    const Phase& phase = phases[client];
    const double grown = phase.slope * static_cast<double>((at - phase.since).count()) * 1e-9;
    rates.push_back(on[scenario.clients[client].node.value] ? std::max(0.0, phase.rate + grown) : 0.0);
  }
  return rates;
}

double rate_at(const scenario::Scenario& scenario, Nanoseconds at) {
  const std::vector<double> rates = rates_at(scenario, at);
  double sum = 0.0;
  for (std::size_t client = 0; client < rates.size(); ++client) {
    sum += rates[client] * scenario.clients[client].count;
  }
  return sum;
}

Nanoseconds busiest_moment(const scenario::Scenario& scenario) {
  // Rates are straight lines between changes of them, so the highest is at an end of one.
  std::vector<Nanoseconds> moments = {Nanoseconds{0}};
  for (const scenario::Change& change : scenario.changes) {
    if (!std::holds_alternative<scenario::RateChange>(change.effect) &&
        !std::holds_alternative<scenario::NodeOutage>(change.effect)) {
      continue;
    }
    moments.push_back(std::max(Nanoseconds{0}, change.at - Nanoseconds{1}));
    moments.push_back(change.at);
  }
  moments.push_back(scenario.duration - Nanoseconds{1});
  Nanoseconds busiest{0};
  double most = rate_at(scenario, busiest);
  for (const Nanoseconds moment : moments) {
    const double rate = rate_at(scenario, moment);
    // What rounding makes of one and the same rate is no higher one.
    if (rate > most * (1.0 + 1e-12)) {
      most = rate;
      busiest = moment;
    }
  }
  return busiest;
}

scenario::Scenario at_moment(scenario::Scenario scenario, Nanoseconds at, double growth) {
  const std::vector<double> rates = rates_at(scenario, at);
  for (std::size_t client = 0; client < rates.size(); ++client) {
    scenario.clients[client].workload.rate = rates[client] * growth;
    scenario.clients[client].workload.slope = 0.0;
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
