// Worlds of three priorities with three localities each, with everything that the oracle knows drawn anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/draws.hpp"
#include "tests/support/oracle/small_world.hpp"

namespace spillway::oracle {

// At least one caller stands in its own locality, as always where there is a caller.
inline SmallWorld sampled_world(support::Draws& draws) {
  static const std::vector<Locality> states = all_localities();
  const auto one_of = [&](const auto& choices) { return choices[draws() % choices.size()]; };
  const auto localities = [&] {
    std::vector<Locality> of_priority;
    for (int index = 0; index < 3; ++index) {
      of_priority.push_back(one_of(states));
      of_priority.back().weight = static_cast<std::int64_t>(draws() % 4);
    }
    return of_priority;
  };
  SmallWorld world{.priorities = {localities(), localities(), localities()}};
  world.overprovisioning_factor = one_of(std::vector<std::int64_t>{100, 140, 200});
  world.healthy_panic_threshold = one_of(std::vector<std::int64_t>{0, 30, 50, 70, 100});
  world.spread = one_of(std::vector<Spread>{Spread::flat, Spread::locality_weighted, Spread::zone_aware});
  world.policy =
      one_of(std::vector<HostPolicy>{HostPolicy::round_robin, HostPolicy::random, HostPolicy::least_request});
  if (world.spread == Spread::zone_aware) {
    world.local_cluster = localities();
    world.own_locality = draws() % 3;
    ++world.local_cluster[world.own_locality].healthy;
    world.min_cluster_size = one_of(std::vector<std::int64_t>{1, 6});
  }
  world.fail_traffic_on_panic = world.spread != Spread::locality_weighted && draws() % 4 == 0;
  return world;
}

}  // namespace spillway::oracle
