// Ring hash (envoy.load_balancing_policies.ring_hash): each host owns points on a ring of 2^64 positions. A request
// goes to the owner of the first point at or after its hash.
//
//   ring_hash::Ring ring(config, {normalized_hosts(set, hosts, false, false), endpoints});
//   ring.pick(hash, 0);          // the host of this hash, the same until hosts change
//   ring.pick(hash, 1);          // for a retry that rejects the first: the next point, maybe of the same host
//
// A host of normalized weight w gets about scale * w points. The scale makes the lightest host's number whole and keeps
// the ring's length between minimum_ring_size and maximum_ring_size. Fractions carry over from host to host, so the
// order of the hosts decides which ones get an additional point. If one of n equal hosts leaves, its 1/n of the keys
// move. If the others then gain points to keep the ring's minimum size, these points attract further keys.
//
// The seed profile ignores weights: each host gets max(1, ceil(minimum_ring_size / hosts)) points. Points with equal
// hashes are in the order of the hosts; Envoy does not define their order.
//
// Source: docs/behaviour/envoy-host-pick.md 10.3, versions-host-pick.md 2; Envoy's ring_hash_lb.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/ring_hash/config.hpp"

namespace spillway::envoy::policies::ring_hash {

class Ring {
 public:
  struct Point {
    std::uint64_t hash = 0;
    config::HostIndex host;

    friend bool operator==(const Point&, const Point&) = default;
  };

  Ring() = default;
  // Builds the ring. O(points log points).
  Ring(const Config& config, const HashTableInput& input);

  // Returns the host; nullopt if the ring is empty. `attempt` counts from 0. O(1) expected, O(log points) at worst.
  [[nodiscard]] std::optional<config::HostIndex> pick(std::uint64_t hash, std::uint32_t attempt) const noexcept;

  // Returns the position in points() for a hash: the first point at or after it, else the first of all. nullopt if the
  // ring is empty. Complexity as pick().
  [[nodiscard]] std::optional<std::size_t> point_of(std::uint64_t hash) const noexcept;

  // Adds probability times each host's fraction of the ring to `shares`, by HostIndex: the lengths of the arcs that end
  // in its points. Residues do not matter, because hashes of one residue modulo 100 are spread evenly over the ring.
  // Linear in points.
  void add_shares(ResidueRange residues, double probability, std::span<double> shares) const;

  [[nodiscard]] std::span<const Point> points() const noexcept { return points_; }

  // Words for explanations: "a ring of 1,024 points".
  static constexpr std::string_view kind = "ring";
  static constexpr std::string_view entry = "point";
  [[nodiscard]] std::uint64_t entries() const noexcept { return points_.size(); }
  // Returns the lookup of a hash; nullopt if the ring is empty.
  [[nodiscard]] std::optional<HashPlace> place_of(std::uint64_t hash) const;

  // Returns the fraction of all hashes whose owner differs, by same(host in `before`, host in `after`). Precondition:
  // neither ring is empty. Linear in points.
  [[nodiscard]] static std::optional<double> moved_part(const Ring& before, const Ring& after, const SameHost& same);

  // Return Envoy's gauges ring_hash_lb.size (the planned length), min_hashes_per_host and max_hashes_per_host.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t min_hashes_per_host() const noexcept { return min_hashes_per_host_; }
  [[nodiscard]] std::uint64_t max_hashes_per_host() const noexcept { return max_hashes_per_host_; }

 private:
  void plan(const Config& config, const HashTableInput& input, std::vector<std::uint64_t>& counts);

  void divide();

  std::vector<Point> points_;  // by hash
  // The ring is divided into sectors, about one per point. For each: the first point in or after it; then the end.
  std::vector<std::uint32_t> first_of_sector_;
  unsigned sector_shift_ = 0;  // hash >> sector_shift_ is a hash's sector
  std::uint64_t size_ = 0;
  std::uint64_t min_hashes_per_host_ = 0;
  std::uint64_t max_hashes_per_host_ = 0;
};

}  // namespace spillway::envoy::policies::ring_hash
