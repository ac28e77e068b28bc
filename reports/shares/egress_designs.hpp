// A table of the possible designs for zone egress, printed below the shares: for scenarios of profile `document` with
// `routing.zoneEgress` (docs/kuma.md).
//
//  design       clients      clusters at the egress   at a client   of what leaves the zone
//  aggregate    frontend-2                        1             4   zone-1 100 %
//
// Clients with the same figures share a row per service and design. Empty if the scenario has no such rows.
#pragma once

#include <string>
#include <vector>

#include "models/kuma/egress_design.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class Page;  // document.hpp

struct EgressDesignLine {
  std::string service;
  std::string design;
  std::vector<std::string> clients;
  kuma::ClusterCounts clusters;
  std::string leaving;  // "zone-1 50 %, zone-3 50 %"
};

// Returns "metadata", "hashed SNI", "mesh scope", "aggregate".
[[nodiscard]] std::string name_of(kuma::EgressDesign design);

[[nodiscard]] std::vector<EgressDesignLine> egress_design_lines(const scenario::Scenario& scenario);

void add_egress_designs(Page& page, const scenario::Scenario& scenario);

}  // namespace spillway::reports
