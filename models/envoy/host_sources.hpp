// All lists that a pick can come from (Envoy's HostsSource), stored contiguously for the request loop.
//
// Policies store their cursors and schedules by SourceIndex. The numbering of a priority never shrinks along a chain of
// updates. A list that vanishes and returns therefore finds its cursor again, as in Envoy.
//
// Source: docs/behaviour/envoy-before-pick.md 7, envoy-host-pick.md 5; Envoy's load_balancer_impl.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/host_set.hpp"
#include "models/envoy/source_index.hpp"

namespace spillway::envoy {

class HostSources {
 public:
  // Order within a priority: all, healthy, degraded hosts, then the healthy and the degraded hosts of locality 0, 1,
  // ...
  enum class List : std::uint8_t { all, healthy, degraded };

  HostSources() = default;
  // `previous` may be null. Linear in the number of hosts.
  HostSources(const PrioritySet& hosts, const HostSources* previous, config::EnvoyProfile profile);

  [[nodiscard]] SourceIndex flat(config::Priority priority, List list) const noexcept {
    return {first_[priority.value] + static_cast<std::uint32_t>(list)};
  }
  // Returns the index of a locality's list. Precondition: `list` is healthy or degraded.
  [[nodiscard]] SourceIndex of_locality(config::Priority priority, std::uint32_t locality, List list) const noexcept {
    return {first_[priority.value] + flat_lists + 2 * locality + (list == List::degraded ? 1U : 0U)};
  }

  // Describes the list with a given index. O(log priorities).
  struct Description {
    config::Priority priority;
    List list = List::all;
    std::optional<std::uint32_t> locality;

    friend bool operator==(const Description&, const Description&) = default;
  };
  [[nodiscard]] Description describe(SourceIndex source) const;

  [[nodiscard]] std::span<const config::HostIndex> hosts(SourceIndex source) const noexcept {
    const Slice& slice = slices_[source.value];
    return std::span(hosts_).subspan(slice.begin, slice.count);
  }
  // Returns the weights of the list's hosts as doubles, which schedules compute with.
  [[nodiscard]] std::span<const double> weights(SourceIndex source) const noexcept {
    const Slice& slice = slices_[source.value];
    return std::span(weights_).subspan(slice.begin, slice.count);
  }
  // True if a policy that respects weights needs a schedule for this list: at least two hosts, with different weights.
  // In the seed profile: if any host of the cluster weighs more than 1.
  [[nodiscard]] bool weighted(SourceIndex source) const noexcept { return slices_[source.value].weighted; }
  [[nodiscard]] bool any_weighted() const noexcept { return any_weighted_; }

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(slices_.size()); }
  [[nodiscard]] std::uint32_t priorities() const noexcept { return static_cast<std::uint32_t>(first_.size()); }
  [[nodiscard]] SourceIndex begin_of(std::uint32_t priority) const noexcept { return {first_[priority]}; }
  [[nodiscard]] SourceIndex end_of(std::uint32_t priority) const noexcept {
    return {priority + 1 < first_.size() ? first_[priority + 1] : size()};
  }
  [[nodiscard]] config::EnvoyProfile profile() const noexcept { return profile_; }

 private:
  static constexpr std::uint32_t flat_lists = 3;

  struct Slice {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    bool weighted = false;
  };

  void add(std::span<const config::HostIndex> list, const PrioritySet& hosts, bool cluster_is_weighted);

  std::vector<config::HostIndex> hosts_;
  std::vector<double> weights_;  // of hosts_
  std::vector<Slice> slices_;    // by SourceIndex
  std::vector<std::uint32_t> first_;
  bool any_weighted_ = false;
  config::EnvoyProfile profile_ = config::EnvoyProfile::current;
};

}  // namespace spillway::envoy
