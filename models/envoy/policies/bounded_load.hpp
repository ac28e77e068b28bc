// Consistent hashing with bounded loads (hash_balance_factor) on top of ring hash and maglev.
//
//   BoundedLoad bounded(normalized_hosts, 150);
//   bounded.pick(ring.pick(hash, attempt), hash, active_requests, scratch);
//
// A host of normalized weight w may have max(1, ceil(total * w)) requests in flight; total is the factor times the
// cluster's requests in flight, this one included. If the table's host has more, the others are tried in an order
// shuffled by the hash, so that a key overflows to the same hosts; if all have more, the least loaded is used.
//
// Source: docs/behaviour/envoy-host-pick.md 10.5; Envoy's thread_aware_lb_impl.cc (BoundedLoadHashingLoadBalancer).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/hash_balancer.hpp"

namespace spillway::envoy::policies {

// Returns the slots of the whole cluster: `factor` percent of (requests in flight + 1), rounded up.
[[nodiscard]] std::uint32_t bounded_load_total_slots(std::uint64_t cluster_active, std::uint32_t factor) noexcept;
[[nodiscard]] std::uint32_t bounded_load_host_slots(std::uint32_t total_slots, double normalized_weight) noexcept;

// The order in which a hash tries hosts: positions 0 .. size-1, shuffled by std::mt19937 with the hash's low 32 bits as
// seed. `order` is working memory; next() may be called once for each of its entries.
class HashShuffle {
 public:
  HashShuffle(std::uint64_t hash, std::span<std::uint32_t> order) noexcept
      : generator_(static_cast<std::uint32_t>(hash)), order_(order) {
    std::iota(order.begin(), order.end(), 0U);
  }

  std::uint32_t next() noexcept {
    const auto left = static_cast<std::uint32_t>(order_.size() - taken_);
    std::swap(order_[taken_], order_[taken_ + below(left)]);
    return order_[taken_++];
  }

 private:
  // Returns a uniform number below `bound`: buckets of equal width; the rest of the 2^32 values is drawn again.
  std::uint32_t below(std::uint32_t bound) noexcept {
    const std::uint64_t width = (std::uint64_t{1} << 32U) / bound;
    std::uint64_t bucket = generator_() / width;
    while (bucket >= bound) {
      bucket = generator_() / width;
    }
    return static_cast<std::uint32_t>(bucket);
  }

  std::mt19937 generator_;
  std::span<std::uint32_t> order_;
  std::size_t taken_ = 0;
};

// Returns the position that gets a request for `base`: `base` unless its load(position) exceeds 1, else the first in
// shuffled order whose load does not, else the least loaded, `base` among equals. O(hosts).
template <class Load>
[[nodiscard]] std::uint32_t pick_bounded(std::uint32_t base, std::uint64_t hash, std::span<std::uint32_t> order,
                                         Load load) {
  double least = load(base);
  if (least <= 1.0) {
    return base;
  }
  std::uint32_t least_loaded = base;
  HashShuffle shuffle(hash, order);
  for (std::size_t tried = 0; tried < order.size(); ++tried) {
    const std::uint32_t position = shuffle.next();
    if (position == base) {
      continue;
    }
    const double current = load(position);
    if (current <= 1.0) {
      return position;
    }
    if (current < least) {
      least = current;
      least_loaded = position;
    }
  }
  return least_loaded;
}

class BoundedLoad {
 public:
  BoundedLoad() = default;  // no bound
  BoundedLoad(std::vector<NormalizedHost> hosts, std::uint32_t factor) : hosts_(std::move(hosts)), factor_(factor) {}

  [[nodiscard]] bool bounds() const noexcept { return factor_ != 0; }

  // Returns the host. `scratch` has one entry per host. Constant time if the base host has room, else linear in hosts.
  [[nodiscard]] config::HostIndex pick(config::HostIndex base, std::uint64_t hash, ActiveRequests active_requests,
                                       std::span<std::uint32_t> scratch) const noexcept;

  // Moves the shares of hosts above their bound to the hosts that the shuffle reaches first, with every shuffled order
  // equally likely. `shares` is by HostIndex.
  void redistribute(std::span<double> shares, ActiveRequests active_requests) const;

  [[nodiscard]] std::span<const NormalizedHost> hosts() const noexcept { return hosts_; }

 private:
  [[nodiscard]] double load(std::size_t position, std::uint32_t total_slots,
                            ActiveRequests active_requests) const noexcept;
  [[nodiscard]] std::uint32_t total_slots(ActiveRequests active_requests) const noexcept;

  std::vector<NormalizedHost> hosts_;
  std::uint32_t factor_ = 0;
};

}  // namespace spillway::envoy::policies
