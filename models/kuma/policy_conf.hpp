// The conf of a MeshLoadBalancingStrategy, with the items that it was merged of and their places: for explanations.
//
// Source of the precedence: docs/behaviour/kuma.md 3.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::kuma {

// The items that were merged to a conf, and the locations of the settings that determine priorities and localities.
struct PolicyConf {
  struct Item {
    std::string policy = {};  // its name
    std::size_t item = 0;     // in its `to`
    std::string target = {};  // of the item: "MeshService backend"
    Span where = {};          // the item
  };
  kuma::Conf conf = {};
  std::vector<Item> items = {};  // in the order in which they were applied; later ones override earlier ones

  // A field, and the last item that sets it; nullopt if none does.
  struct Field {
    std::size_t item = 0;  // in `items`
    Span where = {};
  };
  std::vector<Field> failover = {};       // by rule of crossZone.failover
  std::vector<Field> affinity_tags = {};  // by entry of localZone.affinityTags
  std::optional<Field> failover_threshold = {};
  std::optional<Field> disabled = {};
  std::optional<Field> locality_awareness = {};
  std::optional<Field> load_balancer = {};
};

}  // namespace spillway::kuma
