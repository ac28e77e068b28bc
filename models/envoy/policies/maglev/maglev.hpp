// Maglev (envoy.load_balancing_policies.maglev). The table has a prime number of slots. Hosts fill it in turn, each
// along its own permutation of the slots. A request goes to the host of slot hash % table_size.
//
//   maglev::Table table(config, {normalized_hosts(set, hosts, false, false), endpoints});
//   table.pick(hash, 0);
//
// A host of weight w gets about table_size * w / (sum of weights) slots. Hosts are sorted by key, so the table does not
// depend on their order. Hosts with equal keys keep their order (Envoy does not define it). If one of n equal hosts
// leaves, its 1/n of the keys move, and few others.
//
// A table is stored plain, or packed into as few bits per slot as the number of hosts needs, whichever Envoy would
// choose; both give the same picks. Building is O(slots log slots) expected; a pick is O(1).
//
// Source: docs/behaviour/envoy-host-pick.md 10.4; Envoy's maglev_lb.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/maglev/config.hpp"

namespace spillway::envoy::policies::maglev {

// True for the table sizes that Envoy accepts, including 1, with which it later crashes. O(sqrt number).
[[nodiscard]] bool is_prime(std::uint64_t number) noexcept;

enum class Layout : std::uint8_t { original, compact };

// Returns the smaller layout by Envoy's formula: 16 bytes per slot, or 16 bytes per host and a few bits per slot.
[[nodiscard]] Layout cheaper_layout(std::uint64_t hosts, std::uint64_t slots) noexcept;

class Table {
 public:
  Table() = default;
  Table(const Config& config, const HashTableInput& input)
      : Table(config, input, cheaper_layout(input.hosts.size(), config.table_size)) {}
  Table(const Config& config, const HashTableInput& input, Layout layout);

  // Returns the host; nullopt if there are none. `attempt` counts from 0; each attempt looks up a different hash.
  [[nodiscard]] std::optional<config::HostIndex> pick(std::uint64_t hash, std::uint32_t attempt) const noexcept {
    if (hosts_.empty()) {
      return std::nullopt;
    }
    if (attempt > 0) {
      hash ^= ~std::uint64_t{attempt} + 1;
    }
    return at(hash % slots_);
  }

  // Returns the host of a slot. Precondition: slot < slots().
  [[nodiscard]] config::HostIndex at(std::uint64_t slot) const noexcept;

  // Returns the number of slots; 0 if there are no hosts.
  [[nodiscard]] std::uint64_t slots() const noexcept { return hosts_.empty() ? 0 : slots_; }

  // Words for explanations: "a table of 65,537 slots".
  static constexpr std::string_view kind = "table";
  static constexpr std::string_view entry = "slot";
  [[nodiscard]] std::uint64_t entries() const noexcept { return slots(); }
  // Returns the lookup of a hash; nullopt if the table is empty.
  [[nodiscard]] std::optional<HashPlace> place_of(std::uint64_t hash) const;

  // Returns the fraction of all hashes whose owner differs, by same(host in `before`, host in `after`). nullopt if the
  // tables differ in size. Precondition: neither is empty. Linear in slots.
  [[nodiscard]] static std::optional<double> moved_part(const Table& before, const Table& after, const SameHost& same);

  // Adds probability times each host's fraction of the slots to `shares`, by HostIndex. `residues` are the values of
  // hash % 100 that lead here; they matter only to tables of 2 or 5 slots. Linear in slots.
  void add_shares(ResidueRange residues, double probability, std::span<double> shares) const;

  // Return Envoy's gauges min_entries_per_host and max_entries_per_host.
  [[nodiscard]] std::uint64_t min_entries_per_host() const noexcept { return min_entries_per_host_; }
  [[nodiscard]] std::uint64_t max_entries_per_host() const noexcept { return max_entries_per_host_; }

 private:
  void store(std::span<const std::uint32_t> positions, Layout layout);

  std::vector<config::HostIndex> hosts_;  // in the order in which they fill the table
  std::uint64_t slots_ = 0;
  std::vector<std::uint32_t> original_;  // index in hosts_ by slot; empty if compact_ is used
  std::vector<std::uint64_t> compact_;   // the same with bits_ bits per slot
  std::uint32_t bits_ = 0;
  std::uint64_t min_entries_per_host_ = 0;
  std::uint64_t max_entries_per_host_ = 0;
};

// The largest table of Form::legacy.
inline constexpr std::uint64_t largest_table = 5000011;

}  // namespace spillway::envoy::policies::maglev
