// The configuration of wrr_locality.
#pragma once

#include "models/envoy/policies/child_policy.hpp"

namespace spillway::envoy::policies::wrr_locality {

struct Config {
  ChildPolicy endpoint_picking_policy = {};
};

}  // namespace spillway::envoy::policies::wrr_locality
