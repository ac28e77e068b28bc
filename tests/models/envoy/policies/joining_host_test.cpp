// What a host that joins takes from the others under the hash policies: its own part of the keys, and under a ring
// whose other points stay not one key more.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"
#include "models/numeric/hash.hpp"

using namespace spillway;
namespace policies = envoy::policies;

namespace {

constexpr std::uint32_t keys = 20'000;

struct EqualHosts {
  explicit EqualHosts(std::uint32_t count) {
    for (std::uint32_t host = 0; host < count; ++host) {
      names.push_back({.address = "10.0.0." + std::to_string(host + 1) + ":80"});
      hosts.push_back({{host}, 1.0 / count});
    }
  }
  [[nodiscard]] policies::HashTableInput input() const { return {hosts, names}; }

  std::vector<config::LbEndpoint> names;
  std::vector<envoy::NormalizedHost> hosts;
};

struct Moved {
  double to_the_newcomer = 0.0;  // of all keys
  double elsewhere = 0.0;
};

template <class Table>
Moved moved(const Table& before, const Table& after, config::HostIndex newcomer) {
  Moved moved;
  for (std::uint32_t key = 0; key < keys; ++key) {
    const std::uint64_t hash = numeric::xxhash64("user-" + std::to_string(key));
    const auto host = after.pick(hash, 0);
    if (host != before.pick(hash, 0)) {
      (host == newcomer ? moved.to_the_newcomer : moved.elsewhere) += 1.0 / keys;
    }
  }
  return moved;
}

}  // namespace

TEST_CASE("a host that joins a ring takes its arcs and moves no other key") {
  const EqualHosts sixteen(16);
  const EqualHosts seventeen(17);
  const policies::ring_hash::Ring before({.minimum_ring_size = 1024}, sixteen.input());
  const policies::ring_hash::Ring after({.minimum_ring_size = 1088}, seventeen.input());  // 64 points a host, as before
  const Moved keys_moved = moved(before, after, {16});
  std::vector<double> arcs(17, 0.0);
  after.add_shares({}, 1.0, arcs);
  CHECK(keys_moved.elsewhere == 0.0);
  // Four standard deviations of so many keys.
  CHECK(keys_moved.to_the_newcomer == Approx(arcs[16]).margin(4 * std::sqrt(arcs[16] * (1 - arcs[16]) / keys)));
}

TEST_CASE("a host that joins a maglev table takes its seventeenth and moves few other keys") {
  const policies::maglev::Table before({}, EqualHosts(16).input());
  const policies::maglev::Table after({}, EqualHosts(17).input());
  const Moved keys_moved = moved(before, after, {16});
  const double part = 1.0 / 17;
  CHECK(keys_moved.to_the_newcomer == Approx(part).margin(4 * std::sqrt(part * (1 - part) / keys)));
  CHECK(keys_moved.elsewhere < part);
}
