// Endpoints that keep their names where a change numbers them anew.
#include "sim/diff/endpoint_names.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/documents/parse.hpp"
#include "tests/sim/diff/sides.hpp"

using namespace spillway;
using diff::EndpointNames;
using support::difference_of;

namespace {

documents::Node tree_of_groups(const std::string& groups) {
  Sources sources = {{"tree.yaml", "services: [{ name: s, endpoints: [" + groups + "] }]\n"}};
  Diagnostics problems;
  return *documents::parse(sources, 0, problems);
}

EndpointNames names(const std::string& before, const std::string& after) {
  return diff::names_as_before(tree_of_groups(before), tree_of_groups(after));
}

std::string two_zones(int in_a, const std::string& policy = "ROUND_ROBIN") {
  return "duration: 20s\n"
         "zones: [{ name: a }, { name: b }]\n"
         "services:\n"
         "  - name: s\n"
         "    endpoints:\n"
         "      - { count: " +
         std::to_string(in_a) +
         ", zone: a, capacity: 100rps }\n"
         "      - { count: 4, zone: b, capacity: 100rps, priority: 1 }\n"
         "clusters: [{ name: s, lb_policy: " +
         policy +
         " }]\n"
         "clients: [{ name: x, zone: a, workload: { service: s, rate: 200rps } }]\n";
}

std::vector<std::string> removed(const diff::Difference& difference) {
  std::vector<std::string> names;
  for (const diff::Presence& presence : difference.presences) {
    names.push_back((presence.added ? "new " : "removed ") + presence.name);
  }
  return names;
}

}  // namespace

TEST_CASE("endpoints of a group keep their names when the count of a group before it changes") {
  CHECK(names("{ count: 2, zone: a }, { count: 2, zone: b }", "{ count: 2, zone: a }, { count: 3, zone: b }").empty());
  CHECK(names("{ count: 2, zone: a }, { count: 2, zone: b }", "{ count: 1, zone: a }, { count: 2, zone: b }") ==
        EndpointNames{{"s-2", "s-3"}, {"s-3", "s-4"}});
  // A third endpoint of a has a number that is an endpoint of b's: it gets one that neither has.
  CHECK(names("{ count: 2, zone: a }, { count: 2, zone: b }", "{ count: 3, zone: a }, { count: 2, zone: b }") ==
        EndpointNames{{"s-3", "s-6"}, {"s-4", "s-3"}, {"s-5", "s-4"}});
  CHECK(names("{ zone: a }, { zone: b }", "{ zone: b }, { zone: a }") == EndpointNames{{"s-1", "s-2"}, {"s-2", "s-1"}});
  CHECK(names("{ zone: a }, { id: own, zone: a }, { zone: b }", "{ id: own, zone: a }, { zone: b }") ==
        EndpointNames{{"s-2", "s-3"}});
}

TEST_CASE("an endpoint fewer in one zone moves nothing while that zone is lost, and is the one that is removed") {
  for (const char* const policy : {"ROUND_ROBIN", "RING_HASH"}) {
    CAPTURE(policy);
    const diff::Difference difference = difference_of(two_zones(4, policy), two_zones(3, policy));
    CHECK(removed(difference) == std::vector<std::string>{"removed s-4"});
    for (const diff::Move& move : difference.moves) {
      CHECK(difference.contexts[move.context].failure != "a endpoints");
    }
    // Three of the four equal endpoints of the zone are left: a quarter of the requests goes elsewhere.
    const auto always = std::find_if(difference.moves.begin(), difference.moves.end(), [&](const diff::Move& move) {
      return difference.contexts[move.context].kind == diff::Context::Kind::moment;
    });
    REQUIRE(always != difference.moves.end());
    CHECK(support::part_of(always->endpoints, "s-5") == nullptr);
    CHECK(support::part_of(always->endpoints, "s-4")->after == 0.0);
  }
}
