// What endpoints had to do, and what went from zone to zone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/run/records/load_periods.hpp"
#include "sim/run/run.hpp"
#include "sim/run/simulation.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/sim/scenario/reading.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using namespace spillway;
using run::Results;
using scenario::Scenario;
using scenario::ServiceDistribution;
using support::one_service;

namespace {

run::Options with_loads(std::optional<run::Nanoseconds> sample = {}) {
  return {.mode = {}, .seed = {}, .progress = {}, .endpoint_loads = true, .sample = sample, .trace = {}};
}

// Endpoints of 5 ms at one core each.
Scenario queues(const std::vector<std::uint32_t>& endpoints_by_priority, double rate) {
  Scenario scenario = one_service(endpoints_by_priority);
  scenario.clients[0].workload.rate = rate;
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.service_time = 5ms;
    endpoint.servers = scenario::Servers{.cores = 1};
    endpoint.request_bytes = 100;
    endpoint.response_bytes = 2000;
  }
  return scenario;
}

}  // namespace

// M/M/1 at rho = 0.7: Lq = rho^2 / (1 - rho). Means of many independent runs, since one is correlated with itself.
TEST_CASE("utilisation and queue of M/M/1 are those of theory") {
  Scenario scenario = queues({1}, 140.0);
  scenario.duration = 400s;
  scenario.endpoints[0].variation = std::make_shared<const scenario::ServiceVariation>(
      scenario::ServiceVariation{.distribution = ServiceDistribution::exponential});
  std::vector<double> utilisations;
  std::vector<double> queue_means;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    run::Options options = with_loads();
    options.seed = seed;
    const Results results = run::run(scenario, options);
    REQUIRE(results.endpoints.size() == 1);
    utilisations.push_back(results.endpoints[0].utilisation.value());
    queue_means.push_back(results.endpoints[0].queue_mean.value());
    CHECK(results.endpoints[0].requests == results.outcomes[0].sent);
  }
  const auto check_mean = [](const std::vector<double>& values, double expected) {
    double sum = 0.0;
    double squares = 0.0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const double count = static_cast<double>(values.size());
    const double mean = sum / count;
    const double deviation = std::sqrt((squares / count - mean * mean) / (count - 1.0));
    constexpr double quantile = 4.5055;  // Student's t for 29 degrees of freedom, 0.00005 on either side
    CHECK(std::abs(mean - expected) < quantile * deviation);
  };
  check_mean(utilisations, 0.7);
  check_mean(queue_means, 0.7 * 0.7 / 0.3);
}

// D/D/1: a request every 10 ms, served for 5 ms.
TEST_CASE("samples cut a run into even stretches") {
  Scenario scenario = queues({1}, 100.0);
  scenario.duration = 1s;
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  const Results results = run::run(scenario, with_loads(300ms));
  REQUIRE(results.samples.size() == 4);
  std::uint64_t requests = 0;
  for (const run::EndpointLoad& sample : results.samples) {
    CHECK(sample.queue_mean == 0.0);
    CHECK(sample.queue_max == 0U);
    requests += sample.requests;
  }
  CHECK(results.samples[0].utilisation == Approx(0.5).margin(5.0 / 300.0));
  CHECK(results.samples[3].start == 900ms);
  CHECK(results.samples[3].end == 1s);
  CHECK(requests == results.outcomes[0].sent);
}

