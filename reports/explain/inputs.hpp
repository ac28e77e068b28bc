// The inputs of a client's balancing that can be changed one at a time: reported health by priority, overprovisioning
// factor or Kuma's failoverThreshold, panic threshold, locality weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::reports::explain {

class Variation;  // variation.hpp
struct Input;     // variation.hpp

// Hosts of one priority of a cluster, or of several up to `last`, either in all zones or in one zone.
struct HostGroup {
  run::FlowIndex flow;
  config::ServiceIndex member;
  config::Priority priority;
  std::optional<config::ZoneIndex> zone = {};
  std::optional<config::Priority> last = {};
};

// Returns the group's number of hosts that EDS reports healthy. Raising it makes the first hosts that are not healthy
// so; lowering it makes the last healthy ones unhealthy, in the order of the file.
[[nodiscard]] Input healthy_hosts(const Variation& variation, const HostGroup& group, std::string name);

// Returns the weights of routes, and the inputs of every cluster that the client's requests to the service may reach,
// in the order of the explanation.
[[nodiscard]] std::vector<Input> inputs_of(const Variation& variation, const Sources& sources);

}  // namespace spillway::reports::explain
