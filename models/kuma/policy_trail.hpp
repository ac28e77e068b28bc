// What Kuma's MeshLoadBalancingStrategy says to one client about one service, and where the file says it: for
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
  config::ServiceIndex view = {};               // what the client got
  std::shared_ptr<const PolicyConf> conf = {};  // null: no policy concerns the service
  // Its groups within its own zone, as its tags make them.
  std::vector<kuma::AffinityGroup> affinity_groups = {};
};

}  // namespace spillway::kuma
