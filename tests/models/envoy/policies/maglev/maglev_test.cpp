#include "models/envoy/policies/maglev/maglev.hpp"

#include <catch2/catch.hpp>
#include <rapidcheck.h>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/hash_balancer.hpp"
#include "models/envoy/load_balancer_picks.hpp"
#include "tests/support/draws.hpp"
#include "tests/support/hosts.hpp"

using namespace spillway;
namespace maglev = envoy::policies::maglev;
using support::assignment;

namespace {

std::vector<config::LbEndpoint> named(std::size_t count) {
  std::vector<config::LbEndpoint> result;
  for (std::size_t host = 0; host < count; ++host) {
    result.push_back({.address = "10.0.0." + std::to_string(host) + ":80"});
  }
  return result;
}

}  // namespace

TEST_CASE("the plain and the packed table give the same picks and lose no slot") {
  const bool holds = rc::check([] {
    const auto weights = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(1U, 50U)));
    const auto endpoints = named(weights.size());
    const auto normalized = envoy::normalized_weights(weights);
    std::vector<envoy::NormalizedHost> hosts;
    for (std::uint32_t host = 0; host < weights.size(); ++host) {
      hosts.push_back({{host}, normalized[host]});
    }
    const maglev::Config config{.table_size = *rc::gen::element(2U, 5U, 101U, 509U, 1031U)};
    const maglev::Table plain(config, {hosts, endpoints}, maglev::Layout::original);
    const maglev::Table packed(config, {hosts, endpoints}, maglev::Layout::compact);
    std::vector<double> shares(weights.size(), 0.0);
    packed.add_shares({}, 1.0, shares);
    double sum = 0.0;
    for (const double share : shares) {
      sum += share;
    }
    RC_ASSERT(sum > 1.0 - 1e-9);
    RC_ASSERT(sum < 1.0 + 1e-9);
    for (std::uint64_t slot = 0; slot < plain.slots(); ++slot) {
      RC_ASSERT(plain.at(slot) == packed.at(slot));
    }
  });
  CHECK(holds);
}

TEST_CASE("the default table is packed, and divides almost evenly") {
  CHECK(maglev::cheaper_layout(500, 65537) == maglev::Layout::compact);
  CHECK(maglev::cheaper_layout(7, 7) == maglev::Layout::original);
  const auto endpoints = named(10);
  std::vector<envoy::NormalizedHost> hosts;
  for (std::uint32_t host = 0; host < 10; ++host) {
    hosts.push_back({{host}, 0.1});
  }
  const maglev::Table table({}, {hosts, endpoints});
  CHECK(table.max_entries_per_host() - table.min_entries_per_host() <= 1);
}

TEST_CASE("a table size has to be prime, and 1 counts as prime") {
  CHECK(maglev::is_prime(65537));
  CHECK(maglev::is_prime(2));
  CHECK(maglev::is_prime(5000011));
  CHECK(maglev::is_prime(1));
  CHECK_FALSE(maglev::is_prime(65536));
  CHECK_FALSE(maglev::is_prime(25));
}

TEST_CASE("most keys stay when a host leaves") {
  envoy::Cluster cluster;
  cluster.lb_policy = maglev::Config{};
  auto hosts = assignment({{.healthy = 10}});
  const auto before = envoy::refresh(cluster, nullptr, envoy::make_priority_set(hosts, {}), {});
  hosts.endpoints.front().lb_endpoints.pop_back();
  const auto after = envoy::refresh(cluster, before.get(), envoy::make_priority_set(hosts, {}), {});
  const auto& old_table = std::get<maglev::Table>(before->hash_tables.front()->table);
  const auto& new_table = std::get<maglev::Table>(after->hash_tables.front()->table);
  std::uint64_t moved = 0;
  for (std::uint64_t slot = 0; slot < 65537; ++slot) {
    moved += old_table.at(slot) == new_table.at(slot) ? 0 : 1;
  }
  CHECK(moved >= 6553);
  CHECK(moved < 65537 / 5);
}

TEST_CASE("a table without slots has a place for no hash") {
  CHECK_FALSE(maglev::Table().place_of(5).has_value());
}

