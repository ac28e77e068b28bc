// One moment of an exact run without playing it. That every moment of every scenario of the house has the rows of the
// run is held in tests/reports/explain.
#include "sim/run/snapshot.hpp"

#include <catch2/catch.hpp>

#include "sim/run/run.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace spillway;
using namespace spillway::support;
using config::HealthStatus;

namespace {

scenario::Change health_reported(std::chrono::nanoseconds at, std::uint32_t host, HealthStatus status) {
  return {at, scenario::EdsHealth{.service = {0}, .hosts = {{{host}, status}}}, {}};
}

// By host of the only service.
std::vector<double> shares_at(const scenario::Scenario& scenario, std::chrono::nanoseconds at) {
  const run::Snapshot snapshot(scenario, at);
  std::vector<double> shares(scenario.services.front().hosts.size(), 0.0);
  for (const run::Snapshot::Row& row : snapshot.shares({0}).rows) {
    shares[row.target] += row.share;
  }
  return shares;
}

}  // namespace

TEST_CASE("a snapshot has seen the changes up to and including its moment") {
  scenario::Scenario scenario = one_service({2});
  scenario.changes.push_back(health_reported(3s, 0, HealthStatus::unhealthy));
  CHECK(shares_at(scenario, 3s - 1ns) == std::vector<double>{0.5, 0.5});
  CHECK(shares_at(scenario, 3s) == std::vector<double>{0.0, 1.0});
}

// Health goes before membership, whatever the file says first: the host that joins is known to be unhealthy.
TEST_CASE("changes of one moment reach a snapshot in the order in which a run applies them") {
  scenario::Scenario scenario = one_service({2});
  scenario.services.front().absent_at_start = {{1}};
  scenario.changes.push_back({1s, scenario::EdsMembership{.service = {0}, .hosts = {{1}}}, {}});
  scenario.changes.push_back(health_reported(1s, 1, HealthStatus::unhealthy));
  CHECK(shares_at(scenario, 0s) == std::vector<double>{1.0, 0.0});
  CHECK(shares_at(scenario, 1s) == std::vector<double>{1.0, 0.0});
}

TEST_CASE("within slow start a moment has no shares of its own, while a row of an exact run has their mean") {
  scenario::Scenario scenario = one_service({2});
  scenario.services.front().cluster.lb_policy =
      envoy::policies::round_robin::Config{.slow_start_config = {.slow_start_window = 2s}};
  scenario.changes.push_back(health_reported(1s, 0, HealthStatus::unhealthy));
  scenario.changes.push_back(health_reported(4s, 0, HealthStatus::healthy));
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt});
  REQUIRE(results.epochs.size() == 3);
  for (const run::Epoch& epoch : results.epochs) {
    const run::Snapshot snapshot(scenario, epoch.start);
    const bool known = epoch.index < 2;
    CHECK(snapshot.shares({0}).why_joint.empty() == known);
  }
  for (const run::Share& share : results.shares) {
    CHECK(share.exact.has_value());
  }
}