TEST_CASE("measuring changes no result, and both players measure the same") {
  Scenario scenario = queues({3, 3}, 500.0);
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 3ms});
  scenario.changes.push_back(support::tell(2s, 0, 3, 1));
  scenario.changes.push_back(support::tell(6s, 0, 3, 3));
  for (scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoint.servers->queue = 7;
    endpoint.variation = std::make_shared<const scenario::ServiceVariation>(
        scenario::ServiceVariation{.distribution = ServiceDistribution::exponential});
  }
  const Results bare = run::run(scenario, {});
  const Results fast = run::run(scenario, with_loads(700ms));
  const Results slow = run::Simulation(scenario, with_loads(700ms)).simulate();
  CHECK(fast.result_fingerprint == bare.result_fingerprint);
  CHECK(fast.outcomes[1].ok() == bare.outcomes[1].ok());
  CHECK(bare.endpoints.empty());
  REQUIRE(fast.endpoints.size() == slow.endpoints.size());
  REQUIRE(fast.samples.size() == slow.samples.size());
  for (std::size_t row = 0; row < fast.endpoints.size(); ++row) {
    CHECK(fast.endpoints[row].utilisation == slow.endpoints[row].utilisation);
    CHECK(fast.endpoints[row].queue_mean == slow.endpoints[row].queue_mean);
    CHECK(fast.endpoints[row].queue_max == slow.endpoints[row].queue_max);
    CHECK(fast.endpoints[row].requests == slow.endpoints[row].requests);
    CHECK(fast.endpoints[row].queue_max <= 7U);
  }
  for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
    std::uint64_t requests = 0;
    for (const run::EndpointLoad& row : fast.endpoints) {
      requests += row.epoch == epoch ? row.requests : 0;
    }
    CHECK(requests == fast.outcomes[epoch].sent);
  }
  REQUIRE(fast.cross_zone.size() == slow.cross_zone.size());
  for (std::size_t row = 0; row < fast.cross_zone.size(); ++row) {
    CHECK(fast.cross_zone[row].requests == slow.cross_zone[row].requests);
    CHECK(fast.cross_zone[row].response_bytes == slow.cross_zone[row].response_bytes);
  }
}

// One of three healthy hosts in P0 is 33 %, times 1.4 is 46 %: 54 % spill over to the other zone.
TEST_CASE("exact mode expects rate times share from zone to zone") {
  Scenario scenario = queues({3, 3}, 500.0);
  scenario.mode = scenario::Mode::exact;
  scenario.clients[0].count = 2;
  scenario.changes.push_back(support::tell(2s, 0, 3, 1));
  const Results results = run::run(scenario, {});
  REQUIRE(results.cross_zone.size() == 1);
  const run::CrossZone& row = results.cross_zone[0];
  CHECK(row.epoch == 1);
  CHECK(row.from == config::ZoneIndex{0});
  CHECK(row.to == config::ZoneIndex{1});
  CHECK(row.exact == Approx(0.54));
  CHECK(row.requests == Approx(0.54 * 500 * 2 * 8));
  CHECK(row.request_bytes == Approx(0.54 * 500 * 2 * 8 * 100));
  CHECK(row.response_bytes == Approx(0.54 * 500 * 2 * 8 * 2000));
}

