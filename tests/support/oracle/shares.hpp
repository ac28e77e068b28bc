// Where Envoy sends the first pick of a request in a small world, in exact fractions: an oracle for the models, which
// it must not include. Written from docs/behaviour/envoy-before-pick.md 2 to 5, 7, 8 and 10 alone: whole numbers are
// divided where Envoy divides whole numbers, and fractions stand where Envoy computes in doubles.
//
//   std::vector<HostShare> shares = first_pick(world);   // by host, in the world's order
//   shares[0].share == Fraction(7, 20)
//
// All hosts weigh 1 and none is excluded; the world is as fresh as its first update left it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "tests/support/oracle/fraction.hpp"
#include "tests/support/oracle/small_world.hpp"

namespace spillway::oracle {

enum class List : std::uint8_t { healthy, degraded, all };

struct HostShare {
  std::size_t priority = 0;
  List list = List::healthy;  // that the pick comes from; of no meaning where the share is zero
  Fraction share = {};
};

// Section 1: the whole numbers of one priority.
struct Counts {
  std::int64_t all = 0;
  std::int64_t healthy = 0;
  std::int64_t degraded = 0;
};

inline Counts counts_of(const std::vector<Locality>& localities) {
  Counts counts;
  for (const Locality& locality : localities) {
    counts.all += locality.hosts();
    counts.healthy += locality.healthy;
    counts.degraded += locality.degraded;
  }
  return counts;
}

// Sections 2 to 4.
struct Loads {
  std::vector<std::int64_t> healthy;   // percent, by priority
  std::vector<std::int64_t> degraded;  // likewise
  std::vector<bool> panic;
};

inline bool fewer_available_than(std::int64_t threshold, const Counts& counts) {
  return counts.all == 0 ? threshold > 0 : 100 * (counts.healthy + counts.degraded) < threshold * counts.all;
}

inline void share_by_hosts(const std::vector<Counts>& counts, Loads& loads) {
  std::int64_t hosts = 0;
  for (const Counts& priority : counts) {
    hosts += priority.all;
  }
  if (hosts == 0) {
    loads.healthy[0] = 100;
    return;
  }
  std::int64_t left = 100;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    loads.healthy[p] = 100 * counts[p].all / hosts;
    loads.degraded[p] = 0;
    left -= loads.healthy[p];
  }
  const auto first = std::find_if(counts.begin(), counts.end(), [](const Counts& of) { return of.all > 0; });
  loads.healthy[static_cast<std::size_t>(first - counts.begin())] += left;
}

inline Loads loads_of(const std::vector<Counts>& counts, std::int64_t factor, std::int64_t threshold) {
  const std::size_t priorities = counts.size();
  std::vector<std::int64_t> health(priorities, 0);
  std::vector<std::int64_t> degraded(priorities, 0);
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < priorities; ++p) {
    if (counts[p].all > 0) {
      health[p] = std::min<std::int64_t>(100, factor * counts[p].healthy / counts[p].all);
      degraded[p] = std::min<std::int64_t>(100, factor * counts[p].degraded / counts[p].all);
    }
    sum += health[p] + degraded[p];
  }
  const std::int64_t total = std::min<std::int64_t>(100, sum);
  Loads loads{std::vector<std::int64_t>(priorities, 0), std::vector<std::int64_t>(priorities, 0),
              std::vector<bool>(priorities, false)};
  if (total > 0) {
    std::int64_t left = 100;
    const auto give = [&](const std::vector<std::int64_t>& available, std::vector<std::int64_t>& load) {
      for (std::size_t p = 0; p < priorities; ++p) {
        load[p] = std::min(left, available[p] * 100 / total);
        left -= load[p];
      }
    };
    give(health, loads.healthy);
    give(degraded, loads.degraded);
    const auto positive = [](std::int64_t percent) { return percent > 0; };
    const auto first = std::find_if(health.begin(), health.end(), positive);
    if (first != health.end()) {
      loads.healthy[static_cast<std::size_t>(first - health.begin())] += left;
    } else {
      const auto other = std::find_if(degraded.begin(), degraded.end(), positive);
      loads.degraded[static_cast<std::size_t>(other - degraded.begin())] += left;
    }
  }
  if (threshold == 0 && total == 0) {
    loads.healthy[0] = 100;
    return loads;
  }
  bool everywhere = true;
  for (std::size_t p = 0; p < priorities; ++p) {
    loads.panic[p] = total < 100 && fewer_available_than(threshold, counts[p]);
    everywhere = everywhere && loads.panic[p];
  }
  if (everywhere) {
    share_by_hosts(counts, loads);
  }
  return loads;
}

