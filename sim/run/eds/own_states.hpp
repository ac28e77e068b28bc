// The states of proxies that know more of a cluster's hosts than EDS reported. Proxies with the same previous state and
// the same findings share one state, as clients of a class do.
//
//   OwnStates states(upstreams);
//   State state = states.state_with(flow, member, before, {.flags = watch.flags()});
//
// Upstreams::state_with makes the state. A state is found again as long as it is used elsewhere, until the next EDS
// push. O(hosts) if the state differs in host flags only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/envoy/forward.hpp"
#include "models/envoy/host_health.hpp"
#include "sim/run/eds/upstreams.hpp"

namespace spillway::run {

class OwnStates {
 public:
  using State = Upstreams::State;

  // Lifetime: `upstreams` must outlive this object.
  explicit OwnStates(const Upstreams& upstreams) : upstreams_(&upstreams) {}

  [[nodiscard]] State state_with(FlowIndex flow, std::size_t member, const State& before, const Upstreams::Own& own);

 private:
  struct Known {
    std::uint32_t of_class = 0;
    std::size_t member = 0;
    std::weak_ptr<const envoy::ClusterState> before;
    std::vector<envoy::HostFlags> flags;
    std::vector<std::uint32_t> weights;
    std::weak_ptr<const envoy::ClusterState> state;
  };

  void forget_lost();

  const Upstreams* upstreams_;
  std::uint64_t pushes_ = 0;                             // of Upstreams when these states were made
  std::unordered_multimap<std::uint64_t, Known> known_;  // by a hash of their inputs; only looked up
  std::size_t worth_looking_ = 64;                       // size at which expired states are removed
};

}  // namespace spillway::run
