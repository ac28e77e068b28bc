// ring.*, maglev.*, bounded_load.*, hashlb.key_pick, legacy.ring.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/envoy/load_balancer_picks.hpp"
#include "models/envoy/policies/bounded_load.hpp"
#include "models/envoy/policies/maglev/maglev.hpp"
#include "models/envoy/policies/ring_hash/ring_hash.hpp"
#include "models/numeric/hash.hpp"
#include "tests/conformance/case_hosts.hpp"
#include "tests/conformance/policy_configs.hpp"
#include "tests/support/sha256.hpp"

namespace spillway::conformance {

namespace {

namespace maglev = envoy::policies::maglev;
namespace ring_hash = envoy::policies::ring_hash;

// One priority's table of a case, and the names of its hosts.
struct Tables {
  CaseHosts hosts;
  std::shared_ptr<const envoy::ClusterState> state;

  [[nodiscard]] const envoy::policies::HashTable& table() const { return *state->hash_tables.front(); }
  [[nodiscard]] const ring_hash::Ring& ring() const { return std::get<ring_hash::Ring>(table().table); }
  [[nodiscard]] const maglev::Table& maglev_table() const { return std::get<maglev::Table>(table().table); }
  [[nodiscard]] json id(std::optional<config::HostIndex> host) const {
    return host ? json(hosts.ids[host->value]) : json(nullptr);
  }
};

Tables ring_of(const json& input, const json& config) {
  CaseHosts hosts = read_hosts(input);
  auto state = hosts.state(read_ring_hash(config), config.value("locality_weighted", false));
  return {std::move(hosts), std::move(state)};
}

Tables maglev_of(const json& input, const json& config) {
  CaseHosts hosts = read_hosts(input);
  auto state = hosts.state(read_maglev(config), config.value("locality_weighted", false));
  return {std::move(hosts), std::move(state)};
}

void replay_key_pick(const json& input, Check& check) {
  const std::uint64_t hash = numeric::xxhash64_chain(std::vector{input.at("header_value").get<std::string>()});
  const Tables ring = ring_of(input, input.at("ring_config"));
  const Tables table = maglev_of(input, input.at("maglev_config"));
  check.equal("hash", hash);
  check.equal("ring", ring.id(ring.ring().pick(hash, 0)));
  check.equal("maglev", table.id(table.maglev_table().pick(hash, 0)));
  check.equal("ring_attempt1", ring.id(ring.ring().pick(hash, 1)));
  check.equal("maglev_attempt1", table.id(table.maglev_table().pick(hash, 1)));
}

json layout(const ring_hash::Ring& ring, const std::vector<std::string>& ids) {
  json result = json::array();
  for (const auto& point : ring.points()) {
    result.push_back({point.hash, ids[point.host.value]});
  }
  return result;
}

void replay_ring_layout(const json& input, Check& check) {
  const Tables tables = ring_of(input, input.at("config"));
  check.equal_whole(layout(tables.ring(), tables.hosts.ids));
}

void replay_ring_pick(const json& input, Check& check) {
  const Tables tables = ring_of(input, input.at("config"));
  const auto attempt = input.value("attempt", std::uint32_t{0});
  check.equal_whole(tables.id(tables.ring().pick(input.at("hash").get<std::uint64_t>(), attempt)));
}

// A whole pick, with a request that rejects some hosts.
void replay_choose(const json& input, Check& check, const Tables& tables) {
  const auto rejected = input.value("rejected", std::vector<std::string>());
  auto no_draw = []() -> std::uint64_t { throw std::logic_error("a pick with a hash drew"); };
  envoy::LoadBalancer balancer(tables.state, no_draw);
  envoy::RequestContext context;
  context.hash = input.at("hash").get<std::uint64_t>();
  context.host_selection_retry_count = input.value("host_selection_retry_count", std::uint32_t{0});
  const auto rejects = [&](const envoy::Pick& pick) {
    return std::find(rejected.begin(), rejected.end(), tables.hosts.ids[pick.host.value]) != rejected.end();
  };
  const auto pick = balancer.choose(no_draw, context, rejects);
  check.equal_whole(pick ? tables.id(pick->host) : json(nullptr));
}

void replay_ring_choose(const json& input, Check& check) {
  replay_choose(input, check, ring_of(input, input.at("config")));
}

void replay_ring_stats(const json& input, Check& check) {
  const Tables tables = ring_of(input, input.at("config"));
  check.equal("size", tables.ring().size());
  check.equal("min_hashes_per_host", tables.ring().min_hashes_per_host());
  check.equal("max_hashes_per_host", tables.ring().max_hashes_per_host());
}

// Sample i hashes to i times the whole part of (2^64 - 1) / samples.
std::map<std::string, std::uint64_t> sample_counts(const json& input, const Tables& tables) {
  const auto samples = input.at("samples").get<std::uint64_t>();
  const std::uint64_t step = ~std::uint64_t{0} / samples;
  std::map<std::string, std::uint64_t> counts;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    ++counts[tables.id(tables.ring().pick(sample * step, 0)).get<std::string>()];
  }
  return counts;
}

void replay_ring_counts(const json& input, Check& check) {
  if (input.value("hash_of_i", std::string()) != "i * floor((2^64-1)/samples)") {
    throw std::invalid_argument("unknown hash_of_i");
  }
  check.equal_whole(sample_counts(input, ring_of(input, input.at("config"))));
}

void replay_ring_hosts_present(const json& input, Check& check) {
  json present = json::array();
  for (const auto& [host, count] : sample_counts(input, ring_of(input, input.at("config")))) {
    present.push_back(host);
  }
  check.equal_whole(present);
}

void replay_ring_digest(const json& input, Check& check) {
  const Tables tables = ring_of(input, input.at("config"));
  std::string text;
  for (const auto& point : tables.ring().points()) {
    text += (text.empty() ? "" : ",") + std::to_string(point.hash) + ":" + tables.hosts.ids[point.host.value];
  }
  const json points = layout(tables.ring(), tables.hosts.ids);
  check.equal("sha256", support::Sha256::hex(text));
  check.equal("entries", points.size());
  check.equal_if_expected("first", [&] {
    const auto count = static_cast<std::ptrdiff_t>(check.expected().at("first").size());
    return json(points.begin(), points.begin() + count);
  });
  check.equal("size", tables.ring().size());
  check.equal("min_hashes_per_host", tables.ring().min_hashes_per_host());
  check.equal("max_hashes_per_host", tables.ring().max_hashes_per_host());
}

void replay_ring_replicas(const json& input, Check& check) {
  CaseHosts hosts;
  auto& endpoints = hosts.assignment.endpoints.emplace_back().lb_endpoints;
  for (const json& run : input.at("weights_rle")) {
    for (std::size_t repeat = 0; repeat < run.at(0).get<std::size_t>(); ++repeat) {
      endpoints.push_back(
          {.address = std::to_string(endpoints.size()), .load_balancing_weight = run.at(1).get<std::uint32_t>()});
    }
  }
  json config = json::object();
  config["minimum_ring_size"] = input.at("minimum_ring_size");
  config["maximum_ring_size"] = input.at("maximum_ring_size");
  const auto state = hosts.state(read_ring_hash(config), false);
  const auto& ring = std::get<ring_hash::Ring>(state->hash_tables.front()->table);
  std::vector<std::uint64_t> replicas(endpoints.size(), 0);
  for (const auto& point : ring.points()) {
    ++replicas[point.host.value];
  }
  json runs = json::array();
  for (const std::uint64_t count : replicas) {
    if (runs.empty() || runs.back().at(1) != count) {
      runs.push_back({0, count});
    }
    runs.back().at(0) = runs.back().at(0).get<int>() + 1;
  }
  check.equal("size_stat", ring.size());
  check.equal("replicas_rle", runs);
  check.equal("entries", ring.points().size());
}

void replay_legacy_ring(const json& input, Check& check) {
  CaseHosts hosts;
  hosts.ids = input.at("hosts").get<std::vector<std::string>>();
  auto& endpoints = hosts.assignment.endpoints.emplace_back().lb_endpoints;
  for (const std::string& id : hosts.ids) {
    endpoints.push_back({.address = id});
  }
  ring_hash::Config config{.minimum_ring_size = input.at("minimum_ring_size").get<std::uint64_t>()};
  if (!input.value("use_std_hash", true)) {
    config.hash_function = ring_hash::HashFunction::xx_hash;
  }
  const auto state = hosts.state(config, false, config::EnvoyProfile::seed);
  check.equal_whole(layout(std::get<ring_hash::Ring>(state->hash_tables.front()->table), hosts.ids));
}

// Both layouts of the table, which have to agree.
json slots_of(const Tables& tables, const json& config) {
  json slots = json::array();
  const maglev::Table& table = tables.maglev_table();
  const envoy::policies::HashTableInput input{tables.table().bounded_load.hosts(), *tables.state->hosts.endpoints};
  const maglev::Table original(read_maglev(config), input, maglev::Layout::original);
  const maglev::Table compact(read_maglev(config), input, maglev::Layout::compact);
  for (std::uint64_t slot = 0; slot < table.slots(); ++slot) {
    slots.push_back(tables.hosts.ids[table.at(slot).value]);
    if (original.at(slot) != compact.at(slot)) {
      throw std::logic_error("the layouts differ at slot " + std::to_string(slot));
    }
  }
  return slots;
}

void replay_maglev_table(const json& input, Check& check) {
  check.equal_whole(slots_of(maglev_of(input, input.at("config")), input.at("config")));
}

void replay_maglev_pick(const json& input, Check& check) {
  const Tables tables = maglev_of(input, input.at("config"));
  const auto attempt = input.value("attempt", std::uint32_t{0});
  check.equal_whole(tables.id(tables.maglev_table().pick(input.at("hash").get<std::uint64_t>(), attempt)));
}

void replay_maglev_choose(const json& input, Check& check) {
  replay_choose(input, check, maglev_of(input, input.at("config")));
}

void check_maglev_stats(const maglev::Table& table, Check& check) {
  check.equal("min_entries_per_host", table.min_entries_per_host());
  check.equal("max_entries_per_host", table.max_entries_per_host());
}

void replay_maglev_stats(const json& input, Check& check) {
  check_maglev_stats(maglev_of(input, input.at("config")).maglev_table(), check);
}

void replay_maglev_digest(const json& input, Check& check) {
  const Tables tables = maglev_of(input, input.at("config"));
  const json slots = slots_of(tables, input.at("config"));
  std::string text;
  for (const json& slot : slots) {
    text += (text.empty() ? "" : ",") + slot.get<std::string>();
  }
  check.equal("sha256", support::Sha256::hex(text));
  check.equal("first16", json(slots.begin(), slots.begin() + 16));
  check_maglev_stats(tables.maglev_table(), check);
}

void replay_shuffle(const json& input, Check& check) {
  std::vector<std::uint32_t> room(input.at("n").get<std::size_t>());
  envoy::policies::HashShuffle shuffle(input.at("seed").get<std::uint64_t>(), room);
  json order = json::array();
  for (std::size_t turn = 0; turn < room.size(); ++turn) {
    order.push_back(shuffle.next());
  }
  check.equal_whole(order);
}

void replay_slots(const json& input, Check& check) {
  const std::uint32_t total = envoy::policies::bounded_load_total_slots(
      input.at("cluster_active").get<std::uint64_t>(), input.at("hash_balance_factor").get<std::uint32_t>());
  const std::uint32_t host =
      envoy::policies::bounded_load_host_slots(total, input.at("normalized_weight").get<double>());
  check.equal("total_slots", total);
  check.equal("host_slots", host);
  check.equal("overload_factor", input.at("host_active").get<double>() / host);
}

// The base pick is the hash modulo the length of base_order; loads are given.
void replay_bounded_pick(const json& input, Check& check) {
  const auto hosts = input.at("hosts").get<std::vector<std::string>>();
  if (hosts.empty()) {
    check.equal_whole(nullptr);
    return;
  }
  if (input.at("base_pick") != "base_order[hash % len]") {
    throw std::invalid_argument("unknown base_pick");
  }
  const auto hash = input.at("hash").get<std::uint64_t>();
  const auto order = input.at("base_order").get<std::vector<std::string>>();
  const auto base = std::find(hosts.begin(), hosts.end(), order[hash % order.size()]) - hosts.begin();
  std::vector<std::uint32_t> room(hosts.size());
  const auto load = [&](std::uint32_t host) { return input.at("overload_factor").at(hosts[host]).get<double>(); };
  check.equal_whole(hosts[envoy::policies::pick_bounded(static_cast<std::uint32_t>(base), hash, room, load)]);
}

}  // namespace

const Replays& hash_table_replays() {
  static const Replays replays = {
      {"hashlb.key_pick", replay_key_pick},
      {"ring.layout", replay_ring_layout},
      {"ring.pick", replay_ring_pick},
      {"ring.choose", replay_ring_choose},
      {"ring.stats", replay_ring_stats},
      {"ring.counts", replay_ring_counts},
      {"ring.hosts_present", replay_ring_hosts_present},
      {"ring.digest", replay_ring_digest},
      {"ring.replicas", replay_ring_replicas},
      {"legacy.ring", replay_legacy_ring},
      {"maglev.table", replay_maglev_table},
      {"maglev.pick", replay_maglev_pick},
      {"maglev.choose", replay_maglev_choose},
      {"maglev.stats", replay_maglev_stats},
      {"maglev.digest", replay_maglev_digest},
      {"bounded_load.shuffle", replay_shuffle},
      {"bounded_load.slots", replay_slots},
      {"bounded_load.pick", replay_bounded_pick},
  };
  return replays;
}

}  // namespace spillway::conformance
