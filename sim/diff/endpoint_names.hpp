// Names for the numbered endpoints of the newer of two scenarios, so that the same endpoint has one name in both.
//
//   names_as_before(old_tree, new_tree);     // {{"cart-4", "cart-5"}}: the old cart-4 is gone, and cart-5 is the
//   fourth
//
// A scenario calls endpoints of a group `<service>-<n>`, by their numbers in the service. A change of one group's count
// renumbers all groups after it.
#pragma once

#include <map>
#include <string>

#include "models/documents/node.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::diff {

// By the name in the newer scenario: the name in the older one, or one that neither has, for an endpoint that is new.
// Groups are the same if service and zone or node are, in the order of the file; their endpoints by position. Names
// that stay are left out. O(endpoints).
using EndpointNames = std::map<std::string, std::string>;
[[nodiscard]] EndpointNames names_as_before(const documents::Node& before, const documents::Node& after);

// Renames endpoints, and their addresses where these are their names.
void rename_endpoints(const EndpointNames& names, scenario::Scenario& scenario);

}  // namespace spillway::diff
