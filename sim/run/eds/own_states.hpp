// The states of proxies that know more of a cluster's hosts than they were told: those who saw the same before and have
// found out the same share one, as clients of a class share theirs.
//
//   OwnStates states(upstreams);
//   State state = states.state_with(flow, member, before, {.flags = watch.flags()});
//
// The state is what Upstreams::state_with makes. A state is known as long as anybody else keeps it, until somebody is
// told something. Linear in the hosts, where it is known in their flags alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/envoy/host_health.hpp"
#include "sim/run/eds/upstreams.hpp"

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::run {

class OwnStates {
 public:
  using State = Upstreams::State;

  // It must outlive this.
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
  std::uint64_t pushes_ = 0;                             // that Upstreams had been told when these were made
  std::unordered_multimap<std::uint64_t, Known> known_;  // by a hash of what they follow from; only looked up
  std::size_t worth_looking_ = 64;                       // how many are kept before lost ones are looked for
};

}  // namespace spillway::run
