// Maglev (envoy.load_balancing_policies.maglev): a table of a prime number of slots, filled by the hosts in turn, each
// along a permutation of its own; a request goes to the host of slot hash % table_size.
//
//   maglev::Table table(config, {normalized_hosts(set, hosts, false, false), endpoints});
//   table.pick(hash, 0);
//
// A host of weight w gets about table_size * w / (sum of weights) slots. Tables do not depend on the order of the
// hosts, which are sorted by key; equal keys stand in the order of the hosts (Envoy leaves their order open). When one
// of n equal hosts leaves, its 1/n of the keys move, and few others.
//
// A table is stored plain or packed into as few bits a slot as the number of hosts needs, whichever Envoy would choose;
// both give the same picks. Building is O(slots log slots) expected, a pick constant time.
//
// Source: docs/behaviour/envoy-host-pick.md 10.4; Envoy's maglev_lb.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/maglev/config.hpp"

namespace spillway::envoy::policies {
struct ResidueRange;  // pick_input.hpp
}  // namespace spillway::envoy::policies

namespace spillway::envoy::policies::maglev {

// Envoy refuses a table size that is not. Its test lets 1 pass, with which it then crashes; O(sqrt number).
[[nodiscard]] bool is_prime(std::uint64_t number) noexcept;

enum class Layout : std::uint8_t { original, compact };

// The layout of less memory by Envoy's formula: 16 bytes a slot against 16 a host and some bits a slot.
[[nodiscard]] Layout cheaper_layout(std::uint64_t hosts, std::uint64_t slots) noexcept;

class Table {
 public:
  Table() = default;
  Table(const Config& config, const HashTableInput& input)
      : Table(config, input, cheaper_layout(input.hosts.size(), config.table_size)) {}
  Table(const Config& config, const HashTableInput& input, Layout layout);

  // None if there are no hosts. `attempt` counts from 0; a later one looks up another hash.
  [[nodiscard]] std::optional<config::HostIndex> pick(std::uint64_t hash, std::uint32_t attempt) const noexcept {
    if (hosts_.empty()) {
      return std::nullopt;
    }
    if (attempt > 0) {
      hash ^= ~std::uint64_t{attempt} + 1;
    }
    return at(hash % slots_);
  }

  // The host of a slot below slots().
  [[nodiscard]] config::HostIndex at(std::uint64_t slot) const noexcept;

  // 0 if there are no hosts.
  [[nodiscard]] std::uint64_t slots() const noexcept { return hosts_.empty() ? 0 : slots_; }

  // In words: "a table of 65,537 slots".
  static constexpr std::string_view kind = "table";
  static constexpr std::string_view entry = "slot";
  [[nodiscard]] std::uint64_t entries() const noexcept { return slots(); }
  // Where a hash is looked up; none if the table is empty.
  [[nodiscard]] std::optional<HashPlace> place_of(std::uint64_t hash) const;

  // The part of all hashes whose owner in `after` is another one, by same(host in `before`, host in `after`); none:
  // the tables differ in size. Neither is empty. Linear.
  [[nodiscard]] static std::optional<double> moved_part(const Table& before, const Table& after, const SameHost& same);

  // Adds probability times each host's part of the slots to `shares`, by HostIndex. `residues` are those of the hash
  // modulo 100 that lead here; they matter to tables of 2 or 5 slots only. Linear.
  void add_shares(ResidueRange residues, double probability, std::span<double> shares) const;

  // Envoy's gauges min_ and max_entries_per_host.
  [[nodiscard]] std::uint64_t min_entries_per_host() const noexcept { return min_entries_per_host_; }
  [[nodiscard]] std::uint64_t max_entries_per_host() const noexcept { return max_entries_per_host_; }

 private:
  void store(std::span<const std::uint32_t> positions, Layout layout);

  std::vector<config::HostIndex> hosts_;  // in the order in which they filled the table
  std::uint64_t slots_ = 0;
  std::vector<std::uint32_t> original_;  // position in hosts_ by slot, or else:
  std::vector<std::uint64_t> compact_;   // the same, bits_ bits each
  std::uint32_t bits_ = 0;
  std::uint64_t min_entries_per_host_ = 0;
  std::uint64_t max_entries_per_host_ = 0;
};

// The largest table of Form::legacy.
inline constexpr std::uint64_t largest_table = 5000011;

}  // namespace spillway::envoy::policies::maglev
