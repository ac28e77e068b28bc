#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/policies/hash_table.hpp"
#include "models/envoy/policies/pick_input.hpp"
#include "models/envoy/policies/registry.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/diff/changes.hpp"
#include "sim/diff/look.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::diff {
namespace {

namespace policies = envoy::policies;

constexpr std::uint32_t residues = 100;
constexpr std::size_t most_names = 5;

// Returns the endpoint of a host of the flow's service, or of an aggregate cluster's child.
const std::string& endpoint_of(const run::Snapshot& snapshot, run::FlowIndex flow, std::uint32_t child,
                               config::HostIndex host) {
  const scenario::Scenario& scenario = snapshot.scenario();
  const auto members = scenario::members_of(scenario, snapshot.flows().at(flow).service);
  return scenario::endpoint_at(scenario, members[child], host).id;
}

// A kind of request that hashes to one endpoint.
struct Key {
  std::string endpoint;
  double weight = 0.0;
};

// Returns the keys by name. Keys that may go to several endpoints are left out.
std::map<std::string, Key> keys_of(const Look& look, const Look::Asking& asking) {
  const run::Snapshot& snapshot = look.snapshot();
  std::map<std::string, std::map<std::string, double>> found;  // by kind and endpoint: weight
  std::map<std::string, double> weights;
  for (const run::FlowIndex flow : snapshot.flow_group(asking.client, asking.service)) {
    for (const run::Demand* const demand : snapshot.traffic().demands_of(flow)) {
      if (demand->kind == nullptr) {
        continue;
      }
      const std::string& name = demand->kind->name;
      weights[name] += demand->weight;
      if (!demand->hash || demand->override_hosts != nullptr || demand->original_dst) {
        continue;
      }
      const std::array hashes = {envoy::WeightedHash{*demand->hash, 1.0}};
      const envoy::ExactShares shares =
          envoy::exact_shares(snapshot.state(flow), {.hashes = hashes, .criteria = demand->criteria});
      for (const envoy::HostShare& share : shares.hosts) {
        found[name][endpoint_of(snapshot, flow, share.child, share.host)] += demand->weight * share.share;
      }
    }
  }
  std::map<std::string, Key> keys;
  for (const auto& [name, endpoints] : found) {
    if (endpoints.size() == 1 && same(endpoints.begin()->second, weights[name])) {
      keys[name] = {endpoints.begin()->first, weights[name]};
    }
  }
  return keys;
}

std::optional<KeyMove> named_move(const Look& before, const Look::Asking& old, const Look& after,
                                  const Look::Asking& asking) {
  const std::map<std::string, Key> old_keys = keys_of(before, old);
  KeyMove move;
  double all = 0.0;
  double moved = 0.0;
  std::vector<std::pair<double, std::string>> names;
  for (const auto& [name, key] : keys_of(after, asking)) {
    const auto old_key = old_keys.find(name);
    if (old_key == old_keys.end()) {
      continue;
    }
    ++move.keys;
    all += key.weight;
    if (old_key->second.endpoint != key.endpoint) {
      ++move.moved;
      moved += key.weight;
      names.emplace_back(key.weight, name);
    }
  }
  if (move.moved == 0) {
    return std::nullopt;
  }
  move.share = moved / all;
  numeric::stable_sort(names, [](const auto& left, const auto& right) { return left.first > right.first; });
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) {
    move.names.push_back(names[i].second);
  }
  return move;
}

// The owner of every hash in a table, with the hosts' names.
struct Owners {
  const policies::HashTable* table = nullptr;  // no hash has an owner if null or empty
  const run::Snapshot* snapshot = nullptr;
  run::FlowIndex flow;

  [[nodiscard]] const std::string& name(config::HostIndex host) const { return endpoint_of(*snapshot, flow, 0, host); }
  [[nodiscard]] bool empty() const {
    return table == nullptr || std::visit([](const auto& of) { return of.entries() == 0; }, table->table);
  }
  [[nodiscard]] std::map<std::string, double> shares() const {
    const scenario::Scenario& scenario = snapshot->scenario();
    const auto& hosts = scenario.services[snapshot->flows().at(flow).service.value].hosts;
    std::vector<double> by_host(hosts.size(), 0.0);
    std::visit([&](const auto& of) { of.add_shares({0, residues}, 1.0, by_host); }, table->table);
    std::map<std::string, double> shares;
    for (std::uint32_t host = 0; host < by_host.size(); ++host) {
      shares[name({host})] += by_host[host];
    }
    return shares;
  }
  // Returns the share of each endpoint by the weights of the table's hosts.
  [[nodiscard]] std::map<std::string, double> fair_shares() const {
    std::map<std::string, double> fair;
    if (empty()) {
      return fair;
    }
    const scenario::Scenario& scenario = snapshot->scenario();
    const scenario::Service& service = scenario.services[snapshot->flows().at(flow).service.value];
    const std::map<std::string, double> owned = shares();
    double sum = 0.0;
    std::uint32_t host = 0;
    for (const config::LocalityLbEndpoints& group : service.load_assignment.endpoints) {
      for (const config::LbEndpoint& endpoint : group.lb_endpoints) {
        const std::string& of = name({host++});
        if (owned.at(of) > 0.0) {
          fair[of] += endpoint.load_balancing_weight;
          sum += endpoint.load_balancing_weight;
        }
      }
    }
    for (auto& [of, share] : fair) {
      share /= sum;
    }
    return fair;
  }
};