TEST_CASE("bytes that shares without a closed form leave open are no number in mode exact") {
  // Least request sends the faster of two endpoints more, and all of it crosses: 400 requests in 4 s.
  const auto crossing = [](const std::string& of_slow) {
    Scenario scenario = scenario::test::accepted(
        "duration: 4s\nmode: exact\nzones: [{ name: a }, { name: b }]\n"
        "services: [{ name: s, endpoints: [{ id: fast, zone: a, cores: 4, service_time: 1ms, response_bytes: 100 }, { "
        "id: slow, zone: a, cores: 4, service_time: 40ms, response_bytes: " +
        of_slow +
        " }] }]\nclusters: [{ name: s, lb_policy: LEAST_REQUEST }]\n"
        "clients: [{ name: c, zone: b, workload: { service: s, rate: 100rps } }]\n");
    const Results results = run::run(scenario, {});
    REQUIRE(results.cross_zone.size() == 1);
    return *results.cross_zone.begin();
  };
  const run::CrossZone alike = crossing("100");
  CHECK(alike.exact == Approx(1.0));
  CHECK(alike.requests == Approx(400.0));
  CHECK(alike.response_bytes == Approx(40'000.0));
  const run::CrossZone unequal = crossing("100000");
  CHECK(unequal.exact == Approx(1.0));
  CHECK(unequal.requests == Approx(400.0));
  CHECK(std::isnan(unequal.response_bytes));
}

TEST_CASE("a trace tells every request once, and changes no result") {
  Scenario scenario = queues({2, 2}, 300.0);
  scenario.clients[0].count = 3;
  scenario.links.push_back({config::ZoneIndex{0}, config::ZoneIndex{1}, 3ms});
  scenario.changes.push_back(support::tell(2s, 0, 2, 1));
  scenario.changes.push_back(support::tell(8s, 0, 4, 0));
  const Results bare = run::run(scenario, {});
  std::vector<std::uint64_t> by_outcome(7, 0);
  std::vector<std::uint64_t> by_endpoint(4, 0);
  run::Nanoseconds last{0};
  run::Options options;
  options.trace = [&](const run::TracedRequest& request) {
    ++by_outcome[static_cast<std::size_t>(request.outcome)];
    CHECK(request.ended_at >= last);
    last = request.ended_at;
    CHECK(request.number < 3);
    CHECK(request.attempts == (request.destination ? 1U : 0U));
    if (request.destination) {
      ++by_endpoint[request.destination->endpoint.value];
      CHECK(request.destination->priority.value == request.destination->endpoint.value / 2);
    }
  };
  const Results traced = run::run(scenario, options);
  CHECK(traced.result_fingerprint == bare.result_fingerprint);
  std::uint64_t ok = 0;
  std::uint64_t sent = 0;
  for (std::size_t row = 0; row < bare.outcomes.size(); ++row) {
    CHECK(traced.outcomes[row].ok() == bare.outcomes[row].ok());
    ok += bare.outcomes[row].ok();
    sent += bare.outcomes[row].sent;
  }
  CHECK(by_outcome[static_cast<std::size_t>(scenario::Outcome::ok)] == ok);
  CHECK(std::accumulate(by_outcome.begin(), by_outcome.end(), std::uint64_t{0}) == sent);
  REQUIRE(traced.shares.size() == bare.shares.size());
  std::vector<std::uint64_t> requests(4, 0);
  for (std::size_t row = 0; row < bare.shares.size(); ++row) {
    CHECK(traced.shares[row].requests == bare.shares[row].requests);
    requests[static_cast<std::size_t>(bare.shares[row].endpoint.back() - '1')] += bare.shares[row].requests.value();
  }
  CHECK(by_endpoint == requests);
}

TEST_CASE("what is refused crosses no zone, and what is not answered brings nothing back") {
  Scenario scenario = queues({1, 1}, 50.0);
  scenario.clients[0].workload.request_bytes = 7;
  scenario.changes.push_back(support::tell(1s, 0, 1, 0));
  scenario::Fails fails{config::ServiceIndex{0}, {config::HostIndex{1}}, 1.0};
  fails.failure = scenario::Failure::connect_failure;
  scenario.changes.push_back({4s, fails, {}});
  fails.failure = scenario::Failure::reset;
  scenario.changes.push_back({6s, fails, {}});
  const Results results = run::run(scenario, {});
  REQUIRE(results.cross_zone.size() == 1);
  const run::CrossZone& row = results.cross_zone[0];
  const run::Outcomes& outcomes = results.outcomes[1];
  CHECK(outcomes[scenario::Outcome::connect_failure] > 0);
  CHECK(outcomes[scenario::Outcome::upstream_error] > 0);
  CHECK(row.requests == static_cast<double>(outcomes.sent - outcomes[scenario::Outcome::connect_failure]));
  CHECK(row.request_bytes == 7.0 * row.requests);
  CHECK(row.response_bytes == 2000.0 * static_cast<double>(outcomes.ok()));
}

namespace {

Results expected_loads(const Scenario& scenario, std::optional<run::Nanoseconds> sample = {}) {
  run::Options options = with_loads(sample);
  options.mode = scenario::Mode::exact;
  return run::run(scenario, options);
}

const run::EndpointLoad& load_of(const std::vector<run::EndpointLoad>& rows, std::uint32_t epoch,
                                 std::uint32_t endpoint) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const run::EndpointLoad& row) {
    return row.epoch == epoch && row.endpoint.value == endpoint;
  });
  REQUIRE(found != rows.end());
  return *found;
}

}  // namespace

