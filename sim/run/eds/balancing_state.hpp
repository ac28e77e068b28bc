// The balancing state of a cluster, as proxies and rows of tables share it.
#pragma once

#include <memory>

namespace spillway::envoy {
struct ClusterState;  // cluster_state.hpp
}  // namespace spillway::envoy

namespace spillway::run {

using BalancingState = std::shared_ptr<const envoy::ClusterState>;

}  // namespace spillway::run
