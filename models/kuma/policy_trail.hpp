// The settings of Kuma's MeshLoadBalancingStrategy for one client and one service, with their places in the file: for
// explanations.
//
// Plain data, part of scenario.hpp. Source of the precedence: docs/behaviour/kuma.md 3.
#pragma once

#include <memory>
#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/affinity_group.hpp"

namespace spillway::kuma {

struct PolicyConf;  // policy_conf.hpp

struct PolicyTrail {
  config::ServiceIndex view = {};               // the client's per-client cluster
  std::shared_ptr<const PolicyConf> conf = {};  // null if no policy concerns the service
  // The client's groups within its own zone, derived from its tags.
  std::vector<kuma::AffinityGroup> affinity_groups = {};
};

}  // namespace spillway::kuma
