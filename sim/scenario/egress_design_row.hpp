// The effect of a design for zone egress on a scenario.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "models/kuma/egress_design.hpp"

namespace spillway::scenario {

// The effect of a design on the requests of one client for one service that leave its zone, while
// every endpoint is healthy.
struct EgressDesignRow {
  std::string client;
  config::ServiceIndex service;
  kuma::EgressDesign design = kuma::EgressDesign::aggregate;
  kuma::ClusterCounts clusters = {};
  std::vector<std::pair<std::string, double>> zones =
      {};  // fraction by zone, in the order of the scenario; may be none
};

}  // namespace spillway::scenario