// Returns the fraction of all hashes whose owner differs.
double moved_between(const Owners& before, const Owners& after) {
  if (before.empty() || after.empty()) {
    return before.empty() == after.empty() ? 0.0 : 1.0;
  }
  const auto same_name = [&](config::HostIndex old_host, config::HostIndex host) {
    return before.name(old_host) == after.name(host);
  };
  const auto moved = std::visit(
      [&](const auto& table) {
        using Table = std::decay_t<decltype(table)>;
        const auto* const old_table = std::get_if<Table>(&before.table->table);
        return old_table == nullptr ? std::nullopt : Table::moved_part(*old_table, table, same_name);
      },
      after.table->table);
  if (moved) {
    return *moved;
  }
  const std::map<std::string, double> old_shares = before.shares();
  double stays = 0.0;
  for (const auto& [name, share] : after.shares()) {
    const auto old_share = old_shares.find(name);
    stays += old_share != old_shares.end() ? old_share->second * share : 0.0;
  }
  return 1.0 - stays;
}

// Returns the least fraction of all hashes whose owner must change: the total gain of endpoints in their shares by
// weight.
double least_move(const Owners& before, const Owners& after) {
  const std::map<std::string, double> old_shares = before.fair_shares();
  double gained = 0.0;
  for (const auto& [name, share] : after.fair_shares()) {
    const auto old_share = old_shares.find(name);
    gained += std::max(0.0, share - (old_share == old_shares.end() ? 0.0 : old_share->second));
  }
  return gained;
}

// Returns the group's only flow, if its own hash policy balances it.
std::optional<run::FlowIndex> hashed_flow(const Look& look, const Look::Asking& asking) {
  const auto group = look.snapshot().flow_group(asking.client, asking.service);
  if (group.size() != 1 || look.snapshot().state(group.front()).aggregate ||
      look.snapshot().state(group.front()).hash_tables.empty()) {
    return std::nullopt;
  }
  return group.front();
}

std::optional<KeyMove> unnamed_move(const Look& before, const Look::Asking& old, const Look& after,
                                    const Look::Asking& asking) {
  const auto old_flow = hashed_flow(before, old);
  const auto flow = hashed_flow(after, asking);
  if (!old_flow || !flow) {
    return std::nullopt;
  }
  const envoy::ClusterState& old_state = before.snapshot().state(*old_flow);
  const envoy::ClusterState& state = after.snapshot().state(*flow);
  const auto owners = [](const Look& look, run::FlowIndex of, std::uint32_t priority) {
    const auto& tables = look.snapshot().state(of).hash_tables;
    return Owners{priority < tables.size() ? tables[priority].get() : nullptr, &look.snapshot(), of};
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> pairs;  // number of residues by pair of priorities
  for (std::uint32_t residue = 0; residue < residues; ++residue) {
    ++pairs[{old_state.priority_table[residue].priority.value, state.priority_table[residue].priority.value}];
  }
  KeyMove move;
  move.named = false;
  for (const auto& [priorities, count] : pairs) {
    move.share += static_cast<double>(count) / residues *
                  moved_between(owners(before, *old_flow, priorities.first), owners(after, *flow, priorities.second));
  }
  // With several priorities, a lost host also moves other keys.
  if (pairs.size() == 1) {
    const std::uint32_t old_priority = pairs.begin()->first.first;
    const std::uint32_t priority = pairs.begin()->first.second;
    move.least = least_move(owners(before, *old_flow, old_priority), owners(after, *flow, priority));
  }
  return same(move.share, 0.0) ? std::nullopt : std::optional(move);
}

}  // namespace

std::vector<KeyMove> key_moves_of(const Look& before, const Look& after, std::size_t context) {
  std::vector<KeyMove> moves;
  for (const Look::Asking& asking : after.asking()) {
    const scenario::ClientEntry& client = after.still().clients[asking.client.value];
    const std::string& service = after.still().services[asking.service.value].name;
    const Look::Asking* const old = before.find(client.name, service);
    if (old == nullptr) {
      continue;
    }
    const bool named =
        !client.workload.requests.empty() && !before.still().clients[old->client.value].workload.requests.empty();
    auto move = named ? named_move(before, *old, after, asking) : unnamed_move(before, *old, after, asking);
    if (move) {
      move->context = context;
      move->client = client.name;
      move->service = service;
      moves.push_back(*std::move(move));
    }
  }
  return moves;
}

}  // namespace spillway::diff
