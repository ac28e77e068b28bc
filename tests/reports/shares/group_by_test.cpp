#include "reports/shares/group_by.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/run/replications.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;
using namespace std::chrono_literals;

TEST_CASE("grouping sums what was not asked for and blanks its fields") {
  const Grouped grouped =
      group_by(testing::small_scenario(), testing::small_results(), {Dimension::client, Dimension::zone});
  REQUIRE(grouped.results.shares.size() == 4);
  const run::Share first = grouped.results.shares.front();
  CHECK(first.zone == "zone-1");
  CHECK(first.exact == 1.0);
  CHECK(first.simulated == 1.0);
  CHECK(first.requests == 1000);
  CHECK(first.attempts == 1000);
  CHECK(first.endpoint.empty());
  CHECK(first.node.empty());
  CHECK(first.cluster.empty());
}

TEST_CASE("a sum with an unknown part is unknown") {
  run::Results results = testing::small_results();
  testing::edit_shares(results, [](std::vector<run::Share>& shares) { shares[1].exact.reset(); });
  const Grouped grouped = group_by(testing::small_scenario(), results, {Dimension::client, Dimension::zone});
  CHECK_FALSE(grouped.results.shares.front().exact.has_value());
  CHECK(grouped.results.shares.front().requests == 1000);
}

TEST_CASE("by everything nothing changes") {
  const run::Results results = testing::small_results();
  const Grouped grouped = group_by(testing::small_scenario(), results, Dimensions::everything());
  CHECK(grouped.results.shares.size() == results.shares.size());
}

TEST_CASE("the interval of a sum is that of the replications' sums") {
  const auto reading = scenario::read_scenario_text("two.yaml",
                                                    "duration: 2s\nzones: [{ name: a }, { name: b }]\n"
                                                    "services: [{ name: s, endpoints: [{ count: 2, zone: a }, "
                                                    "{ count: 2, zone: b }] }]\n"
                                                    "clusters: [{ name: s, lb_policy: RANDOM }]\n"
                                                    "clients: [{ name: c, zone: a, count: 2, workload: "
                                                    "{ service: s, rate: 50rps } },\n"
                                                    "  { name: d, zone: b, workload: { service: s, rate: 50rps } }]\n");
  REQUIRE(reading.scenario);
  const std::uint32_t count = 5;
  const run::Replicated all = run::replicate(*reading.scenario, {}, {.count = count});
  REQUIRE(all.results);
  for (const Dimensions& by : {Dimensions{Dimension::client, Dimension::zone}, Dimensions{Dimension::zone}}) {
    const Grouped grouped = group_by(*reading.scenario, *all.results, by);
    const run::Share first = grouped.results.shares.front();
    // Each replication by itself.
    std::vector<double> shares;
    std::uint64_t part = 0;
    std::uint64_t sent = 0;
    for (std::uint32_t number = 0; number < count; ++number) {
      run::Options options;
      options.seed = run::seed_of_replication(reading.scenario->seed, number);
      const run::Results own = run::run(*reading.scenario, options);
      std::uint64_t own_part = 0;
      std::uint64_t own_sent = 0;
      for (const run::Share& share : own.shares) {
        const bool counts = !by.has(Dimension::client) || share.client.value == 0;
        own_sent += counts ? share.requests.value_or(0) : 0;
        own_part += counts && share.zone == "a" ? share.requests.value_or(0) : 0;
      }
      shares.push_back(static_cast<double>(own_part) / static_cast<double>(own_sent));
      part += own_part;
      sent += own_sent;
    }
    const run::Interval wilson = run::wilson_interval(part, sent);
    const double share = static_cast<double>(part) / static_cast<double>(sent);
    CHECK(first.zone == "a");
    CHECK(first.requests == part);
    REQUIRE(first.ci95);
    CHECK(*first.ci95 == Approx(std::max({run::half_width_95(shares), wilson.high - share, share - wilson.low})));
  }
}

TEST_CASE("names of dimensions are those of the JSON") {
  Dimensions by;
  CHECK(by.add("sub_zone"));
  CHECK_FALSE(by.add("subzone"));
  CHECK(by == Dimensions{Dimension::sub_zone});
}

