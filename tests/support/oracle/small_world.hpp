// A cluster of a few hosts as the oracle sees it: how many of them are healthy, degraded and unhealthy in each locality
// of each priority. Which of them it is matters to nobody, so that a locality of up to four hosts has 35 states, not
// 3^4.
//
//   SmallWorld world{.priorities = {{Locality{2, 0, 1}}, {Locality{1, 1, 0}}}};
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spillway::oracle {

struct Locality {
  std::int64_t healthy = 0;
  std::int64_t degraded = 0;
  std::int64_t unhealthy = 0;
  std::int64_t weight = 0;  // 0: it has none

  [[nodiscard]] std::int64_t hosts() const { return healthy + degraded + unhealthy; }
};

enum class Spread : std::uint8_t { flat, locality_weighted, zone_aware };
enum class HostPolicy : std::uint8_t { round_robin, random, least_request };

struct SmallWorld {
  // By priority, then "a", "b", "c", ...; hosts stand in this order, the healthy ones of a locality first, then its
  // degraded ones.
  std::vector<std::vector<Locality>> priorities;
  std::int64_t overprovisioning_factor = 140;
  std::int64_t healthy_panic_threshold = 50;
  Spread spread = Spread::flat;
  HostPolicy policy = HostPolicy::round_robin;

  // Of zone-aware routing: the callers' own cluster by the same names, the caller's locality, and from how many healthy
  // hosts on it works.
  std::vector<Locality> local_cluster = {};
  std::size_t own_locality = 0;
  std::int64_t min_cluster_size = 6;
  bool fail_traffic_on_panic = false;
};

inline constexpr std::int64_t most_hosts = 4;

// The states of a locality of up to four hosts, none among them.
inline std::vector<Locality> all_localities() {
  std::vector<Locality> all;
  for (std::int64_t healthy = 0; healthy <= most_hosts; ++healthy) {
    for (std::int64_t degraded = 0; healthy + degraded <= most_hosts; ++degraded) {
      for (std::int64_t unhealthy = 0; healthy + degraded + unhealthy <= most_hosts; ++unhealthy) {
        all.push_back({healthy, degraded, unhealthy});
      }
    }
  }
  return all;
}

// For messages: "F 140, panic 50 | 2/0/1 w1, 0/0/4 w2 | 1/1/0 w0".
inline std::string text_of(const SmallWorld& world) {
  std::string text = "F " + std::to_string(world.overprovisioning_factor) + ", panic " +
                     std::to_string(world.healthy_panic_threshold) + ", spread " +
                     std::to_string(static_cast<int>(world.spread)) + ", policy " +
                     std::to_string(static_cast<int>(world.policy)) + ", own " + std::to_string(world.own_locality) +
                     ", min " + std::to_string(world.min_cluster_size) + (world.fail_traffic_on_panic ? ", fail" : "");
  const auto add = [&text](const std::vector<Locality>& localities) {
    text += " |";
    for (const Locality& locality : localities) {
      text += " " + std::to_string(locality.healthy) + "/" + std::to_string(locality.degraded) + "/" +
              std::to_string(locality.unhealthy) + " w" + std::to_string(locality.weight);
    }
  };
  for (const std::vector<Locality>& localities : world.priorities) {
    add(localities);
  }
  if (!world.local_cluster.empty()) {
    text += " | local";
    add(world.local_cluster);
  }
  return text;
}

}  // namespace spillway::oracle
