// Pods of one workload in one zone, whose number a variation of the scenario may change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {

struct PodGroup {
  std::uint32_t number = 0;   // the same in every variation
  std::string workload = {};  // "Deployment frontend"
  std::uint32_t pods = 0;
  std::vector<config::EndpointIndex> endpoints = {};  // one for each port of each pod; never empty
};

}  // namespace spillway::scenario
