// A scenario and results that were never played: four endpoints in three zones, of which the third is never needed.
// Shares are those of the documents' two-level priority table at 100 %, 50 % and 0 %
// (docs/behaviour/envoy-before-pick.md 15.2); the counts beside them are made up.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::testing {

using namespace std::chrono_literals;

inline scenario::Scenario small_scenario() {
  scenario::Scenario scenario;
  scenario.name = "two of three zones";
  scenario.duration = 30s;
  scenario.seed = 7;
  scenario.services.emplace_back();
  scenario::Service& backend = scenario.services.back();
  backend.name = backend.cluster.name = "backend";
  const std::array<std::uint32_t, 3> endpoints_by_zone{2, 1, 1};
  for (std::uint32_t zone = 0; zone < endpoints_by_zone.size(); ++zone) {
    const std::string name = "zone-" + std::to_string(zone + 1);
    scenario.zones.push_back({name, ""});
    config::LocalityLbEndpoints group;
    group.locality.zone = name;
    group.priority = config::Priority{zone};
    for (std::uint32_t i = 0; i < endpoints_by_zone[zone]; ++i) {
      const auto node = static_cast<std::uint32_t>(scenario.nodes.size());
      scenario.nodes.push_back({"node-" + std::to_string(node + 1), config::ZoneIndex{zone}, ""});
      const std::string id = "backend-" + std::to_string(node + 1);
      group.lb_endpoints.push_back({id, "", config::HealthStatus::healthy, 1});
      backend.hosts.push_back({config::EndpointIndex{node}});
      scenario.endpoints.push_back({id, config::NodeIndex{node}, 4ms});
    }
    backend.load_assignment.endpoints.push_back(std::move(group));
  }
  scenario.clients.push_back({"frontend", config::NodeIndex{0}, 20, {.service = {0}, .rate = 5.0}});
  return scenario;
}

// A row of shares of `count` of 1,000 requests.
inline run::Share share_of(std::uint32_t epoch, std::uint32_t host, double exact, std::uint64_t count) {
  run::Share share;
  share.epoch = epoch;
  share.cluster = "backend";
  share.priority = config::Priority{host < 2 ? 0 : host - 1};
  share.zone = "zone-" + std::to_string(share.priority.value + 1);
  share.node = "node-" + std::to_string(host + 1);
  share.endpoint = "backend-" + std::to_string(host + 1);
  share.exact = exact;
  share.simulated = static_cast<double>(count) / 1000.0;
  share.requests = count;
  share.attempts = count;
  return share;
}

// Shares as a run has them, from plain rows by (client, service, epoch). What was sent follows from `simulated`.
inline run::Shares shares_of(const std::vector<run::Share>& rows) {
  const auto together = [](const run::Share& left, const run::Share& right) {
    return left.client == right.client && left.service == right.service && left.epoch == right.epoch;
  };
  run::Shares shares;
  for (std::size_t first = 0; first < rows.size();) {
    run::ShareBlock block{.epoch = rows[first].epoch, .client = rows[first].client, .service = rows[first].service};
    auto places = std::make_shared<run::SharePlaces>();
    auto exact = std::make_shared<run::ExactRows>();
    auto counted = std::make_shared<run::CountedRows>();
    std::size_t row = first;
    for (; row < rows.size() && together(rows[first], rows[row]); ++row) {
      const auto position = static_cast<std::uint32_t>(row - first);
      places->places.push_back(rows[row]);
      const run::Share& share = rows[row];
      if (share.exact) {
        exact->add(position, *share.exact, share.exact_basis);
      } else if (share.joint != 0) {
        exact->add(position, share.at_rest, share.exact_basis, share.joint, share.joint_rows);
      } else {
        // Without an exact share, and without one together with others.
        exact->add(position, 0.0, share.exact_basis, 1, static_cast<std::uint32_t>(rows.size()) + 1);
      }
      counted->positions.push_back(position);
      counted->requests.push_back(rows[row].requests.value_or(0));
      counted->attempts.push_back(rows[row].attempts.value_or(0));
      if (rows[row].simulated.value_or(0.0) > 0.0) {
        block.sent =
            static_cast<std::uint64_t>(std::llround(static_cast<double>(*rows[row].requests) / *rows[row].simulated));
      }
    }
    exact->places = std::move(places);
    block.exact = std::move(exact);
    if (rows[first].requests) {
      block.counted = std::move(counted);
    }
    shares.add(std::move(block));
    first = row;
  }
  return shares;
}

// Changes the rows of results by hand.
template <class Change>
void edit_shares(run::Results& results, Change change) {
  std::vector<run::Share> rows(results.shares.begin(), results.shares.end());
  change(rows);
  results.shares = shares_of(rows);
}

