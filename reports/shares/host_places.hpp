// The location of each host that may receive a service's requests: its own hosts by HostIndex, or the hosts of an
// aggregate cluster's children, one child after the other.
#pragma once

#include <string>
#include <vector>

#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

struct HostPlace {
  std::string cluster;
  config::Priority priority;
  std::string region;
  std::string zone;
  std::string sub_zone;
  std::string node;
  std::string endpoint;
};

[[nodiscard]] std::vector<HostPlace> host_places(const scenario::Scenario& scenario, config::ServiceIndex service);

}  // namespace spillway::reports
