#include "sim/plan/failures.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/scenario/client.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using scenario::test::accepted;

namespace {

const char* const world =
    "duration: 1s\n"
    "zones:\n"
    "  - { name: east, nodes: [{ name: e, count: 2 }] }\n"
    "  - { name: west }\n"
    "services:\n"
    "  - { name: red, endpoints: [{ count: 4, zone: east }, { count: 3, zone: west }] }\n"
    "  - { name: blue, endpoints: [{ count: 2, zone: west, weight: 5 }, { id: odd, zone: west }] }\n"
    "clients: [{ name: c, zone: east, workload: { service: red, rate: 1rps } }]\n";

std::vector<std::string> names(const std::string& failures) {
  std::vector<std::string> all;
  for (const plan::Failure& failure : plan::failures_of(accepted(world + failures)).all) {
    all.push_back(failure.name);
  }
  return all;
}

std::vector<plan::Failure> listed(const std::string& failures) {
  auto found = plan::failures_of(accepted(world + failures));
  REQUIRE(found.problems.empty());
  return found.all;
}

}  // namespace

TEST_CASE("unless said, each zone and each node is lost, with clients and without", "[plan]") {
  CHECK(names("") == std::vector<std::string>{"nothing", "east endpoints", "west endpoints", "east with its clients",
                                              "node e-1 endpoints", "node e-1 with its clients"});
  // What the two nodes hold is alike, but clients run on the first alone; the west has no second node.
  CHECK(listed("")[4].ways == 2);
  CHECK(listed("")[5].ways == 1);
  CHECK(names("failures: []\n") == std::vector<std::string>{"nothing"});
}

TEST_CASE("any so many endpoints are played once for each way that differs, and stand for all ways", "[plan]") {
  // 4 red in the east on two nodes without cores to share, 3 red and 2 blue in the west, and one of its own.
  const auto failures = listed("failures: [{ any: 2, of: endpoints }]\n");
  std::uint64_t ways = 0;
  for (const plan::Failure& failure : failures) {
    ways += failure.name == "nothing" ? 0 : failure.ways;
    CHECK((failure.name == "nothing" || failure.endpoints.size() == 2));
  }
  CHECK(ways == 10 * 9 / 2);
  // Two of one of four kinds, where a kind has two, or one of each of two kinds: 3 + 6.
  CHECK(failures.size() == 1 + 3 + 6);
}

TEST_CASE("a service and a zone narrow what fails", "[plan]") {
  CHECK(listed("failures: [{ any: 1, of: endpoints, service: blue }]\n").size() == 1 + 2);
  CHECK(listed("failures: [{ each: zone, service: blue }]\n").size() == 1 + 1);
  CHECK(listed("failures: [{ each: node, zone: east }]\n").size() == 1 + 1);
}

TEST_CASE("listed parts fail together under one name", "[plan]") {
  const auto failures = listed(
      "failures: [{ together: [{ node: e-2 }, { endpoints: [odd, red-7] }] }, { name: dark, together: [{ zone: west }] "
      "}]\n");
  REQUIRE(failures.size() == 3);
  CHECK(failures[1].name == "node e-2 and red-7, odd");
  CHECK(failures[1].endpoints.size() == 4);
  CHECK(failures[2].name == "dark");
  CHECK(failures[2].endpoints.size() == 6);
}

TEST_CASE("a sweep degrades more and more of the endpoints", "[plan]") {
  const auto failures = listed("failures: [{ degraded: { step: 50% }, service: red, zone: east }]\n");
  REQUIRE(failures.size() == 4);
  CHECK(failures[1].endpoints.empty());
  CHECK(failures[2].endpoints.size() == 2);
  CHECK(failures[3].endpoints.size() == 4);
  CHECK(failures[3].degraded);
  CHECK(failures[3].name == "east red endpoints 4 of 4 degraded");
}

TEST_CASE("endpoints that a hash tells apart are not alike", "[plan]") {
  const std::string hashed =
      "clusters: [{ name: red, lb_policy: RING_HASH }]\nfailures: [{ any: 1, of: endpoints, service: red }]\n";
  CHECK(listed(hashed).size() == 1 + 7);
}

TEST_CASE("too many ways to fail are refused", "[plan]") {
  const auto found = plan::failures_of(
      accepted("duration: 1s\nzones: [{ name: a }]\nservices: [{ name: red, endpoints: [{ count: 60, zone: a }] }]\n"
               "clusters: [{ name: red, lb_policy: MAGLEV }]\n"
               "clients: [{ name: c, zone: a, workload: { service: red, rate: 1rps } }]\n"
               "failures: [{ any: 5, of: endpoints }]\n"));
  REQUIRE(found.problems.size() == 1);
  CHECK(found.problems[0].code == "SP702");
}

TEST_CASE("failures of one name say what proxies are told, and are numbered where that is alike too", "[plan]") {
  CHECK(names("failures: [{ each: zone, zone: east }, { each: zone, zone: east, told: nothing },\n"
              "           { each: zone, zone: east, told: removed }, { each: zone, zone: east }]\n") ==
        std::vector<std::string>{"nothing", "east endpoints", "east endpoints, proxies not told",
                                 "east endpoints, removed", "east endpoints (2)"});
  CHECK(names("failures: [{ each: zone, zone: east, told: nothing }]\n") ==
        std::vector<std::string>{"nothing", "east endpoints"});
}