TEST_CASE("a host over its bound hands its keys on, each key to the same host") {
  envoy::Cluster cluster;
  maglev::Config config;
  config.consistent_hashing_lb_config.hash_balance_factor = 125;
  cluster.lb_policy = config;
  const auto state = envoy::refresh(cluster, nullptr, envoy::make_priority_set(assignment({{.healthy = 4}}), {}), {});
  support::Draws draw(5);
  envoy::LoadBalancer balancer(state, draw);
  const std::vector<std::uint32_t> active = {30, 1, 1, 1};
  envoy::RequestContext context;
  context.active_requests = active;
  for (int key = 0; key < 200; ++key) {
    context.hash = draw();
    const auto pick = balancer.choose(draw, context);
    CHECK(pick->host.value != 0);
    CHECK(balancer.choose(draw, context) == pick);
  }
  for (const auto& row : envoy::exact_shares(*state, active).hosts) {
    CHECK(row.host.value != 0);
  }
}

// Release notes of Envoy 1.27: hosts are sorted by their keys, so that tables no longer depend on their order.
TEST_CASE("before Envoy 1.27 a table depends on the order of the hosts") {
  const auto hosts_of_slots = [](config::EnvoyProfile profile, bool reversed) {
    auto endpoints = named(5);
    if (reversed) {
      std::reverse(endpoints.begin(), endpoints.end());
    }
    std::vector<envoy::NormalizedHost> hosts;
    for (std::uint32_t host = 0; host < 5; ++host) {
      hosts.push_back({{host}, 0.2});
    }
    const maglev::Table table({.table_size = 101}, {hosts, endpoints, profile});
    std::vector<std::string> owners;
    for (std::uint64_t slot = 0; slot < table.slots(); ++slot) {
      owners.push_back(endpoints[table.at(slot).value].address);
    }
    return owners;
  };
  using config::EnvoyProfile;
  CHECK(hosts_of_slots(EnvoyProfile::release_1_27, false) == hosts_of_slots(EnvoyProfile::release_1_27, true));
  CHECK(hosts_of_slots(EnvoyProfile::release_1_26, false) != hosts_of_slots(EnvoyProfile::release_1_26, true));
  // In the order of their keys both are the same.
  CHECK(hosts_of_slots(EnvoyProfile::release_1_26, false) == hosts_of_slots(EnvoyProfile::release_1_27, false));
}

TEST_CASE("the part of the hashes that a change moves is that of the slots that change hands") {
  const auto endpoints = named(4);
  const auto table_of = [&endpoints](std::uint32_t hosts, std::uint64_t slots, maglev::Layout layout) {
    std::vector<envoy::NormalizedHost> listed;
    for (std::uint32_t host = 0; host < hosts; ++host) {
      listed.push_back({{host}, 1.0 / hosts});
    }
    return maglev::Table({.table_size = slots}, {listed, endpoints}, layout);
  };
  const auto same_host = [](config::HostIndex old_host, config::HostIndex host) { return old_host == host; };
  const auto never_same = [](config::HostIndex, config::HostIndex) { return false; };
  for (const maglev::Layout layout : {maglev::Layout::original, maglev::Layout::compact}) {
    const maglev::Table before = table_of(4, 101, layout);
    const maglev::Table after = table_of(3, 101, layout);
    CHECK(maglev::Table::moved_part(before, before, same_host) == 0.0);
    CHECK(maglev::Table::moved_part(before, after, never_same) == 1.0);
    std::uint32_t moved = 0;
    for (std::uint64_t slot = 0; slot < 101; ++slot) {
      moved += before.at(slot) == after.at(slot) ? 0 : 1;
    }
    CHECK(maglev::Table::moved_part(before, after, same_host) == moved / 101.0);
    CHECK_FALSE(maglev::Table::moved_part(before, table_of(4, 103, layout), same_host).has_value());
  }
}

TEST_CASE("a table is refused above 5000011 slots in a cluster's own form, and where it is not prime") {
  using envoy::Form;
  const auto refused = [](std::uint64_t slots, Form form) {
    return refusal(maglev::Config{.table_size = slots}, form).has_value();
  };
  CHECK_FALSE(refused(5000011, Form::legacy));
  CHECK(refused(5000077, Form::legacy));  // the next prime
  CHECK(refused(0, Form::typed));
  CHECK(refused(1, Form::typed));  // Envoy takes it, and ends by SIGFPE when it fills the table
  CHECK_FALSE(refused(2, Form::typed));
  CHECK_FALSE(refused(3, Form::typed));
  CHECK(refused(4, Form::typed));
  CHECK(refused(9, Form::typed));
  CHECK_FALSE(refused(7, Form::typed));
  CHECK(refused(49, Form::typed));   // 7 * 7
  CHECK(refused(121, Form::typed));  // 11 * 11
  CHECK(refused(169, Form::typed));  // 13 * 13
  CHECK(refused(77, Form::typed));   // 7 * 11
  CHECK_FALSE(refused(101, Form::typed));
}
