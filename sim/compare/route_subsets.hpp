// The subsets of a cluster that its proxy's routes choose: requests carry the metadata of their route.
//
//   RouteSubsets routes;
//   routes.add(described);                      // of one described request by its route
//   routes.apply(reading);                      // requests to the cluster bring what the routes to it say
//
// If routes have different metadata, the number of requests per route is unknown: there is one scenario for each.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/metadata.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::compare {

struct ClusterReading;  // compare.hpp

// True if metadata of requests decide which hosts of the service, or of an aggregate's children, can get them.
[[nodiscard]] bool chooses_by_metadata(const scenario::Scenario& world);

class RouteSubsets {
 public:
  // Adds the route of a described request. O(clusters of the route).
  void add(const scenario::Scenario& described);
  // Counts a route that could not be read and may lead to any cluster.
  void add_unread() noexcept { ++unread_; }

  // Applies metadata to a cluster that chooses by metadata; leaves others unchanged.
  void apply(ClusterReading& reading) const;

 private:
  // Distinct metadata by cluster; nullopt for a route without metadata.
  std::map<std::string, std::vector<std::optional<config::Struct>>> brought_;
  std::size_t unread_ = 0;
};

}  // namespace spillway::compare
