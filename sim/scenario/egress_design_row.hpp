// The effect of a zone-egress design on a scenario.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/egress_design.hpp"

namespace spillway::scenario {

// For one client, service and zone-egress design: the effect on the requests that leave the client's zone while every
// endpoint is healthy.
struct EgressDesignRow {
  std::string client;
  config::ServiceIndex service;
  kuma::EgressDesign design = kuma::EgressDesign::aggregate;
  kuma::ClusterCounts clusters = {};
  std::vector<std::pair<std::string, double>> zones = {};  // fraction by zone, in order; empty if none leave
};

}  // namespace spillway::scenario
