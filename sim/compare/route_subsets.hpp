// Which subsets of a cluster its proxy's routes choose: requests bring the metadata of their route.
//
//   RouteSubsets routes;
//   routes.add(described);                      // of one described request by its route
//   routes.apply(reading);                      // requests to the cluster bring what the routes to it say
//
// Where routes bring different metadata, how many requests take each is unknown: there is a scenario for each of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/config/metadata.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::compare {

struct ClusterReading;  // compare.hpp

// Whether metadata of requests decides which hosts of the service, or of an aggregate's children, can get them.
[[nodiscard]] bool chooses_by_metadata(const scenario::Scenario& world);

class RouteSubsets {
 public:
  // Linear in the clusters of its route.
  void add(const scenario::Scenario& described);
  // A route that could not be read may lead anywhere.
  void add_unread() noexcept { ++unread_; }

  // Of a cluster that chooses by metadata; others are left as they are.
  void apply(ClusterReading& reading) const;

 private:
  // Distinct metadata by cluster; nothing: none.
  std::map<std::string, std::vector<std::optional<config::Struct>>> brought_;
  std::size_t unread_ = 0;
};

}  // namespace spillway::compare