// Where a pick goes on within a priority: to one locality, or to none (all of the priority's hosts, flat).
struct Step {
  std::optional<std::size_t> locality;
  Fraction probability;
};

inline std::int64_t of_list(const Locality& locality, List list) {
  return list == List::healthy ? locality.healthy : list == List::degraded ? locality.degraded : locality.hosts();
}

// Section 8. Nothing: there is no scheduler.
inline std::vector<Step> by_locality_weight(const std::vector<Locality>& localities, List list, std::int64_t factor) {
  std::vector<Step> steps;
  Fraction sum;
  for (std::size_t index = 0; index < localities.size(); ++index) {
    const Locality& locality = localities[index];
    if (locality.hosts() == 0) {
      continue;
    }
    const std::int64_t available = std::min(100 * locality.hosts(), factor * of_list(locality, list));
    const Fraction weight = Fraction(locality.weight) * Fraction(available, 100 * locality.hosts());
    if (!weight.is_zero()) {
      steps.push_back({index, weight});
      sum = sum + weight;
    }
  }
  for (Step& step : steps) {
    step.probability = step.probability / sum;
  }
  return steps;
}

// Section 10 with routing_enabled at 100 % and healthy_hosts_num. Nothing: the feature is off.
inline std::vector<Step> by_zone(const SmallWorld& world) {
  const std::vector<Locality>& upstream = world.priorities[0];
  std::vector<std::size_t> present;  // the own locality first
  const auto add_if = [&](std::size_t index) {
    if (upstream[index].hosts() > 0) {
      present.push_back(index);
    }
  };
  const std::size_t own = world.own_locality;
  add_if(own);
  const bool has_local = !present.empty();
  for (std::size_t index = 0; index < upstream.size(); ++index) {
    if (index != own) {
      add_if(index);
    }
  }
  const auto is_there = [](const Locality& locality) { return locality.hosts() > 0; };
  const std::int64_t healthy = counts_of(upstream).healthy;
  if (present.size() < 2 || std::count_if(world.local_cluster.begin(), world.local_cluster.end(), is_there) < 2 ||
      world.local_cluster[own].hosts() == 0 || healthy < world.min_cluster_size) {
    return {};
  }
  const std::int64_t healthy_local = counts_of(world.local_cluster).healthy;
  constexpr std::int64_t whole = 10'000;
  const auto local_part = [&](std::size_t index) {
    return healthy_local == 0 || upstream[index].healthy == 0
               ? 0
               : whole * world.local_cluster[index].healthy / healthy_local;
  };
  const auto upstream_part = [&](std::size_t index) {
    return upstream[index].healthy == 0 ? 0 : whole * upstream[index].healthy / healthy;
  };
  if (has_local && upstream_part(own) > 0 && upstream_part(own) >= local_part(own)) {
    return {{own, Fraction(1)}};
  }
  const std::int64_t stays = has_local && local_part(own) > 0 ? upstream_part(own) * whole / local_part(own) : 0;
  std::int64_t room = 0;
  for (const std::size_t index : present) {
    room += has_local && index == own ? 0 : std::max<std::int64_t>(0, upstream_part(index) - local_part(index));
  }
  std::vector<Step> steps;
  if (stays > 0) {
    steps.push_back({present.front(), Fraction(stays, whole)});
  }
  const Fraction leaves(whole - stays, whole);
  for (const std::size_t index : present) {
    const std::int64_t of_index =
        has_local && index == own ? 0 : std::max<std::int64_t>(0, upstream_part(index) - local_part(index));
    const Fraction part = room == 0 ? Fraction(1, static_cast<std::int64_t>(present.size())) : Fraction(of_index, room);
    if (!(leaves * part).is_zero()) {
      steps.push_back({index, leaves * part});
    }
  }
  return steps;
}

// Section 5 and 7 for the draws with draw % 100 in [begin, end).
struct Draws {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

class FirstPick {
 public:
  explicit FirstPick(const SmallWorld& world) : world_(&world) {
    for (std::size_t p = 0; p < world.priorities.size(); ++p) {
      first_host_.push_back(shares_.size());
      shares_.resize(shares_.size() + static_cast<std::size_t>(counts_of(world.priorities[p]).all), HostShare{p});
    }
  }