// Load of priority 0 with half of its hosts: 140 x 50 / 100 = 70 %.
TEST_CASE("in mode exact utilisation is rate x share x service time over cores") {
  Scenario scenario = queues({2, 2}, 100.0);
  scenario.clients[0].count = 3;
  scenario.endpoints[2].servers->cores = 2;
  scenario.changes.push_back(support::tell(4s, 0, 2, 1));
  const Results results = expected_loads(scenario);
  CHECK(results.endpoints.size() == 5);
  CHECK(load_of(results.endpoints, 0, 0).utilisation == Approx(300.0 * 0.5 * 0.005));
  CHECK(load_of(results.endpoints, 0, 1).expected == Approx(4.0 * 300.0 * 0.5));
  CHECK(load_of(results.endpoints, 1, 0).utilisation == Approx(300.0 * 0.7 * 0.005));  // more than it can do
  CHECK(load_of(results.endpoints, 1, 0).expected == Approx(6.0 * 300.0 * 0.7));
  CHECK(load_of(results.endpoints, 1, 2).utilisation == Approx(300.0 * 0.15 * 0.005 / 2.0));
  CHECK(load_of(results.endpoints, 1, 3).utilisation == Approx(300.0 * 0.15 * 0.005));
  CHECK_FALSE(load_of(results.endpoints, 1, 3).queue_mean);
}

TEST_CASE("in mode exact utilisation follows what happens to endpoints and rates") {
  Scenario scenario = queues({2}, 40.0);
  const std::vector<config::HostIndex> first{config::HostIndex{0}};
  scenario.changes.push_back({2s, scenario::Slow{config::ServiceIndex{0}, first, 3.0}, {}});
  scenario.changes.push_back({4s, scenario::Slow{config::ServiceIndex{0}, first, 1.0}, {}});
  scenario.changes.push_back({4s, scenario::RateChange{config::ClientEntryIndex{0}, 80.0, 20.0}, {}});
  scenario.changes.push_back({6s, scenario::RateChange{config::ClientEntryIndex{0}, 40.0}, {}});
  scenario.changes.push_back({6s, scenario::Existence{config::ServiceIndex{0}, first, false}, {}});
  scenario.changes.push_back({8s, scenario::Existence{config::ServiceIndex{0}, first, true}, {}});
  scenario::Fails fails{config::ServiceIndex{0}, first, 0.25};
  fails.failure = scenario::Failure::connect_failure;
  scenario.changes.push_back({8s, fails, {}});
  const Results results = expected_loads(scenario, 2s);
  CHECK(load_of(results.samples, 0, 0).utilisation == Approx(0.1));
  CHECK(load_of(results.samples, 1, 0).utilisation == Approx(0.3));
  CHECK(load_of(results.samples, 2, 0).utilisation == Approx(0.25));  // 80 to 120 requests a second
  CHECK(load_of(results.samples, 3, 0).utilisation == 0.0);
  CHECK(load_of(results.samples, 3, 0).expected == Approx(40.0));
  CHECK(load_of(results.samples, 4, 0).utilisation == Approx(0.075));
  CHECK(load_of(results.samples, 3, 1).utilisation == Approx(0.1));
  CHECK(results.endpoints.size() == 2);
  CHECK(load_of(results.endpoints, 0, 0).utilisation == Approx((0.1 + 0.3 + 0.25 + 0.0 + 0.075) / 5.0));
}

TEST_CASE("in mode exact endpoints that share their node's cores have the utilisation of those") {
  Scenario scenario = queues({3}, 100.0);
  scenario.nodes[0].servers = scenario::Servers{.cores = 4};
  scenario.endpoints[0].servers.reset();
  scenario.endpoints[1].servers.reset();
  scenario.endpoints[1].service_time = 11ms;
  const Results results = expected_loads(scenario);
  const double third = 100.0 / 3.0;
  CHECK(load_of(results.endpoints, 0, 0).utilisation == Approx(third * (0.005 + 0.011) / 4.0));
  CHECK(load_of(results.endpoints, 0, 1).utilisation == Approx(third * (0.005 + 0.011) / 4.0));
  CHECK(load_of(results.endpoints, 0, 1).expected == Approx(10.0 * third));
  CHECK(load_of(results.endpoints, 0, 2).utilisation == Approx(third * 0.005));
}

TEST_CASE("in mode exact nothing is known of what users ask for who wait for answers") {
  Scenario scenario = queues({2}, 1.0);
  scenario.clients[0].workload.arrivals = scenario::Arrivals::closed;
  scenario.clients[0].workload.users = 5;
  const Results results = expected_loads(scenario);
  REQUIRE(results.endpoints.size() == 2);
  CHECK_FALSE(results.endpoints[0].utilisation);
  CHECK_FALSE(results.endpoints[0].expected);
}