TEST_CASE("what is lost does not answer, whatever proxies are told, and lost clients send nothing", "[plan]") {
  const scenario::Scenario scenario =
      accepted(std::string(world) +
               "failures: [{ each: zone, clients: lost }, { each: zone, told: removed, zone: west, service: red },\n"
               "           { each: zone, told: nothing, zone: east }, { degraded: { from: 50% }, zone: east }]\n");
  const auto failures = plan::failures_of(scenario).all;
  const auto changes = [&](std::size_t failure) {
    return plan::changes_of(scenario, failures[failure], std::chrono::seconds{0});
  };
  const auto unhealthy = changes(1);
  REQUIRE(unhealthy.size() == 3);
  const auto& gone = std::get<scenario::Existence>(unhealthy[0].effect);
  CHECK(gone.hosts.size() == 4);
  CHECK_FALSE(gone.exists);
  const auto& reported = std::get<scenario::EdsHealth>(unhealthy[1].effect);
  CHECK(reported.hosts.size() == 4);
  CHECK(reported.hosts[0].second == config::HealthStatus::unhealthy);
  CHECK(std::get<scenario::RateChange>(unhealthy[2].effect).rate == 0.0);
  const auto removed = changes(2);
  REQUIRE(removed.size() == 2);
  CHECK(std::get<scenario::Existence>(removed[0].effect).hosts.size() == 3);
  CHECK_FALSE(std::get<scenario::EdsMembership>(removed[1].effect).member);
  const auto unreported = changes(3);
  REQUIRE(unreported.size() == 1);
  CHECK(std::get<scenario::Existence>(unreported[0].effect).hosts.size() == 4);
  const auto degraded = changes(4);
  REQUIRE(degraded.size() == 1);
  CHECK(std::get<scenario::EdsHealth>(degraded[0].effect).hosts[0].second == config::HealthStatus::degraded);
}

TEST_CASE("a sweep ends where it should, by a shorter step if need be", "[plan]") {
  const auto failures = listed("failures: [{ degraded: { step: 30% }, service: red }]\n");
  // 0 %, 30 %, 60 %, 90 % and 100 % of 7: 0, 2.1, 4.2, 6.3 and 7.
  REQUIRE(failures.size() == 6);
  CHECK(failures[2].endpoints.size() == 2);
  CHECK(failures[4].endpoints.size() == 6);
  CHECK(failures[5].endpoints.size() == 7);
  // From 20 % in steps of 40 % to 70 %: 20 %, 60 % and 70 %, half up: 1.4, 4.2, 4.9.
  const auto part = listed("failures: [{ degraded: { from: 20%, to: 70%, step: 40% }, service: red }]\n");
  REQUIRE(part.size() == 4);
  CHECK(part[3].endpoints.size() == 5);
}

TEST_CASE("clients run on all nodes of their zone, and a lost node takes its part of them", "[plan]") {
  const auto on_nodes = [](const std::string& client) {
    return accepted(
        "duration: 60s\nzones: [{ name: a, nodes: [{ name: n, count: 3 }] }]\n"
        "services: [{ name: s, endpoints: [{ count: 3, zone: a, capacity: 100rps }] }]\nclients: [{ name: c, " +
        client + ", workload: { service: s, rate: 50rps } }]\n" +
        "failures: [{ each: node, clients: lost, told: removed }]\n");
  };
  const auto rate_without = [](const scenario::Scenario& scenario, const plan::Failure& failure) {
    double rate = 50.0;
    for (const scenario::Change& change : plan::changes_of(scenario, failure, std::chrono::seconds{0})) {
      const auto* const of_client = std::get_if<scenario::RateChange>(&change.effect);
      rate = of_client != nullptr ? of_client->rate : rate;
    }
    return rate * scenario.clients[0].count;
  };
  // One client on each node: all nodes are alike.
  const scenario::Scenario three = on_nodes("zone: a, count: 3");
  const auto alike = plan::failures_of(three).all;
  REQUIRE(alike.size() == 2);
  CHECK(alike[1].ways == 3);
  CHECK(rate_without(three, alike[1]) == Approx(100.0));
  // Two on the first node, one on each other.
  const scenario::Scenario four = on_nodes("zone: a, count: 4");
  const auto of_four = plan::failures_of(four).all;
  REQUIRE(of_four.size() == 3);
  CHECK(rate_without(four, of_four[1]) == Approx(100.0));
  CHECK(of_four[2].ways == 2);
  CHECK(rate_without(four, of_four[2]) == Approx(150.0));
  // Fewer than nodes: the last node has none.
  const scenario::Scenario two = on_nodes("zone: a, count: 2");
  const auto of_two = plan::failures_of(two).all;
  REQUIRE(of_two.size() == 2);
  CHECK(of_two[1].ways == 2);
  CHECK(rate_without(two, of_two[1]) == Approx(50.0));
  // A node that is named holds all.
  const scenario::Scenario named = on_nodes("node: n-2, count: 3");
  const auto of_named = plan::failures_of(named).all;
  REQUIRE(of_named.size() == 2);
  CHECK(rate_without(named, of_named[1]) == 0.0);
}
