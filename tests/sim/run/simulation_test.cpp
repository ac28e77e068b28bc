#include "sim/run/simulation.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <simgrid/s4u.hpp>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "sim/world/world.hpp"
#include "tests/support/small_scenarios.hpp"

using namespace std::chrono_literals;
using spillway::config::HostIndex;
using spillway::config::NodeIndex;
using spillway::config::Priority;
using spillway::config::ServiceIndex;
using spillway::run::Options;
using spillway::run::Outcomes;
using spillway::run::Results;
using spillway::run::Share;
using spillway::run::Simulation;
using spillway::scenario::Fails;
using spillway::scenario::Mode;
using spillway::scenario::Outcome;
using spillway::scenario::Scenario;
using spillway::support::one_service;
using spillway::support::tell;

namespace {

Results simulate(const Scenario& scenario, const Options& options = {}) {
  return Simulation(scenario, options).simulate();
}

double exact_of_priority(const Results& results, std::uint32_t epoch, std::uint32_t priority) {
  double sum = 0.0;
  for (const Share& share : results.shares) {
    sum += share.epoch == epoch && share.priority == Priority{priority} ? share.exact.value() : 0.0;
  }
  return sum;
}

std::uint64_t finished(const Outcomes& outcomes) {
  return std::accumulate(outcomes.counts.all.begin(), outcomes.counts.all.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("a two-level table of Envoy's priority document is a scenario whose rows are its epochs") {
  Scenario scenario = one_service({100, 100});
  scenario.duration = 60s;
  const std::uint32_t healthy[] = {72, 71, 50, 25, 0};
  for (int row = 0; row < 5; ++row) {
    scenario.changes.push_back(tell((row + 1) * 10s, 0, 100, healthy[row]));
  }
  const Results results = simulate(scenario, {.mode = Mode::exact, .seed = {}, .progress = {}});
  REQUIRE(results.epochs.size() == 6);
  const double documented[] = {1.0, 1.0, 0.99, 0.70, 0.35, 0.0};
  for (std::uint32_t epoch = 0; epoch < 6; ++epoch) {
    CHECK(exact_of_priority(results, epoch, 0) == Approx(documented[epoch]).margin(1e-12));
    CHECK(exact_of_priority(results, epoch, 1) == Approx(1.0 - documented[epoch]).margin(1e-12));
    CHECK(results.epochs[epoch].start == epoch * 10s);
    CHECK(results.epochs[epoch].end == (epoch + 1) * 10s);
  }
  CHECK(results.epochs[2].health->label == "P0 71%, P1 100%");
  CHECK(results.outcomes.empty());
  CHECK_FALSE(results.shares.front().simulated.has_value());
}

TEST_CASE("several changes of one moment are one row, and a change in the first moment is none of its own") {
  Scenario scenario = one_service({4, 4});
  scenario.changes = {tell(0s, 0, 4, 2), tell(5s, 0, 4, 1), tell(5s, 4, 4, 3)};
  const Results results = simulate(scenario, {.mode = Mode::exact, .seed = {}, .progress = {}});
  REQUIRE(results.epochs.size() == 2);
  CHECK(results.epochs[0].health->label == "P0 50%, P1 100%");
  CHECK(results.epochs[1].health->label == "P0 25%, P1 75%");
}

TEST_CASE("every request that is sent ends in exactly one outcome and counts at most one endpoint") {
  Scenario scenario = one_service({3, 2});
  scenario.clients[0].count = 7;
  scenario.changes = {tell(2s, 0, 3, 1), tell(4s, 0, 5, 0)};
  const Results results = simulate(scenario);
  REQUIRE(results.outcomes.size() == results.epochs.size());
  for (const Outcomes& outcomes : results.outcomes) {
    CHECK(finished(outcomes) == outcomes.sent);
    std::uint64_t requests = 0;
    for (const Share& share : results.shares) {
      requests += share.epoch == outcomes.epoch ? share.requests.value() : 0;
    }
    CHECK(requests + outcomes[Outcome::no_healthy_upstream] == outcomes.sent);
  }
  const std::uint64_t sent =
      std::accumulate(results.outcomes.begin(), results.outcomes.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const Outcomes& outcomes) { return sum + outcomes.sent; });
  // 7,000 a second for ten seconds, six standard deviations of a Poisson count.
  CHECK(std::abs(static_cast<double>(sent) - 70000.0) < 6 * std::sqrt(70000.0));
}

TEST_CASE("a host that is turned off in SimGrid alone answers nothing: connect_failure") {
  const Scenario scenario = one_service({2});
  Scenario apart = scenario;
  apart.zones.push_back({"zone-2", ""});
  apart.nodes.push_back({"z2", spillway::config::ZoneIndex{1}, ""});
  apart.endpoints[1].node = NodeIndex{1};
  Simulation simulation(apart, {});
  simgrid::s4u::Host::by_name(spillway::world::host_name(NodeIndex{1}))->turn_off();
  const Results results = simulation.simulate();
  REQUIRE(results.outcomes.size() == 1);
  const Outcomes& outcomes = results.outcomes[0];
  CHECK(outcomes[Outcome::connect_failure] == results.shares[1].requests.value());
  CHECK(outcomes[Outcome::connect_failure] > 0);
  CHECK(outcomes.ok() == results.shares[0].requests.value());
}

TEST_CASE("a node that goes off while it serves gives upstream_error") {
  Scenario scenario = one_service({1, 1});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 1.0;
  scenario.clients[0].node = NodeIndex{1};
  scenario.endpoints[0].service_time = 500ms;
  scenario.changes = {{3s + 100ms, spillway::scenario::NodeOutage{NodeIndex{0}, false}, {}},
                      {3s + 200ms, spillway::scenario::NodeOutage{NodeIndex{0}, true}, {}}};
  const Results results = simulate(scenario);
  CHECK(results.outcomes[0].sent == 10);
  CHECK(results.outcomes[0][Outcome::upstream_error] == 1);
  CHECK(results.outcomes[0].ok() == 9);
}

TEST_CASE("clients on a node that is off send nothing") {
  Scenario scenario = one_service({1});
  scenario.nodes.push_back({"clients", spillway::config::ZoneIndex{0}, ""});
  scenario.clients[0].node = NodeIndex{1};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  scenario.changes = {{5s, spillway::scenario::NodeOutage{NodeIndex{1}, false}, {}}};
  CHECK(simulate(scenario).outcomes[0].sent == 50);
}

TEST_CASE("an outage of one of three nodes silences the clients that run there, and those alone") {
  Scenario scenario = one_service({1});
  scenario.nodes.push_back({"second", spillway::config::ZoneIndex{0}, ""});
  scenario.nodes.push_back({"third", spillway::config::ZoneIndex{0}, ""});
  scenario.nodes.push_back({"of endpoints", spillway::config::ZoneIndex{0}, ""});
  scenario.endpoints[0].node = NodeIndex{3};
  // Seven clients on three nodes: 3, 2 and 2.
  scenario.clients[0].count = 7;
  scenario.clients[0].nodes = {NodeIndex{0}, NodeIndex{1}, NodeIndex{2}};
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  for (const auto& [node, silent] : {std::pair{0U, 3U}, {1U, 2U}, {2U, 2U}}) {
    CAPTURE(node);
    scenario.changes = {{5s, spillway::scenario::NodeOutage{NodeIndex{node}, false}, {}}};
    const Results results = simulate(scenario);
    REQUIRE(results.outcomes.size() == 1);
    CHECK(results.outcomes[0].sent == 700 - 50 * silent);
    std::vector<std::uint64_t> late(7, 0);
    Options options;
    options.trace = [&](const spillway::run::TracedRequest& request) { late[request.number] += request.sent_at >= 5s; };
    static_cast<void>(Simulation(scenario, options).simulate());
    for (std::uint32_t client = 0; client < 7; ++client) {
      CHECK((late[client] == 0) == (client % 3 == node));
    }
    options = {};
    options.mode = spillway::scenario::Mode::exact;
    options.endpoint_loads = true;
    const Results exact = Simulation(scenario, options).simulate();
    double expected = 0.0;
    for (const spillway::run::EndpointLoad& load : exact.endpoints) {
      expected += load.expected.value();
    }
    CHECK(expected == Approx(700.0 - 50.0 * silent));
  }
}

TEST_CASE("the ejection that a request causes changes the very next pick") {
  Scenario scenario = one_service({2});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  scenario.endpoints[0].service_time = 0ms;
  scenario.services[0].cluster.outlier_detection =
      spillway::config::OutlierDetection{.consecutive_5xx = 3, .max_ejection_percent = 50};
  scenario.changes = {{0s, Fails{ServiceIndex{0}, {HostIndex{0}}, 1.0}, {}}};
  const Results results = simulate(scenario);
  CHECK(results.events.ejections == 1);
  // Round robin alternates until the failing endpoint has failed three times; it is never picked again in these 10 s.
  // One of two hosts left is 70 % available, which is no panic at the default threshold.
  CHECK(results.outcomes[0][Outcome::upstream_error] == 3);
  CHECK(results.shares[0].requests.value() == 3);
  CHECK(results.shares[1].requests.value() == 97);
  CHECK(results.epochs.size() == 1);
  CHECK(results.epochs[0].states == 2);
}

TEST_CASE("an ejected host comes back with the first sweep after its time") {
  Scenario scenario = one_service({2});
  scenario.duration = 60s;
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  scenario.services[0].cluster.outlier_detection =
      spillway::config::OutlierDetection{.consecutive_5xx = 1, .max_ejection_percent = 50};
  scenario.changes = {{0s, Fails{ServiceIndex{0}, {HostIndex{0}}, 1.0}, {}},
                      {1s, Fails{ServiceIndex{0}, {HostIndex{0}}, 0.0}, {}}};
  const Results results = simulate(scenario);
  CHECK(results.events.ejections == 1);
  CHECK(results.events.unejections == 1);
  // Ejected within the first two requests, so 30 s are over just after the sweep at 30 s: back at 40 s, half of the
  // last 20 s.
  CHECK(results.shares[0].requests.value() >= 100);
  CHECK(results.shares[0].requests.value() <= 102);
}

TEST_CASE("latency is the link there and back and the service time") {
  Scenario scenario = one_service({1, 1});
  scenario.clients[0].node = NodeIndex{1};
  scenario.links = {{spillway::config::ZoneIndex{0}, spillway::config::ZoneIndex{1}, 3ms}};
  const Results results = simulate(scenario);
  CHECK(results.latency[0].max == Approx(0.010).epsilon(1e-12));
  CHECK(results.latency[0].p50 == Approx(0.010).epsilon(0.01));
}

TEST_CASE("the same seed gives the same run, another seed another one") {
  Scenario scenario = one_service({5, 5});
  scenario.clients[0].count = 3;
  scenario.changes = {tell(5s, 0, 5, 2)};
  const Results first = simulate(scenario);
  const Results second = simulate(scenario);
  CHECK(first.result_fingerprint == second.result_fingerprint);
  CHECK(first.outcomes[0].sent == second.outcomes[0].sent);
  CHECK(simulate(scenario, {.mode = {}, .seed = 2, .progress = {}}).result_fingerprint != first.result_fingerprint);
}

TEST_CASE("adding a client entry does not change what the others draw") {
  Scenario scenario = one_service({5});
  const Results alone = simulate(scenario);
  scenario.clients.insert(scenario.clients.begin(), {"other", NodeIndex{0}, 2, {ServiceIndex{0}, 10.0, {}}});
  const Results together = simulate(scenario);
  CHECK(together.outcomes[1].sent == alone.outcomes[0].sent);
}

TEST_CASE("an endpoint that is added exists before the proxies hear of it, and one that is removed is still asked") {
  Scenario scenario = one_service({3});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 100.0;
  scenario.services[0].absent_at_start = {HostIndex{2}};
  using spillway::scenario::EdsMembership;
  using spillway::scenario::Existence;
  scenario.changes = {{2s, Existence{ServiceIndex{0}, {HostIndex{2}}, true}, {}},
                      {4s, EdsMembership{ServiceIndex{0}, {HostIndex{2}}, true}, {}},
                      {6s, Existence{ServiceIndex{0}, {HostIndex{0}}, false}, {}},
                      {8s, EdsMembership{ServiceIndex{0}, {HostIndex{0}}, false}, {}}};
  const Results results = simulate(scenario);
  REQUIRE(results.epochs.size() == 3);
  CHECK(results.epochs[0].end == 4s);
  CHECK(results.epochs[1].end == 8s);
  const auto share = [&](std::uint32_t epoch, const std::string& endpoint) {
    for (const Share& row : results.shares) {
      if (row.epoch == epoch && row.endpoint == endpoint) {
        return row.exact.value();
      }
    }
    return 0.0;
  };
  CHECK(share(0, "backend-1") == Approx(1.0 / 2));
  CHECK(share(0, "backend-3") == 0.0);
  CHECK(share(1, "backend-3") == Approx(1.0 / 3));
  CHECK(share(2, "backend-1") == 0.0);
  CHECK(share(2, "backend-2") == Approx(1.0 / 2));
  // A third of the 200 requests between removal and push; round robin strays by less than one.
  CHECK(results.outcomes[1][Outcome::connect_failure] >= 66);
  CHECK(results.outcomes[1][Outcome::connect_failure] <= 67);
  CHECK(results.outcomes[0][Outcome::connect_failure] == 0);
  CHECK(results.outcomes[2][Outcome::connect_failure] == 0);
}

TEST_CASE("a push that reaches one zone later gives its clients a row boundary of their own") {
  Scenario scenario = one_service({2, 2});
  scenario.clients.push_back({"far", NodeIndex{1}, 1, {ServiceIndex{0}, 10.0, {}}});
  spillway::scenario::Change near_push = tell(2s, 0, 2, 1);
  spillway::scenario::Change far_push = tell(5s, 0, 2, 1);
  std::get<spillway::scenario::EdsHealth>(near_push.effect).audience = {spillway::config::ZoneIndex{0}};
  std::get<spillway::scenario::EdsHealth>(far_push.effect).audience = {spillway::config::ZoneIndex{1}};
  scenario.changes = {near_push, far_push};
  const Results results = simulate(scenario, {.mode = Mode::exact, .seed = {}, .progress = {}});
  REQUIRE(results.epochs.size() == 4);
  CHECK(results.epochs[0].end == 2s);
  CHECK(results.epochs[2].end == 5s);
}

TEST_CASE("phases change the rate of a workload, and a phase of rate zero sends nothing") {
  Scenario scenario = one_service({2});
  scenario.clients[0].workload.arrivals = spillway::scenario::Arrivals::periodic;
  scenario.clients[0].workload.rate = 10.0;
  scenario.changes = {{2s, spillway::scenario::RateChange{{0}, 0.0}, {}},
                      {5s, spillway::scenario::RateChange{{0}, 100.0}, {}}};
  const Results results = simulate(scenario);
  REQUIRE(results.epochs.size() == 1);
  CHECK(results.outcomes[0].sent == 20 + 500);
}

TEST_CASE("least request sees the requests in flight of its own proxy only, and avoids a slow endpoint") {
  Scenario scenario = one_service({2});
  scenario.clients[0].workload.rate = 100.0;
  scenario.services[0].cluster.lb_policy = spillway::envoy::policies::least_request::Config{};
  scenario.endpoints[0].service_time = 1s;
  scenario.endpoints[1].service_time = 1ms;
  const Results results = simulate(scenario);
  // With some 25 requests always in flight on the slow endpoint it is picked only if both choices fall on it: one in
  // four, but for the very first requests. Six standard deviations of a binomial share.
  const double sent = static_cast<double>(results.outcomes[0].sent);
  CHECK(std::abs(results.shares[0].simulated.value() - 0.25) < 6 * std::sqrt(0.25 * 0.75 / sent) + 3 / sent);
  CHECK_FALSE(results.shares[0].exact);
  CHECK(results.shares[0].exact_basis == "picks depend on the requests in flight");
}
