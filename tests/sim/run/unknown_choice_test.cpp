#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/run/simulation.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/small_scenarios.hpp"

using spillway::config::ServiceIndex;
using spillway::run::Results;
using spillway::run::Simulation;
using spillway::scenario::Route;
using spillway::scenario::Scenario;
namespace envoy_policies = spillway::envoy::policies;
namespace envoy_routes = spillway::envoy::routes;

TEST_CASE("no host has an exact share where it is unknown what a request is hashed by") {
  Scenario scenario = spillway::support::one_service({4});
  scenario.services[0].cluster.lb_policy = envoy_policies::ring_hash::Config{};
  Route route;
  route.route.action.clusters = {{.name = "backend"}};
  route.route.action.hash_policy = {{envoy_routes::HeaderHash{"x-user"}}};
  route.clusters = {ServiceIndex{0}};
  scenario.routes = {route};
  scenario.clients[0].workload.requests = {{.name = "one", .request = {.headers = {{"x-user", "u"}}}}};
  scenario.mode = spillway::scenario::Mode::exact;
  const auto rows = [&scenario] { return Simulation(scenario, {}).simulate().shares; };
  const auto known = rows();
  CHECK(std::count_if(known.begin(), known.end(), [](const auto& share) { return share.exact == 1.0; }) == 1);

  scenario.routes[0].unknown_choice = "a filter may change `x-user`, which a hash policy reads";
  const auto unknown = rows();
  // Not even "0, exact" of those that the header as it came would not reach.
  CHECK(std::distance(unknown.begin(), unknown.end()) == 4);
  for (const auto& share : unknown) {
    CHECK_FALSE(share.exact.has_value());
    CHECK(share.exact_basis == "a filter may change `x-user`, which a hash policy reads");
  }
}
