// The hosts of one cluster as Envoy lists them: by priority, by health, and by locality (Envoy's HostSet, PrioritySet).
//
//   config::ClusterLoadAssignment assignment = ...;
//   PrioritySet hosts = make_priority_set(assignment, {.own_locality = {"region", "zone-1", ""}});
//   hosts.host_sets[0].healthy.hosts();            // positions in `assignment`, in the order it lists them
//   hosts.host_sets[0].healthy.of_locality(0);     // those of this proxy's own locality, if it has any hosts
//
// Source: docs/behaviour/envoy-before-pick.md 1 and 1.1; Envoy's upstream_impl.cc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/locality.hpp"
#include "models/config/profile.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/host_health.hpp"

namespace spillway::envoy {

// What the lists need to know of a host. Its position is its HostIndex.
struct Host {
  config::Priority priority;
  std::uint32_t locality = 0;  // position in its host set's localities
  std::uint32_t weight = 1;
  HostFlags flags = {};

  friend bool operator==(const Host&, const Host&) = default;
};

// All hosts by HostIndex. Copies share them, since every subset of a cluster keeps the numbering of the whole; adding
// one to a shared list copies it first.
class Hosts {
 public:
  Hosts() = default;
  Hosts(std::vector<Host> hosts) : list_(std::make_shared<std::vector<Host>>(std::move(hosts))) {}

  [[nodiscard]] const Host& operator[](std::size_t index) const noexcept { return (*list_)[index]; }
  [[nodiscard]] std::size_t size() const noexcept { return list_ == nullptr ? 0 : list_->size(); }
  [[nodiscard]] const Host* data() const noexcept { return list_ == nullptr ? nullptr : list_->data(); }
  [[nodiscard]] const Host* begin() const noexcept { return data(); }
  [[nodiscard]] const Host* end() const noexcept { return data() + size(); }

  friend bool operator==(const Hosts& left, const Hosts& right) {
    return left.data() == right.data() || std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  std::shared_ptr<std::vector<Host>> list_;
};

// Some hosts of a priority, once flat in the order of the configuration and once split by locality.
//
// A locality without hosts in this list stays as an empty part, so that positions agree between the lists of a set.
class HostList {
 public:
  // `flat` in the order of the configuration; `hosts` says the locality of each; `localities` is how many there are.
  // Linear.
  HostList(std::vector<config::HostIndex> flat, std::span<const Host> hosts, std::size_t localities);
  HostList() = default;

  [[nodiscard]] std::span<const config::HostIndex> hosts() const noexcept { return flat_; }
  [[nodiscard]] std::span<const config::HostIndex> of_locality(std::size_t locality) const noexcept {
    return std::span(by_locality_).subspan(begin_[locality], begin_[locality + 1] - begin_[locality]);
  }
  [[nodiscard]] std::size_t size() const noexcept { return flat_.size(); }

  // Of lists in the order of the host indices: a host of this locality comes in, or leaves. O(size).
  void insert(config::HostIndex host, std::size_t locality);
  void erase(config::HostIndex host, std::size_t locality);

  friend bool operator==(const HostList& left, const HostList& right) noexcept {
    return same(left.flat_, right.flat_) && same(left.by_locality_, right.by_locality_) && left.begin_ == right.begin_;
  }

 private:
  using Indices = std::vector<config::HostIndex>;
  // A comparison of bytes is several times as fast as one of numbers.
  [[nodiscard]] static bool same(const Indices& left, const Indices& right) noexcept {
    static_assert(std::has_unique_object_representations_v<config::HostIndex>);
    return left.size() == right.size() &&
           (left.empty() || std::memcmp(left.data(), right.data(), left.size() * sizeof(config::HostIndex)) == 0);
  }

  std::vector<config::HostIndex> flat_;
  std::vector<config::HostIndex> by_locality_;
  std::vector<std::size_t> begin_{0};  // of each locality in by_locality_, and its end
};

// One priority.
struct HostSet {
  // This proxy's own locality first if it has hosts here (then has_local_locality), the rest in byte order.
  std::vector<config::Locality> localities;
  std::vector<std::uint32_t>
      locality_weights;  // one per locality, 0 where none was given; none at all: not to be looked at
  bool has_local_locality = false;

  HostList all;
  HostList healthy;
  HostList degraded;
  HostList excluded;  // overlaps the others; leaves denominators only

  std::uint32_t overprovisioning_factor = 140;  // percent
  bool weighted_priority_health = false;

  friend bool operator==(const HostSet&, const HostSet&) = default;
};

// All priorities, 0 to the highest one that is named; those in between that are not are empty.
struct PrioritySet {
  Hosts hosts;  // in the order of the configuration
  std::vector<HostSet> host_sets;

  // What the hosts are called: addresses, hostnames, metadata, by HostIndex. Null where names are not needed; ring
  // hash, maglev, subsets and sessions do.
  std::shared_ptr<const std::vector<config::LbEndpoint>> endpoints = nullptr;

  // Names included.
  friend bool operator==(const PrioritySet& left, const PrioritySet& right);
};

// The endpoints of an assignment in order, to share between the priority sets that are made of it.
[[nodiscard]] std::shared_ptr<const std::vector<config::LbEndpoint>> flat_endpoints(
    const config::ClusterLoadAssignment& assignment);

// The same priorities with the hosts `kept` alone, listed in that order and by their flags. Positions, localities and
// their weights stay; a locality may become empty. Linear in the hosts kept and in localities.
[[nodiscard]] PrioritySet filter_hosts(const PrioritySet& hosts, std::span<const config::HostIndex> kept);

// The same hosts with other flags of some. Nothing where a host is to be removed, before or after: the order of hosts
// follows from that. O(hosts + hosts * flags), with a small factor: as copying is.
struct FlagsOfHost {
  config::HostIndex host;
  HostFlags flags;
};
[[nodiscard]] std::optional<PrioritySet> with_flags(const PrioritySet& hosts, std::span<const FlagsOfHost> flags);

// Whether a priority has the same hosts, in the same lists with the same names, flags and weights, before and after.
// Linear.
[[nodiscard]] bool same_priority(const PrioritySet& before, const PrioritySet& after, std::size_t priority);

struct PrioritySetOptions {
  std::span<const HostFlags> flags = {};  // one per endpoint, in order; empty: what each health_status says
  // One per endpoint, not 0 for those that do not belong to the set (yet, or any more): they keep their HostIndex, in
  // no list. Empty: all belong to it.
  std::span<const std::uint8_t> absent = {};
  // One per endpoint, at least 1: what a proxy has made of the weights. Empty: what the endpoints say.
  std::span<const std::uint32_t> weights = {};
  // One per entry of `endpoints`: the weight of its locality. Empty: what the entries say.
  std::span<const std::optional<std::uint32_t>> locality_weights = {};
  config::Locality own_locality = {};  // of the proxy; empty: it has none
  config::EnvoyProfile profile = config::EnvoyProfile::current;
  // flat_endpoints(assignment), if the caller keeps them; null: they are copied.
  std::shared_ptr<const std::vector<config::LbEndpoint>> endpoints = nullptr;
};

// Lists the endpoints of `assignment`.
//
// The same locality listed twice in a priority is joined and the last weight given counts. An entry without endpoints
// makes its priority exist but adds no locality. Hosts that are to be removed (pending_dynamic_removal) come after the
// others. O(n log l) for n endpoints and l localities.
[[nodiscard]] PrioritySet make_priority_set(const config::ClusterLoadAssignment& assignment,
                                            const PrioritySetOptions& options);

}  // namespace spillway::envoy
