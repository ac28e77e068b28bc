// What an Envoy's /clusters says at one moment: the hosts that each cluster holds, and what they have been sent.
//
//   const Clusters moment = read_clusters(sources, 0, problems);   // text or JSON (read_clusters.hpp)
//   if (const Cluster* cluster = moment.find("backend")) { cluster->hosts.front().counters.rq_total; }
//
// Plain data. Addresses are written as those of a configuration's endpoints: `10.0.0.1:80`, `[::1]:80`, a pipe's path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/host_health.hpp"

namespace spillway::observed {

// Since the proxy started, or since it knows the host; gauges are of the moment. rq_total counts requests that got a
// connection to the host: a pick whose connection failed stands in cx_connect_fail and rq_error alone.
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
  std::vector<Host> hosts = {};  // in the proxy's order; an address may stand in it more than once

  friend bool operator==(const Cluster&, const Cluster&) = default;
};

struct Clusters {
  std::vector<Cluster> clusters;  // in the proxy's order

  // Null if there is none. Linear in clusters.
  [[nodiscard]] const Cluster* find(std::string_view name) const noexcept {
    for (const Cluster& cluster : clusters) {
      if (cluster.name == name) {
        return &cluster;
      }
    }
    return nullptr;
  }
};

}  // namespace spillway::observed
