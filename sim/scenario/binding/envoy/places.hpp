// Creates zones and nodes of a scenario for the localities that Envoy's documents name.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::scenario::envoy_binding {

// The zones and nodes, in the order in which their localities first appear.
class Places {
 public:
  explicit Places(Scenario& scenario) : scenario_(scenario) {}

  // Returns the node of a locality, which is created on the first call.
  config::NodeIndex node_of(const config::Locality& locality);

  // Renames zones and nodes so that no two of a kind share a name. Precondition: all localities were added.
  void make_names_unique();

 private:
  config::ZoneIndex zone_of(const config::Locality& locality);

  Scenario& scenario_;
  std::map<config::Locality, config::NodeIndex> nodes_;
  std::map<std::pair<std::string, std::string>, config::ZoneIndex> zones_;
};

}  // namespace spillway::scenario::envoy_binding
