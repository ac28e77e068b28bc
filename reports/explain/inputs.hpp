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

// Hosts of one priority of a cluster, or of several up to `last`; of one zone among them, or of all.
struct HostGroup {
  run::FlowIndex flow;
  config::ServiceIndex member;
  config::Priority priority;
  std::optional<config::ZoneIndex> zone = {};
  std::optional<config::Priority> last = {};
};

// Its healthy hosts, as told now. Raising it makes the first that are not healthy so, lowering
// it the last healthy ones unhealthy, in the order of the file.
[[nodiscard]] Input healthy_hosts(const Variation& variation, const HostGroup& group, std::string name);

// Weights of routes, and the inputs of every cluster that the client's requests to the service can come to, in the
// order in which they are explained.
[[nodiscard]] std::vector<Input> inputs_of(const Variation& variation, const Sources& sources);

}  // namespace spillway::reports::explain
