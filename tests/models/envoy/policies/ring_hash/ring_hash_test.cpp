#include "models/envoy/policies/ring_hash/ring_hash.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/g_test.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
using envoy::policies::ring_hash::Ring;
using support::assignment;

namespace {

std::shared_ptr<const envoy::ClusterState> state_of(const config::ClusterLoadAssignment& hosts,
                                                    const envoy::policies::ring_hash::Config& policy,
                                                    config::EnvoyProfile profile = config::EnvoyProfile::current) {
  envoy::Cluster cluster;
  cluster.lb_policy = policy;
  return envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {.profile = profile}), {.profile = profile});
}

const Ring& ring_of(const envoy::ClusterState& state) {
  return std::get<Ring>(state.hash_tables.front()->table);
}

std::vector<std::uint64_t> points_by_host(const envoy::ClusterState& state) {
  std::vector<std::uint64_t> counts(state.hosts.hosts.size(), 0);
  for (const auto& point : ring_of(state).points()) {
    ++counts[point.host.value];
  }
  return counts;
}

}  // namespace

TEST_CASE("a ring of 1,024 over 16 hosts gives each 64 points") {
  for (const auto profile : {config::EnvoyProfile::current, config::EnvoyProfile::seed}) {
    const auto state = state_of(assignment({{.healthy = 16}}), {}, profile);
    CHECK(points_by_host(*state) == std::vector<std::uint64_t>(16, 64));
  }
}

TEST_CASE("a hash comes to the first point at or after it, or to the first of all") {
  support::Draws draws(3);
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{100}, std::uint64_t{5000}}) {
    const auto state = state_of(assignment({{.healthy = 1}}), {.minimum_ring_size = size});
    const Ring& ring = ring_of(*state);
    const auto points = ring.points();
    REQUIRE(points.size() == size);
    std::vector<std::uint64_t> hashes = {0, UINT64_MAX, points.front().hash, points.back().hash};
    for (int number = 0; number < 2000; ++number) {
      hashes.push_back(draws());
      const std::uint64_t of_point = points[draws() % points.size()].hash;
      hashes.insert(hashes.end(), {of_point, of_point - 1, of_point + 1});
    }
    for (const std::uint64_t hash : hashes) {
      std::size_t expected = 0;
      while (expected < points.size() && points[expected].hash < hash) {
        ++expected;
      }
      REQUIRE(ring.point_of(hash) == (expected == points.size() ? 0 : expected));
    }
  }
}

TEST_CASE("rounding gives the first of 75 equal hosts a point more, but not in the seed profile") {
  std::vector<std::uint64_t> expected(75, 14);
  CHECK(points_by_host(*state_of(assignment({{.healthy = 75}}), {}, config::EnvoyProfile::seed)) == expected);
  expected.front() = 15;
  CHECK(points_by_host(*state_of(assignment({{.healthy = 75}}), {})) == expected);
}

TEST_CASE("when a host leaves, its keys move and no others while the rest keep their number of points") {
  auto hosts = assignment({{.healthy = 10}});
  const auto before = state_of(hosts, {.minimum_ring_size = 1});
  hosts.endpoints.front().lb_endpoints.pop_back();
  const auto after = state_of(hosts, {.minimum_ring_size = 1});
  support::Draws keys(7);
  std::uint64_t moved = 0;
  constexpr std::uint64_t all = 20000;
  for (std::uint64_t key = 0; key < all; ++key) {
    const std::uint64_t hash = keys();
    const auto old_host = *ring_of(*before).pick(hash, 0);
    if (old_host.value == 9) {
      ++moved;
    } else {
      REQUIRE(old_host == *ring_of(*after).pick(hash, 0));
    }
  }
  const double share = envoy::exact_shares(*before).hosts.back().share;
  CHECK(support::g_test(std::vector<std::uint64_t>{moved, all - moved}, std::vector<double>{share, 1.0 - share}) >
        1e-6);
}