  std::vector<HostShare> shares() {
    std::vector<Counts> counts;
    for (const std::vector<Locality>& localities : world_->priorities) {
      counts.push_back(counts_of(localities));
    }
    const Loads loads = loads_of(counts, world_->overprovisioning_factor, world_->healthy_panic_threshold);
    std::int64_t begin = 0;
    const auto visit = [&](const std::vector<std::int64_t>& load, List list) {
      for (std::size_t p = 0; p < load.size(); ++p) {
        const Draws draws{begin, begin + load[p]};
        begin = draws.end;
        if (load[p] > 0) {
          choose(p, loads.panic[p] ? List::all : list, draws);
        }
      }
    };
    visit(loads.healthy, List::healthy);
    visit(loads.degraded, List::degraded);
    return shares_;
  }

 private:
  // Section 7.
  void choose(std::size_t priority, List list, Draws draws) {
    const std::vector<Locality>& localities = world_->priorities[priority];
    std::vector<Step> steps;
    if (list == List::all) {
      if (world_->fail_traffic_on_panic) {
        return;
      }
    } else if (world_->spread == Spread::locality_weighted) {
      steps = by_locality_weight(localities, list, world_->overprovisioning_factor);
    } else if (world_->spread == Spread::zone_aware && priority == 0) {
      steps = by_zone(*world_);
      if (!steps.empty() && local_cluster_in_panic()) {
        if (world_->fail_traffic_on_panic) {
          return;
        }
        steps.clear();
      }
    }
    if (steps.empty()) {
      spread(priority, list, std::nullopt, draws, Fraction(1));
    }
    for (const Step& step : steps) {
      spread(priority, list, step.locality, draws, step.probability);
    }
  }

  [[nodiscard]] bool local_cluster_in_panic() const {
    const std::vector<Counts> local = {counts_of(world_->local_cluster)};
    return fewer_available_than(world_->healthy_panic_threshold, local.front());
  }

  // Over the hosts of the list, in the order of the configuration.
  void spread(std::size_t priority, List list, std::optional<std::size_t> locality, Draws draws,
              const Fraction& probability) {
    std::vector<std::size_t> hosts;
    std::size_t host = first_host_[priority];
    for (std::size_t index = 0; index < world_->priorities[priority].size(); ++index) {
      const Locality& of = world_->priorities[priority][index];
      for (std::int64_t position = 0; position < of.hosts(); ++position, ++host) {
        const List health = position < of.healthy                 ? List::healthy
                            : position < of.healthy + of.degraded ? List::degraded
                                                                  : List::all;
        if ((list == List::all || health == list) && (!locality || index == *locality)) {
          hosts.push_back(host);
        }
      }
    }
    const auto count = static_cast<std::int64_t>(hosts.size());
    if (count == 0) {
      return;
    }
    if (world_->policy != HostPolicy::random) {
      const Fraction of_host = probability * Fraction(draws.end - draws.begin, 100 * count);
      for (const std::size_t to : hosts) {
        add(to, list, of_host);
      }
      return;
    }
    // The draw that chose the priority chooses the host too: every one of lcm(100, hosts) draws.
    const std::int64_t all = std::lcm<std::int64_t>(100, count);
    std::vector<std::int64_t> of_host(hosts.size(), 0);
    for (std::int64_t hundred = 0; hundred < all; hundred += 100) {
      for (std::int64_t draw = hundred + draws.begin; draw < hundred + draws.end; ++draw) {
        ++of_host[static_cast<std::size_t>(draw % count)];
      }
    }
    for (std::size_t position = 0; position < hosts.size(); ++position) {
      add(hosts[position], list, probability * Fraction(of_host[position], all));
    }
  }

  void add(std::size_t host, List list, const Fraction& share) {
    shares_[host].list = list;
    shares_[host].share = shares_[host].share + share;
  }

  const SmallWorld* world_;
  std::vector<std::size_t> first_host_;
  std::vector<HostShare> shares_;
};

inline std::vector<HostShare> first_pick(const SmallWorld& world) {
  return FirstPick(world).shares();
}

}  // namespace spillway::oracle
