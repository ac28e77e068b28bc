// Scenarios of Kuma's documents, read from their text and played in exact mode.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "models/documents/render_diagnostics.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::test {

inline scenario::Scenario read_mesh(const std::string& text) {
  const scenario::Reading reading = scenario::read_scenario_text("mesh.yaml", text);
  INFO(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return *reading.scenario;
}

inline run::Results simulate_mesh(const scenario::Scenario& scenario, scenario::Mode mode = scenario::Mode::exact) {
  return run::run(scenario, {mode, std::nullopt, {}});
}

// "endpoint" or "endpoint via proxy" -> percent, rounded to four decimals, of one client and epoch.
inline std::map<std::string, double> shares(const scenario::Scenario& scenario, const run::Results& results,
                                            const std::string& client, std::uint32_t epoch = 0) {
  std::map<std::string, double> found;
  for (const run::Share& share : results.shares) {
    if (scenario.clients[share.client.value].name == client && share.epoch == epoch) {
      found[share.endpoint + (share.via.empty() ? "" : " via " + share.via)] += share.at_rest * 100.0;
    }
  }
  for (auto& [name, percent] : found) {
    percent = static_cast<double>(static_cast<long long>(percent * 1e4 + 0.5)) / 1e4;
  }
  return found;
}

using Shares = std::map<std::string, double>;

}  // namespace spillway::test
