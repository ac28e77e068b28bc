// The contents of an Envoy's /clusters at one time: the hosts of each cluster, and their counters.
//
//   const Clusters moment = read_clusters(sources, 0, problems);   // text or JSON (read_clusters.hpp)
//   if (const Cluster* cluster = moment.find("backend")) { cluster->hosts.front().counters.rq_total; }
//
// Plain data. Addresses have the format of a configuration's endpoints: `10.0.0.1:80`, `[::1]:80`, a pipe's path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/host_health.hpp"

namespace spillway::observed {

// Counters since the proxy started or added the host; gauges are current values. rq_total counts requests with a
// connection to the host. A pick whose connection failed is only in cx_connect_fail and rq_error.
struct HostCounters {
  std::uint64_t rq_total = 0;
  std::uint64_t rq_success = 0;
  std::uint64_t rq_error = 0;
  std::uint64_t rq_timeout = 0;
  std::uint64_t cx_total = 0;
  std::uint64_t cx_connect_fail = 0;
  std::uint64_t rq_active = 0;  // gauge
  std::uint64_t cx_active = 0;  // gauge

  friend bool operator==(const HostCounters&, const HostCounters&) = default;
};

struct Host {
  std::string address;
  std::string hostname = {};
  config::Locality locality = {};
  config::Priority priority{};
  std::uint32_t weight = 1;
  envoy::HostFlags flags = {};
  HostCounters counters = {};

  friend bool operator==(const Host&, const Host&) = default;
};

struct Cluster {
  std::string name;
  bool added_via_api = false;
  std::vector<Host> hosts = {};  // in the proxy's order; an address may appear more than once

  friend bool operator==(const Cluster&, const Cluster&) = default;
};

struct Clusters {
  std::vector<Cluster> clusters;  // in the proxy's order

  // Returns null if there is none. O(clusters).
  [[nodiscard]] const Cluster* find(std::string_view name) const noexcept {
    for (const Cluster& cluster : clusters) {
      if (cluster.name == name) {
        return &cluster;
      }
    }
    return nullptr;
  }
};

// Envoy's names of the counters of a host.
struct HostCounterName {
  std::string_view name;
  std::uint64_t HostCounters::* counter;
};

inline constexpr std::array host_counter_names =
    std::to_array<HostCounterName>({{"rq_total", &HostCounters::rq_total},
                                    {"rq_success", &HostCounters::rq_success},
                                    {"rq_error", &HostCounters::rq_error},
                                    {"rq_timeout", &HostCounters::rq_timeout},
                                    {"cx_total", &HostCounters::cx_total},
                                    {"cx_connect_fail", &HostCounters::cx_connect_fail},
                                    {"rq_active", &HostCounters::rq_active},
                                    {"cx_active", &HostCounters::cx_active}});

}  // namespace spillway::observed