// Round robin and periodic arrivals: what is counted strays by less than a request an endpoint from what is expected.
TEST_CASE("expected utilisation is the measured one where nothing is left to chance") {
  Scenario scenario = queues({4}, 400.0);
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.changes.push_back(support::tell(5s, 0, 4, 3));
  const Results measured = run::run(scenario, with_loads());
  const Results expected = expected_loads(scenario);
  REQUIRE(measured.endpoints.size() == expected.endpoints.size());
  for (std::size_t row = 0; row < measured.endpoints.size(); ++row) {
    CHECK(*measured.endpoints[row].utilisation ==
          Approx(*expected.endpoints[row].utilisation).margin(2.0 * 0.005 / 5.0));
    CHECK(std::abs(static_cast<double>(measured.endpoints[row].requests) - *expected.endpoints[row].expected) <= 1.0);
  }
}

TEST_CASE("the windows of expectations are measured without being asked for, and nothing else is") {
  Scenario scenario = queues({1}, 100.0);
  scenario.clients[0].workload.arrivals = scenario::Arrivals::periodic;
  scenario.changes.push_back({4s, scenario::RateChange{config::ClientEntryIndex{0}, 20.0}, {}});
  for (const auto& [from, to] : {std::pair{0s, 10s}, std::pair{2s, 6s}, std::pair{0s, 10s}, std::pair{7s, 9s}}) {
    scenario::UtilisationAssertion assertion;
    assertion.from = from;
    assertion.to = to;
    scenario.expectations.emplace_back(assertion);
  }
  for (const auto mode : {scenario::Mode::requests, scenario::Mode::exact}) {
    run::Options options;
    options.mode = mode;
    const Results results = run::run(scenario, options);
    CHECK(results.endpoints.empty());
    CHECK(results.samples.empty());
    // Of what was measured the parts of each window follow, of which the intervals of assertions are made.
    const std::size_t parts = mode == scenario::Mode::exact ? 0 : static_cast<std::size_t>(run::parts_of_window);
    REQUIRE(results.windows.size() == 3 + 3 * parts);
    double sum = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
      sum += *results.windows[3 + part].utilisation / static_cast<double>(parts);
    }
    CHECK(sum == Approx(parts == 0 ? 0.0 : *results.windows[0].utilisation));
    CHECK(results.windows[0].utilisation == Approx((4.0 * 0.5 + 6.0 * 0.1) / 10.0).margin(0.002));
    CHECK(results.windows[1].utilisation == Approx((2.0 * 0.5 + 2.0 * 0.1) / 4.0).margin(0.004));
    CHECK(results.windows[2].utilisation == Approx(0.1).margin(0.006));
    CHECK(results.windows[2].start == 7s);
  }
}

TEST_CASE("clients of a class that ask alike share what goes from zone to zone, each by its own requests") {
  // Endpoints 0 and 1 are in the clients' zone, 2 and 3 in the other one: half of all requests go there.
  Scenario scenario = one_service({4});
  scenario.mode = scenario::Mode::exact;
  scenario.zones.push_back({"zone-2", ""});
  scenario.nodes.push_back(
      {"zone-2", config::ZoneIndex{static_cast<std::uint32_t>(scenario.zones.size() - 1)}, "", {}, {}});
  for (const std::size_t endpoint : {2U, 3U}) {
    scenario.endpoints[endpoint].node = config::NodeIndex{static_cast<std::uint32_t>(scenario.nodes.size() - 1)};
  }
  scenario.clients[0].workload.rate = 100.0;
  scenario.clients[0].count = 1;
  scenario.clients.push_back(scenario.clients[0]);
  scenario.clients.back().name = "second";
  scenario.clients.back().workload.rate = 300.0;
  const Results results = run::run(scenario, {});
  REQUIRE(results.cross_zone.blocks().size() == 2);
  CHECK(results.cross_zone.blocks()[0].rows == results.cross_zone.blocks()[1].rows);
  const double seconds = std::chrono::duration<double>(scenario.duration).count();
  CHECK(results.cross_zone[0].requests == Approx(50.0 * seconds));
  CHECK(results.cross_zone[1].requests == Approx(150.0 * seconds));
  CHECK(results.cross_zone[1].exact == 0.5);
  CHECK(results.cross_zone[1].client == config::ClientEntryIndex{1});
}