inline run::Epoch epoch_of(std::uint32_t index, std::array<bool, 4> healthy, std::array<std::uint32_t, 3> loads) {
  run::Epoch epoch;
  epoch.index = index;
  epoch.start = std::chrono::seconds(10 * index);
  epoch.end = epoch.start + 10s;
  run::EpochHealth health;
  health.total_availability = 100;
  const std::array<std::uint32_t, 4> priority_of{0, 0, 1, 2};
  for (std::uint32_t level = 0; level < loads.size(); ++level) {
    run::PriorityHealth priority;
    priority.priority = config::Priority{level};
    priority.load = loads[level];
    health.priorities.push_back(priority);
  }
  for (std::size_t host = 0; host < healthy.size(); ++host) {
    health.reported.push_back(healthy[host] ? config::HealthStatus::healthy : config::HealthStatus::unhealthy);
    ++health.priorities[priority_of[host]].hosts;
    health.priorities[priority_of[host]].healthy += healthy[host] ? 1 : 0;
  }
  const std::array<const char*, 3> labels{"P0 100%, P1 100%, P2 100%", "P0 50%, P1 100%, P2 100%",
                                          "P0 0%, P1 100%, P2 100%"};
  health.label = labels[index];
  epoch.health = std::make_shared<const run::EpochHealth>(std::move(health));
  return epoch;
}

inline run::Results small_results() {
  run::Results results;
  results.mode = scenario::Mode::requests;
  results.seed = 7;
  results.result_fingerprint = "0123456789abcdef";
  results.epochs = {epoch_of(0, {true, true, true, true}, {100, 0, 0}),
                    epoch_of(1, {true, false, true, true}, {70, 30, 0}),
                    epoch_of(2, {false, false, true, true}, {0, 100, 0})};
  results.shares = shares_of({share_of(0, 0, 0.5, 500), share_of(0, 1, 0.5, 500), share_of(1, 0, 0.7, 712),
                              share_of(1, 2, 0.3, 288), share_of(2, 2, 1.0, 998)});
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    run::Outcomes outcomes;
    outcomes.epoch = epoch;
    outcomes.sent = 1000;
    outcomes.counts[scenario::Outcome::ok] = epoch == 2 ? 998 : 1000;
    outcomes.counts[scenario::Outcome::no_healthy_upstream] = epoch == 2 ? 2 : 0;
    results.outcomes.push_back(outcomes);
    results.latency.push_back(
        {epoch, {}, {}, epoch == 2 ? 998U : 1000U, 0.004, 0.004, 0.004, epoch == 2 ? 0.0064 : 0.004, 0.0071});
  }
  results.whole_latency = {{.ok = {2998, 0.004, 0.004, 0.004, 0.004, 0.0064, 0.0071}, .errors = {2}}};
  results.events = {3, 2};
  return results;
}

// The same without requests.
inline run::Results small_exact_results() {
  run::Results results = small_results();
  results.mode = scenario::Mode::exact;
  results.result_fingerprint.clear();
  results.outcomes.clear();
  results.latency.clear();
  results.whole_latency.clear();
  results.events = {};
  for (run::ShareBlock& block : results.shares.blocks()) {
    block.counted.reset();
  }
  return results;
}

inline scenario::Cell cell(std::string text, double number, int decimals = 0) {
  return {{std::move(text), number, decimals}, std::nullopt, "", {0, 1, 1, 1}};
}

// "healthy hosts of P0 | P0 | P1", the second row with a figure that the document gets wrong.
inline scenario::ExpectedTable small_table() {
  scenario::ExpectedTable table;
  table.title = "priority, two levels";
  scenario::Selector first;
  first.priority = config::Priority{0};
  scenario::Selector second;
  second.priority = config::Priority{1};
  table.columns = {{"P0 healthy", scenario::Quantity::healthy, first},
                   {"P0", scenario::Quantity::share, first},
                   {"P1", scenario::Quantity::share, second}};
  scenario::Cell wrong = cell("50%", 50);
  wrong.exact = scenario::Figure{"70%", 70, 0};
  wrong.reason = "the document forgets the overprovisioning factor";
  scenario::Cell wrong_too = wrong;
  wrong_too.exact = scenario::Figure{"30%", 30, 0};
  table.rows = {{cell("100%", 100), cell("100%", 100), cell("0%", 0)},
                {cell("50%", 50), wrong, wrong_too},
                {cell("0%", 0), cell("0%", 0), cell("100%", 100)}};
  for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
    for (std::uint32_t column = 0; column < table.rows[row].size(); ++column) {
      table.rows[row][column].where = {0, 40 + row, 10 + 6 * column, 3};
    }
  }
  table.where = {0, 38, 5, 5};
  return table;
}

}  // namespace spillway::reports::testing
