// Classes of interchangeable endpoints: no plan can distinguish the members of a class.
//
//   Alike alike(scenario);
//   alike.class_of(first) == alike.class_of(second);   // to lose one is like losing the other
#pragma once

#include <cstdint>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::plan {

class Alike {
 public:
  explicit Alike(const scenario::Scenario& scenario);

  // Returns the endpoints that answer requests, in ascending order. Zone proxies are excluded.
  [[nodiscard]] const std::vector<config::EndpointIndex>& endpoints() const noexcept { return endpoints_; }
  [[nodiscard]] std::uint32_t class_of(config::EndpointIndex endpoint) const noexcept { return class_[endpoint.value]; }
  [[nodiscard]] bool serves(config::EndpointIndex endpoint, config::ServiceIndex service) const noexcept;

 private:
  std::vector<config::EndpointIndex> endpoints_;
  std::vector<std::uint32_t> class_;                         // by EndpointIndex
  std::vector<std::vector<config::ServiceIndex>> services_;  // by EndpointIndex
};

}  // namespace spillway::plan