namespace {

// A second client entry that sends a quarter of what the first does, all of it to backend-4, and whose table has a row
// less: nothing changes for it at 20 s.
struct TwoClients {
  scenario::Scenario scenario = testing::small_scenario();
  run::Results results = testing::small_results();

  TwoClients() {
    scenario.clients.push_back({"batch", config::NodeIndex{1}, 5, {.service = {0}, .rate = 5.0}});
    for (std::uint32_t index = 0; index < 2; ++index) {
      run::Epoch epoch;
      epoch.index = index;
      epoch.client = config::ClientEntryIndex{1};
      epoch.health = std::make_shared<const run::EpochHealth>();
      epoch.start = index == 0 ? 0s : 10s;
      epoch.end = index == 0 ? 10s : 30s;
      results.epochs.push_back(epoch);
      run::Share share = testing::share_of(index, 3, 1.0, 0);
      share.client = config::ClientEntryIndex{1};
      share.requests = share.attempts = index == 0 ? 250 : 500;
      share.simulated = 1.0;
      testing::edit_shares(results, [&](std::vector<run::Share>& shares) { shares.push_back(share); });
      run::Outcomes outcomes;
      outcomes.epoch = index;
      outcomes.client = config::ClientEntryIndex{1};
      outcomes.sent = outcomes.counts[scenario::Outcome::ok] = *share.requests;
      results.outcomes.push_back(outcomes);
    }
  }
};

}  // namespace

TEST_CASE("without client the epochs reach from one common boundary to the next, weighted by requests") {
  const TwoClients two;
  const Grouped grouped = group_by(two.scenario, two.results, {Dimension::zone});
  REQUIRE(grouped.results.epochs.size() == 2);
  CHECK(grouped.results.epochs[1].start == 10s);
  CHECK(grouped.results.epochs[1].end == 30s);
  CHECK(grouped.results.latency.empty());

  REQUIRE(grouped.results.outcomes.size() == 2);
  CHECK(grouped.results.outcomes[0].sent == 1250);
  CHECK(grouped.results.outcomes[1].sent == 2500);
  CHECK(grouped.results.outcomes[1][scenario::Outcome::no_healthy_upstream] == 2);

  // First epoch: 1,000 requests to zone-1 and 250 to zone-3. Second: 712 of 2,500 to zone-1, 1,286 to zone-2, 500 to
  // zone-3, and 2 found no host.
  const auto& shares = grouped.results.shares;
  REQUIRE(shares.size() == 5);
  CHECK(*shares[0].simulated == Approx(0.8));
  CHECK(*shares[1].simulated == Approx(0.2));
  CHECK(shares[2].zone == "zone-1");
  CHECK(shares[2].requests == 712);
  CHECK(*shares[2].simulated == Approx(712.0 / 2500.0));
  CHECK(*shares[2].exact == Approx(0.7 * 1000 / 2500));
  CHECK(*shares[3].exact == Approx((0.3 * 1000 + 1.0 * 1000) / 2500));
  CHECK(*shares[4].exact == Approx(0.2));
}

TEST_CASE("without client, in exact mode, what each client would send weighs") {
  TwoClients two;
  two.results.mode = scenario::Mode::exact;
  two.results.outcomes.clear();
  for (run::ShareBlock& block : two.results.shares.blocks()) {
    block.counted.reset();
  }
  for (run::Epoch& epoch : two.results.epochs) {
    // 20 clients and 5 clients of 5 requests a second each.
    const double clients = epoch.client.value == 0 ? 20.0 : 5.0;
    epoch.expected_requests = clients * 5.0 * std::chrono::duration<double>(epoch.end - epoch.start).count();
  }
  const Grouped grouped = group_by(two.scenario, two.results, {Dimension::zone});
  CHECK(*grouped.results.shares[0].exact == Approx(0.8));
  CHECK(*grouped.results.shares[1].exact == Approx(0.2));
}