TEST_CASE("when a host leaves a ring of the default size, the points that the others gain move keys too") {
  auto hosts = assignment({{.healthy = 10}});
  const auto before = state_of(hosts, {});
  hosts.endpoints.front().lb_endpoints.pop_back();
  const auto after = state_of(hosts, {});
  CHECK(points_by_host(*before).front() == 103);
  CHECK(points_by_host(*after).front() == 114);
  support::Draws keys(7);
  int moved = 0;
  for (int key = 0; key < 20000; ++key) {
    const std::uint64_t hash = keys();
    moved += ring_of(*before).pick(hash, 0) == ring_of(*after).pick(hash, 0) ? 0 : 1;
  }
  CHECK(moved > 2000);
  CHECK(moved < 5000);
}

TEST_CASE("a minimum ring size of 0 makes an empty ring, which finds no host") {
  const auto state = state_of(assignment({{.healthy = 3}}), {.minimum_ring_size = 0});
  support::Draws draw(1);
  envoy::LoadBalancer balancer(state, draw);
  CHECK_FALSE(balancer.choose(draw).has_value());
  CHECK(envoy::exact_shares(*state).hosts.empty());
}

TEST_CASE("degraded hosts are met in panic alone") {
  support::Draws draw(3);
  const auto calm = state_of(assignment({{.healthy = 1, .degraded = 1}}), {});
  const auto exact = envoy::exact_shares(*calm);
  REQUIRE(exact.hosts.size() == 1);
  CHECK(exact.hosts.front().share == Approx(1.0));
  const auto panic = state_of(assignment({{.healthy = 1, .degraded = 1, .unhealthy = 8}}), {});
  CHECK(envoy::exact_shares(*panic).hosts.size() == 10);
}

TEST_CASE("picks follow the exact shares, without keys and with") {
  const auto state =
      state_of(assignment({{.priority = 0, .healthy = 3, .unhealthy = 3}, {.priority = 1, .healthy = 2}}), {});
  support::Draws draw(11);
  envoy::LoadBalancer balancer(state, draw);
  std::vector<std::uint64_t> counts(state->hosts.hosts.size(), 0);
  for (int pick = 0; pick < 40000; ++pick) {
    ++counts[balancer.choose(draw)->host.value];
  }
  std::vector<double> shares(counts.size(), 0.0);
  for (const auto& row : envoy::exact_shares(*state).hosts) {
    shares[row.host.value] += row.share;
  }
  CHECK(support::g_test(counts, shares) > 1e-6);

  const std::vector<envoy::WeightedHash> keys = {{draw(), 3.0}, {draw(), 1.0}};
  const auto by_key = envoy::exact_shares(*state, {.hashes = keys});
  double heavy = 0.0;
  envoy::RequestContext context;
  context.hash = keys.front().hash;
  const auto pick = balancer.choose(draw, context);
  for (const auto& row : by_key.hosts) {
    heavy += row.host == pick->host ? row.share : 0.0;
  }
  CHECK(heavy >= 0.75);
}

TEST_CASE("a request with a hash draws nothing, one without draws once") {
  const auto state = state_of(assignment({{.healthy = 5}}), {});
  support::Draws draw(1);
  envoy::LoadBalancer balancer(state, draw);
  CHECK(draw.used() == 0);
  envoy::RequestContext context;
  context.hash = 42;
  REQUIRE(balancer.choose(draw, context));
  CHECK(draw.used() == 0);
  REQUIRE(balancer.choose(draw));
  CHECK(draw.used() == 1);
}

TEST_CASE("states share the rings of priorities that have not changed") {
  envoy::Cluster cluster;
  cluster.lb_policy = envoy::policies::ring_hash::Config{};
  auto hosts = assignment({{.priority = 0, .healthy = 4}, {.priority = 1, .healthy = 4}});
  const auto before = envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {}), {});
  hosts.endpoints.back().lb_endpoints.pop_back();
  const auto after = envoy::refresh(cluster, before.get(), envoy::make_priority_set(hosts, {}), {});
  CHECK(after->hash_tables[0] == before->hash_tables[0]);
  CHECK(after->hash_tables[1] != before->hash_tables[1]);
}

