// Where the requests of a scenario's clients are answered, by exact shares.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "sim/run/simulation.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario::test {

// By client and endpoint, 0 left out; what no host gets is the rest to 1. -1: no exact share.
inline std::map<std::string, std::map<std::string, double>> answered_shares(const Scenario& scenario) {
  const run::Results results = run::Simulation(scenario, {Mode::exact, std::nullopt, {}}).simulate();
  std::map<std::string, std::map<std::string, double>> found;
  std::map<config::ClientEntryIndex, double> expected;
  for (const run::Epoch& epoch : results.epochs) {
    expected[epoch.client] += epoch.expected_requests;
  }
  for (const run::Share& share : results.shares) {
    const auto of_row = [&](const run::Epoch& epoch) {
      return epoch.client == share.client && epoch.service == share.service && epoch.index == share.epoch;
    };
    const auto epoch = std::find_if(results.epochs.begin(), results.epochs.end(), of_row);
    REQUIRE(epoch != results.epochs.end());
    const double part = epoch->expected_requests / expected[share.client];
    if (share.exact.value_or(-1.0) != 0.0) {
      found[scenario.clients[share.client.value].name][share.endpoint] += share.exact ? *share.exact * part : -1.0;
    }
  }
  return found;
}

}  // namespace spillway::scenario::test
