// Ring hash (envoy.load_balancing_policies.ring_hash): every host owns points of a ring of 2^64 positions, and a
// request goes to the owner of the first point at or after its hash.
//
//   ring_hash::Ring ring(config, {normalized_hosts(set, hosts, false, false), endpoints});
//   ring.pick(hash, 0);          // the host of this hash, the same until hosts change
//   ring.pick(hash, 1);          // what a retry that rejects it meets next: the next point, perhaps of the same host
//
// A host of normalized weight w gets about scale * w points, where scale makes the lightest host's number whole and
// the ring at least minimum_ring_size and at most maximum_ring_size points long. Fractions carry over from host to
// host, so that the order of the hosts decides who gets a point more. When one of n equal hosts leaves, its 1/n of the
// keys move; and where the others gain points to keep the ring at its minimum, those points draw keys to themselves.
//
// The seed profile looks at no weights: max(1, ceil(minimum_ring_size / hosts)) points each. Points of equal hash
// stand in the order of the hosts; Envoy leaves their order open.
//
// Source: docs/behaviour/envoy-host-pick.md 10.3, versions-host-pick.md 2; Envoy's ring_hash_lb.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/envoy/policies/hash_table_input.hpp"
#include "models/envoy/policies/ring_hash/config.hpp"

namespace spillway::envoy::policies {
struct ResidueRange;  // pick_input.hpp
}  // namespace spillway::envoy::policies

namespace spillway::envoy::policies::ring_hash {

class Ring {
 public:
  struct Point {
    std::uint64_t hash = 0;
    config::HostIndex host;

    friend bool operator==(const Point&, const Point&) = default;
  };

  Ring() = default;
  // O(points log points).
  Ring(const Config& config, const HashTableInput& input);

  // None if the ring is empty. `attempt` counts from 0. Constant time expected, O(log points) at worst.
  [[nodiscard]] std::optional<config::HostIndex> pick(std::uint64_t hash, std::uint32_t attempt) const noexcept;

  // The position in points() that a hash comes to: the first at or after it, else the first of all. None if the ring is
  // empty. Costs the same.
  [[nodiscard]] std::optional<std::size_t> point_of(std::uint64_t hash) const noexcept;

  // Adds probability times each host's part of the ring to `shares`, by HostIndex: the lengths of the arcs that end in
  // its points. Linear. A hash of one residue modulo 100 is spread over the ring as any other, so that the residues
  // that led here do not matter.
  void add_shares(ResidueRange residues, double probability, std::span<double> shares) const;

  [[nodiscard]] std::span<const Point> points() const noexcept { return points_; }

  // In words: "a ring of 1,024 points".
  static constexpr std::string_view kind = "ring";
  static constexpr std::string_view entry = "point";
  [[nodiscard]] std::uint64_t entries() const noexcept { return points_.size(); }
  // Where a hash is looked up; none if the ring is empty.
  [[nodiscard]] std::optional<HashPlace> place_of(std::uint64_t hash) const;

  // The part of all hashes whose owner in `after` is another one, by same(host in `before`, host in `after`). Neither
  // is empty. Linear.
  [[nodiscard]] static std::optional<double> moved_part(const Ring& before, const Ring& after, const SameHost& same);

  // Envoy's gauges ring_hash_lb.size (the planned length; rounding may add a point), min_ and max_hashes_per_host.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t min_hashes_per_host() const noexcept { return min_hashes_per_host_; }
  [[nodiscard]] std::uint64_t max_hashes_per_host() const noexcept { return max_hashes_per_host_; }

 private:
  void plan(const Config& config, const HashTableInput& input, std::vector<std::uint64_t>& counts);

  void divide();

  std::vector<Point> points_;  // by hash
  // The ring in about as many equal sectors as it has points: the first point in each or after it, and the end.
  std::vector<std::uint32_t> first_of_sector_;
  unsigned sector_shift_ = 0;  // hash >> sector_shift_ is a hash's sector
  std::uint64_t size_ = 0;
  std::uint64_t min_hashes_per_host_ = 0;
  std::uint64_t max_hashes_per_host_ = 0;
};

}  // namespace spillway::envoy::policies::ring_hash
