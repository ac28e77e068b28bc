// The location of each host that may receive a service's requests: its own hosts by HostIndex, or the hosts of an
// aggregate cluster's children, one child after the other. Lifetime: the scenario must outlive the places.
#pragma once

#include <string_view>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

struct HostPlace {
  std::string_view cluster;
  config::Priority priority;
  std::string_view region;
  std::string_view zone;
  std::string_view sub_zone;
  std::string_view node;
  std::string_view endpoint;
};

[[nodiscard]] std::vector<HostPlace> host_places(const scenario::Scenario& scenario, config::ServiceIndex service);

}  // namespace spillway::reports
