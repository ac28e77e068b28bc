// The order in which shares are listed, which also defines the groups. It is cluster, priority, availability, then
// zone, node and endpoint as the scenario lists them.
#pragma once

#include <compare>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/config/strong.hpp"
#include "models/envoy/availability.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports {

class ShareOrder {
 public:
  // Prepares the order. Lifetime: the scenario must outlive this object.
  explicit ShareOrder(const scenario::Scenario& scenario);

  // A text that the order keeps, once for all keys.
  class Name {
   public:
    explicit Name(const std::string& text) : text_(&text) {}

    friend bool operator==(const Name& left, const Name& right) {
      return left.text_ == right.text_ || *left.text_ == *right.text_;
    }
    friend std::strong_ordering operator<=>(const Name& left, const Name& right) {
      return left.text_ == right.text_ ? std::strong_ordering::equal : *left.text_ <=> *right.text_;
    }

   private:
    const std::string* text_;
  };

  using Key = std::tuple<std::size_t, Name, config::Priority, envoy::Availability, std::size_t, Name, Name, Name,
                         std::size_t, Name, Name, Name, std::size_t, Name>;

  // Returns a key that is equal for shares of the same service that agree in every dimension; client and epoch are
  // ignored. Lifetime: the order must outlive its keys.
  [[nodiscard]] Key key(config::ServiceIndex service, const run::SharePlace& share) const;

 private:
  using Places = std::unordered_map<std::string, std::size_t>;  // of a name in the scenario's list; never iterated
  struct ServicePlaces {
    Places clusters;
    Places endpoints;  // empty until first used
  };
  using Placed = std::pair<std::size_t, Name>;
  [[nodiscard]] Placed place_of_endpoint(config::ServiceIndex service, const std::string& name) const;
  [[nodiscard]] Placed place(const Places& places, const std::string& name) const;
  [[nodiscard]] Name kept(const std::string& text) const;

  const scenario::Scenario* scenario_;
  Places zones_;
  Places nodes_;
  mutable std::vector<ServicePlaces> services_;
  mutable std::unordered_set<std::string> names_;  // that are in none of the lists; never iterated
};

}  // namespace spillway::reports
