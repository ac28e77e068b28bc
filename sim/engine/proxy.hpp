// One client's proxy: its balancer, its stream of draws, and what it holds against hosts that failed it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "models/envoy/load_balancer.hpp"
#include "models/health/outlier_detection.hpp"
#include "models/health/update_merge_window.hpp"
#include "sim/engine/random_stream.hpp"

namespace spillway::engine {

// Only where the cluster has outlier_detection.
struct Ejections {
  health::OutlierDetector detector;
  health::UpdateMergeWindow window;
  RandomStream draws;
  std::vector<bool> applied;  // by host: what the balancer has been given; empty: no host is ejected there
};

struct Proxy {
  Proxy(config::ClientEntryIndex client_entry, std::shared_ptr<const envoy::ClusterState> first_state,
        RandomStream stream)
      : entry(client_entry), draws(stream), state(std::move(first_state)), balancer(state, draws) {}

  config::ClientEntryIndex entry;
  RandomStream draws;
  std::shared_ptr<const envoy::ClusterState> state;  // what the balancer picks from now
  envoy::LoadBalancer balancer;
  std::vector<std::uint32_t> active_requests;  // as RequestContext wants them; empty unless the policy looks at them
  std::uint64_t sent_in_state = 0;             // requests since the state or the epoch began
  std::unique_ptr<Ejections> ejections;
};

}  // namespace spillway::engine