TEST_CASE("a joint share is exact for groups that hold all of it, and joins those that hold a part") {
  run::Results results = testing::small_results();
  std::uint32_t joint_rows = 0;
  for (const run::Share& share : results.shares) {
    joint_rows += share.epoch == 0 ? 1 : 0;
  }
  REQUIRE(joint_rows >= 2);
  double sum = 0.0;
  testing::edit_shares(results, [&](std::vector<run::Share>& shares) {
    for (run::Share& share : shares) {
      if (share.epoch == 0) {
        share.at_rest = *share.exact;
        sum += share.at_rest;
        share.exact.reset();
        share.exact_basis = "picks depend on the requests in flight";
        share.joint = 7;
        share.joint_rows = joint_rows;
      }
    }
  });
  const Grouped whole = group_by(testing::small_scenario(), results, {Dimension::client});
  CHECK(*whole.results.shares.front().exact == Approx(sum));
  CHECK(whole.results.shares.front().joint == 0);

  const Grouped parts = group_by(testing::small_scenario(), results, {Dimension::client, Dimension::endpoint});
  const run::Share first = parts.results.shares.front();
  CHECK_FALSE(first.exact);
  CHECK(first.exact_basis == "picks depend on the requests in flight");
  CHECK(first.joint != 0);
  CHECK(first.joint == parts.results.shares[1].joint);

  // A row more than there is: not even the whole is exact.
  testing::edit_shares(results, [](std::vector<run::Share>& shares) {
    for (run::Share& share : shares) {
      share.joint_rows += share.joint == 0 ? 0 : 1;
    }
  });
  CHECK_FALSE(group_by(testing::small_scenario(), results, {Dimension::client}).results.shares.front().exact);
}

TEST_CASE("counting by what is looked at gives the same groups as counting each endpoint for itself") {
  const scenario::Reading reading = scenario::read_scenario_text("counted.yaml", R"(
duration: 6s
zones: [{ name: a }, { name: b }, { name: c }]
services:
  - name: backend
    endpoints:
      - { count: 5, zone: a, service_time: 5ms }
      - { count: 4, zone: b, service_time: 5ms, priority: 1 }
      - { count: 3, zone: c, service_time: 5ms }
routes: [{ match: { prefix: / }, route: { cluster: backend, retry_policy: { retry_on: 5xx, num_retries: 2 } } }]
clients:
  - { name: one, zone: a, workload: { path: /, rate: 300rps } }
  - { name: two, zone: b, count: 2, workload: { path: /, rate: 200rps } }
timeline: [{ at: 0s, service: backend, zone: a, fails: 20% }, { at: 2s, service: backend, priority: 0, healthy: 4 }]
expect: [{ share: { of: one, zone: a, at: 1s, at_most: 100% } }]
)");
  for (const Diagnostic& problem : reading.diagnostics) {
    INFO(problem.message);
    CHECK(problem.severity != Severity::error);
  }
  REQUIRE(reading.scenario);
  const scenario::Scenario& scenario = *reading.scenario;
  const Dimensions by{Dimension::client, Dimension::zone, Dimension::priority};
  run::Options options;
  options.mode = scenario::Mode::requests;
  const run::Results alone = run::run(scenario, options);
  CHECK_FALSE(counted_positions(scenario, by));
  options.counted_positions = counted_positions(scenario, by.with(dimensions_of_expectations(scenario)), 0.0);
  REQUIRE(options.counted_positions);
  const run::Results together = run::run(scenario, options);
  CHECK(together.result_fingerprint == alone.result_fingerprint);

  const run::Shares expected = group_by(scenario, alone, by).results.shares;
  const run::Shares counted = group_by(scenario, together, by).results.shares;
  REQUIRE(counted.size() == expected.size());
  auto other = expected.begin();
  std::uint64_t retried = 0;
  for (const run::Share& share : counted) {
    CHECK(share.zone == (*other).zone);
    CHECK(share.requests == (*other).requests);
    CHECK(share.attempts == (*other).attempts);
    CHECK(share.exact == (*other).exact);
    retried += *share.attempts - *share.requests;
    ++other;
  }
  CHECK(retried > 0);
  REQUIRE(together.cross_zone.size() == alone.cross_zone.size());
  for (std::size_t row = 0; row < alone.cross_zone.size(); ++row) {
    CHECK(together.cross_zone[row].requests == alone.cross_zone[row].requests);
    CHECK(together.cross_zone[row].to == alone.cross_zone[row].to);
  }
  std::size_t rows = 0;
  for (const run::ShareBlock& block : together.shares.blocks()) {
    rows += block.counted->positions.size();
  }
  CHECK(rows <= together.shares.blocks().size() * 3);
}
