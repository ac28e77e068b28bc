// The balancing state of a cluster, as proxies and rows of tables share it.
#pragma once

#include <memory>

#include "models/envoy/forward.hpp"

namespace spillway::run {

using BalancingState = std::shared_ptr<const envoy::ClusterState>;

}  // namespace spillway::run
