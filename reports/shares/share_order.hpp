// The order in which shares are listed, which also defines the groups. It is cluster, priority, availability, then
// zone, node and endpoint as the scenario lists them.
#pragma once

#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"

namespace spillway::run {
struct SharePlace;  // shares.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports {

class ShareOrder {
 public:
  // Prepares the order. Lifetime: the scenario must outlive this object.
  explicit ShareOrder(const scenario::Scenario& scenario);

  using Key =
      std::tuple<std::size_t, std::string, config::Priority, envoy::Availability, std::size_t, std::string, std::string,
                 std::string, std::size_t, std::string, std::string, std::string, std::size_t, std::string>;

  // Returns a key that is equal for shares of the same service that agree in every dimension; client and epoch are
  // ignored.
  [[nodiscard]] Key key(config::ServiceIndex service, const run::SharePlace& share) const;

 private:
  using Places = std::unordered_map<std::string, std::size_t>;  // of a name in the scenario's list; never iterated
  struct ServicePlaces {
    Places clusters;
    Places endpoints;  // empty until first used
  };
  [[nodiscard]] std::size_t place_of_endpoint(config::ServiceIndex service, const std::string& name) const;
  static std::size_t place(const Places& places, const std::string& name);

  const scenario::Scenario* scenario_;
  Places zones_;
  Places nodes_;
  mutable std::vector<ServicePlaces> services_;
};

}  // namespace spillway::reports
