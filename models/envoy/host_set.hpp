// The hosts of one cluster in Envoy's lists: by priority, by health and by locality (Envoy's HostSet, PrioritySet).
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

// The properties of a host that its lists depend on. A host's position is its HostIndex.
struct Host {
  config::Priority priority;
  std::uint32_t locality = 0;  // position in its host set's localities
  std::uint32_t weight = 1;
  HostFlags flags = {};

  friend bool operator==(const Host&, const Host&) = default;
};

// All hosts by HostIndex. Copies share the list, because every subset of a cluster keeps the numbering of the whole.
// Adding a host to a shared list copies it first.
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

// Some hosts of a priority, both as a flat list in configuration order and split by locality.
//
// A locality without hosts in this list is kept as an empty part, so that positions agree between the lists of a set.
class HostList {
 public:
  // `flat` is in configuration order; `hosts` gives the locality of each host; `localities` is the number of
  // localities. Linear.
  HostList(std::vector<config::HostIndex> flat, std::span<const Host> hosts, std::size_t localities);
  HostList() = default;

  [[nodiscard]] std::span<const config::HostIndex> hosts() const noexcept { return flat_; }
  [[nodiscard]] std::span<const config::HostIndex> of_locality(std::size_t locality) const noexcept {
    return std::span(by_locality_).subspan(begin_[locality], begin_[locality + 1] - begin_[locality]);
  }
  [[nodiscard]] std::size_t size() const noexcept { return flat_.size(); }

  // Adds or removes a host of this locality. Precondition: the list is in the order of the host indices. O(size).
  void insert(config::HostIndex host, std::size_t locality);
  void erase(config::HostIndex host, std::size_t locality);

  friend bool operator==(const HostList& left, const HostList& right) noexcept {
    return same(left.flat_, right.flat_) && same(left.by_locality_, right.by_locality_) && left.begin_ == right.begin_;
  }

 private:
  using Indices = std::vector<config::HostIndex>;
  // Compares bytes, which is several times as fast as comparing numbers.
  [[nodiscard]] static bool same(const Indices& left, const Indices& right) noexcept {
    static_assert(std::has_unique_object_representations_v<config::HostIndex>);
    return left.size() == right.size() &&
           (left.empty() || std::memcmp(left.data(), right.data(), left.size() * sizeof(config::HostIndex)) == 0);
  }

  std::vector<config::HostIndex> flat_;
  std::vector<config::HostIndex> by_locality_;
  std::vector<std::size_t> begin_{0};  // of each locality in by_locality_, then its end
};

// The hosts of one priority.
struct HostSet {
  // This proxy's own locality comes first if it has hosts here (then has_local_locality); the rest is in byte order.
  std::vector<config::Locality> localities;
  std::vector<std::uint32_t> locality_weights;  // one per locality, 0 if not set; empty if unused
  bool has_local_locality = false;

  HostList all;
  HostList healthy;
  HostList degraded;
  HostList excluded;  // also in the other lists; does not count in denominators

  std::uint32_t overprovisioning_factor = 140;  // percent
  bool weighted_priority_health = false;

  friend bool operator==(const HostSet&, const HostSet&) = default;
};

// All priorities from 0 to the highest one named. Unnamed priorities in between have no hosts.
struct PrioritySet {
  Hosts hosts;  // in configuration order
  std::vector<HostSet> host_sets;

  // Names of the hosts by HostIndex: addresses, hostnames, metadata. Null if names are not needed; ring hash, maglev,
  // subsets and sessions need them.
  std::shared_ptr<const std::vector<config::LbEndpoint>> endpoints = nullptr;

  // Compares names too.
  friend bool operator==(const PrioritySet& left, const PrioritySet& right);
};

// Returns the endpoints of an assignment in order, to be shared between the priority sets made from it.
[[nodiscard]] std::shared_ptr<const std::vector<config::LbEndpoint>> flat_endpoints(
    const config::ClusterLoadAssignment& assignment);

// Returns the same priorities with only the hosts `kept`, in that order and by their flags. Positions, localities and
// their weights stay; a locality may become empty. Linear in the hosts kept and in localities.
[[nodiscard]] PrioritySet filter_hosts(const PrioritySet& hosts, std::span<const config::HostIndex> kept);

// A change of one host's flags. with_flags() returns the same hosts with these changes. It returns nullopt if a host is
// to be removed before or after the change, because that changes the order of hosts. O(hosts + hosts * flags) with a
// small factor, like copying.
struct FlagsOfHost {
  config::HostIndex host;
  HostFlags flags;
};
[[nodiscard]] std::optional<PrioritySet> with_flags(const PrioritySet& hosts, std::span<const FlagsOfHost> flags);

// True if a priority has the same hosts before and after, in the same lists with the same names, flags and weights.
// Linear.
[[nodiscard]] bool same_priority(const PrioritySet& before, const PrioritySet& after, std::size_t priority);

struct PrioritySetOptions {
  std::span<const HostFlags> flags = {};  // one per endpoint, in order; if empty, from each health_status
  // One per endpoint, nonzero if the endpoint is currently not in the set. Such endpoints keep their HostIndex but are
  // in no list. Empty if all endpoints are in the set.
  std::span<const std::uint8_t> absent = {};
  // One per endpoint, at least 1: weights as changed by the proxy. If empty, the endpoints' own weights apply.
  std::span<const std::uint32_t> weights = {};
  // One per entry of `endpoints`: the weight of its locality. If empty, the entries' own weights apply.
  std::span<const std::optional<std::uint32_t>> locality_weights = {};
  config::Locality own_locality = {};  // of the proxy; empty if it has none
  config::EnvoyProfile profile = config::EnvoyProfile::current;
  // The result of flat_endpoints(assignment), if the caller keeps it. If null, the endpoints are copied.
  std::shared_ptr<const std::vector<config::LbEndpoint>> endpoints = nullptr;
};

// Builds the lists from the endpoints of `assignment`.
//
// If a priority lists a locality twice, the entries are merged and the last weight counts. An entry without endpoints
// creates its priority but no locality. Hosts to be removed (pending_dynamic_removal) come after the others. O(n log l)
// for n endpoints and l localities.
[[nodiscard]] PrioritySet make_priority_set(const config::ClusterLoadAssignment& assignment,
                                            const PrioritySetOptions& options);

}  // namespace spillway::envoy
