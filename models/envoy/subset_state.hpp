// The states of a subset balancer's parts, and how they follow from the cluster's hosts.
//
// Every part sees only its own hosts: loads, panic, localities and zones are evaluated within it. Localities keep their
// weights only with locality_weight_aware; scale_locality_weight scales them to the hosts left. Overprovisioning and
// weighted_priority_health are the cluster's.
//
// Source: docs/behaviour/envoy-host-pick.md 12; Envoy's subset_lb.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/policies/subset/subset.hpp"

namespace spillway::envoy {

struct PrioritySet;   // host_set.hpp
struct Cluster;       // cluster.hpp
struct ClusterState;  // cluster_state.hpp
struct ProxyContext;  // cluster_state.hpp

// The states of a subset balancer's parts. A part keeps its id along a chain of states for as long as it has hosts.
struct SubsetState {
  struct Part {
    std::uint64_t id = 0;
    std::shared_ptr<const ClusterState> state;  // null for single-host subsets
  };

  policies::subset::Selectors selectors;
  policies::subset::Directory directory;
  std::vector<Part> subsets;           // by SubsetIndex
  std::optional<Part> any;             // all hosts; set if a fallback or the panic mode may use it
  std::optional<Part> default_subset;  // set if a fallback may use it

  // Envoy's counters lb_subsets_created and lb_subsets_removed along the chain; subsets.size() is lb_subsets_active.
  std::uint64_t created = 0;
  std::uint64_t removed = 0;
};

// Returns the states after a change of hosts. Precondition: `cluster.lb_policy` is a subset policy. `before` is null
// for the first state. A subset that has lost all its hosts is removed; a later one with the same criteria is new.
// Linear in hosts, selectors and subsets.
[[nodiscard]] std::shared_ptr<const SubsetState> refresh_subsets(const Cluster& cluster, const SubsetState* before,
                                                                 const PrioritySet& hosts, const ProxyContext& proxy);

// Returns the hosts of one part, with the locality weights that it sees.
[[nodiscard]] PrioritySet subset_hosts(const policies::subset::Config& config, const PrioritySet& hosts,
                                       std::span<const config::HostIndex> members);

}  // namespace spillway::envoy
