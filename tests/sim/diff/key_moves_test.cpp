// Keys that come to another endpoint: against tables that are asked hash by hash.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>

#include "models/envoy/exact_shares.hpp"
#include "sim/diff/changes.hpp"
#include "sim/diff/look.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "tests/sim/diff/sides.hpp"
#include "tests/support/draws.hpp"

using namespace spillway;
using support::difference_of;

namespace {

std::string hashed(const std::string& policy, int endpoints, const std::string& client_more = "",
                   const std::string& health = "") {
  return "duration: 1s\nzones: [{ name: a }]\n"
         "services: [{ name: s, endpoints: [{ count: " +
         std::to_string(endpoints) + ", zone: a" + health +
         " }] }]\n"
         "clusters: [{ name: s, " +
         policy +
         " }]\n"
         "clients: [{ name: c, zone: a, workload: { rate: 1rps" +
         (client_more.empty() ? ", service: s" : client_more) + " } }]\nfailures: []\n" +
         (client_more.empty() ? ""
                              : "routes: [{ match: { prefix: / }, route: { cluster: s, hash_policy: [{ header: { "
                                "header_name: x-user } }] "
                                "} }]\n");
}

// The one endpoint of a hash.
std::string owner(const diff::Look& look, std::uint64_t hash) {
  const run::Snapshot& snapshot = look.snapshot();
  const envoy::WeightedHash hashes[] = {{hash, 1.0}};
  const run::FlowIndex flow = snapshot.flow_group({0}, look.asking().front().service).front();
  const auto shares = envoy::exact_shares(snapshot.state(flow), {.hashes = hashes});
  REQUIRE(shares.hosts.size() == 1);
  return scenario::endpoint_at(look.still(), snapshot.flows().at(flow).service, shares.hosts.front().host).id;
}

// The part of all hashes that moves, by the walk and by drawn hashes; within five standard errors.
void check_by_draws(const std::string& before, const std::string& after) {
  const diff::Look old_look(support::side_of("a", before).still({}, nullptr));
  const diff::Look look(support::side_of("b", after).still({}, nullptr));
  const auto moves = diff::key_moves_of(old_look, look, 0);
  REQUIRE(moves.size() == 1);
  CHECK_FALSE(moves.front().named);
  constexpr int draws = 4000;
  support::Draws draw(3);
  int moved = 0;
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t hash = draw();
    moved += owner(old_look, hash) != owner(look, hash) ? 1 : 0;
  }
  const double share = moves.front().share;
  CHECK(std::abs(static_cast<double>(moved) / draws - share) <= 5.0 * std::sqrt(share * (1.0 - share) / draws));
}

}  // namespace

TEST_CASE("rings are walked arc by arc: what moves is what drawn hashes say") {
  check_by_draws(hashed("lb_policy: RING_HASH", 5), hashed("lb_policy: RING_HASH", 6));
  check_by_draws(hashed("lb_policy: RING_HASH", 5),
                 hashed("lb_policy: RING_HASH, ring_hash_lb_config: { minimum_ring_size: 4096 }", 5));
}

TEST_CASE("tables are walked slot by slot, and those of other lengths by their shares") {
  check_by_draws(hashed("lb_policy: MAGLEV", 5), hashed("lb_policy: MAGLEV", 6));
  check_by_draws(hashed("lb_policy: MAGLEV", 5),
                 hashed("lb_policy: MAGLEV, maglev_lb_config: { table_size: 1009 }", 5));
  check_by_draws(hashed("lb_policy: RING_HASH", 5), hashed("lb_policy: MAGLEV", 5));
}

TEST_CASE("the priority of a hash counts too") {
  const auto two = [](const std::string& healthy) {
    return "duration: 1s\nzones: [{ name: a }]\n"
           "services: [{ name: s, endpoints: [{ count: 5, zone: a, healthy: \"" +
           healthy +
           "\" }, { count: 5, zone: a, priority: 1 }] }]\n"
           "clusters: [{ name: s, lb_policy: RING_HASH }]\n"
           "clients: [{ name: c, zone: a, workload: { rate: 1rps, service: s } }]\nfailures: []\n";
  };
  check_by_draws(two("5"), two("2"));
}

TEST_CASE("named keys are looked up one by one, by weight and number") {
  const std::string requests =
      ", requests: [{ headers: { x-user: u1 }, weight: 5 }, { headers: { x-user: u2 } }, { headers: { x-user: u3 } }, "
      "{ "
      "headers: { x-user: u4 } }, { headers: { x-user: u5 } }, { headers: { x-user: u6 } }]";
  const std::string before = hashed("lb_policy: MAGLEV", 3, requests);
  const std::string after = hashed("lb_policy: MAGLEV", 4, requests);
  const diff::Look old_look(support::side_of("a", before).still({}, nullptr));
  const diff::Look look(support::side_of("b", after).still({}, nullptr));
  const auto moves = diff::key_moves_of(old_look, look, 0);
  double moved = 0.0;
  std::uint64_t number = 0;
  for (const auto& kind : look.still().clients.front().workload.requests) {
    const auto hash = [&](const diff::Look& of) {
      for (const run::Demand* demand : of.snapshot().traffic().demands_of({0})) {
        if (demand->request->headers.back() == kind.request.headers.back()) {
          return *demand->hash;
        }
      }
      return std::uint64_t{0};
    };
    if (owner(old_look, hash(old_look)) != owner(look, hash(look))) {
      ++number;
      moved += kind.weight;
    }
  }
  REQUIRE(number > 0);
  REQUIRE(moves.size() == 1);
  CHECK(moves.front().named);
  CHECK(moves.front().keys == 6);
  CHECK(moves.front().moved == number);
  CHECK(moves.front().share == Approx(moved / 10.0));
}

TEST_CASE("where nothing hashes, and where the tables are the same, no key moves") {
  CHECK(difference_of(hashed("lb_policy: RING_HASH", 5), hashed("lb_policy: RING_HASH", 5)).keys.empty());
  CHECK(difference_of(hashed("lb_policy: ROUND_ROBIN", 5), hashed("lb_policy: ROUND_ROBIN", 6)).keys.empty());
}

// A fourth equal host has to take a quarter of the keys, a host that leaves gives its third to others, and of hosts
// that stay nothing has to move.
TEST_CASE("the least part of all keys that must move follows from the weights") {
  const auto least = [](int before, int after) {
    const diff::Look old_look(support::side_of("a", hashed("lb_policy: MAGLEV", before)).still({}, nullptr));
    const diff::Look look(support::side_of("b", hashed("lb_policy: MAGLEV", after)).still({}, nullptr));
    const auto moves = diff::key_moves_of(old_look, look, 0);
    return moves.empty() ? 0.0 : moves.front().least;
  };
  CHECK(least(3, 4) == Approx(0.25));
  CHECK(least(3, 2) == Approx(1.0 / 3.0));
  CHECK(least(3, 3) == 0.0);
}
