// Zones and nodes of a scenario for the localities that Envoy's documents name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/config/locality.hpp"
#include "models/config/strong.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::scenario::envoy_binding {

// In the order in which the localities come up.
class Places {
 public:
  explicit Places(Scenario& scenario) : scenario_(scenario) {}

  // The node of a locality; made when first asked for.
  config::NodeIndex node_of(const config::Locality& locality);

  // Once all localities are there: no two zones and no two nodes have one name.
  void make_names_unique();

 private:
  config::ZoneIndex zone_of(const config::Locality& locality);

  Scenario& scenario_;
  std::map<config::Locality, config::NodeIndex> nodes_;
  std::map<std::pair<std::string, std::string>, config::ZoneIndex> zones_;
};

}  // namespace spillway::scenario::envoy_binding