TEST_CASE("the part of the hashes that a change moves is what changes hands along the ring") {
  const auto part = [](const envoy::ClusterState& before, const envoy::ClusterState& after, const auto& same) {
    return Ring::moved_part(ring_of(before), ring_of(after), same);
  };
  const auto same_host = [](config::HostIndex old_host, config::HostIndex host) { return old_host == host; };
  auto hosts = assignment({{.healthy = 10}});
  const auto before = state_of(hosts, {.minimum_ring_size = 1});
  CHECK(part(*before, *before, same_host) == 0.0);
  CHECK(*part(*before, *before, [](auto, auto) { return false; }) == Approx(1.0).epsilon(1e-15));
  // With as many points for each of the rest as before, only the keys of the one that leaves move.
  hosts.endpoints.front().lb_endpoints.pop_back();
  const auto after = state_of(hosts, {.minimum_ring_size = 1});
  const double share = envoy::exact_shares(*before).hosts.back().share;
  CHECK(*part(*before, *after, same_host) == Approx(share).epsilon(1e-12));
  CHECK(*part(*after, *before, same_host) == Approx(share).epsilon(1e-12));
  // Where points are gained too, as the hashes themselves say.
  const auto large = state_of(hosts, {.minimum_ring_size = 200});
  support::Draws keys(11);
  std::uint64_t moved = 0;
  constexpr std::uint64_t all = 100000;
  for (std::uint64_t key = 0; key < all; ++key) {
    const std::uint64_t hash = keys();
    moved += *ring_of(*before).pick(hash, 0) == *ring_of(*large).pick(hash, 0) ? 0 : 1;
  }
  const double exact = *part(*before, *large, same_host);
  CHECK(support::g_test(std::vector<std::uint64_t>{moved, all - moved}, std::vector<double>{exact, 1.0 - exact}) >
        1e-6);
}

TEST_CASE("another attempt takes the point after, round the end of the ring") {
  const auto state = state_of(assignment({{.healthy = 5}}), {.minimum_ring_size = 25});
  const auto points = ring_of(*state).points();
  const std::uint64_t last = points.back().hash;
  CHECK(ring_of(*state).pick(last, 0) == points.back().host);
  CHECK(ring_of(*state).pick(last, 1) == points[0].host);
  CHECK(ring_of(*state).pick(last, 2) == points[1].host);
  CHECK(ring_of(*state).pick(points[3].hash, 4) == points[7].host);
}

TEST_CASE("the sizes of a ring are refused above 8388608 in a cluster's own form, and a minimum above the maximum") {
  namespace ring_hash = envoy::policies::ring_hash;
  using envoy::Form;
  const auto reason = [](std::uint64_t least, std::uint64_t most, Form form) {
    return refusal(ring_hash::Config{.minimum_ring_size = least, .maximum_ring_size = most}, form);
  };
  CHECK_FALSE(reason(8388608, 8388608, Form::legacy).has_value());
  CHECK(reason(8388609, 8388609, Form::legacy).has_value());
  CHECK(reason(1, 8388609, Form::legacy).has_value());
  CHECK_FALSE(reason(8388609, 8388609, Form::typed).has_value());
  CHECK(reason(1025, 1024, Form::typed) == "ring hash: minimum_ring_size (1025) > maximum_ring_size (1024)");
  CHECK_FALSE(reason(1024, 1024, Form::typed).has_value());
  const ring_hash::Config unbalanced{.consistent_hashing_lb_config = {.hash_balance_factor = 99}};
  CHECK(refusal(unbalanced, Form::legacy).has_value());
  CHECK_FALSE(refusal(unbalanced, Form::typed).has_value());
}
