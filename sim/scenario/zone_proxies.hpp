// Finds endpoints that are forwarding zone proxies. If a request ends at one, the proxy had no endpoint to forward to.
//
//   const std::vector<bool> forwards = forwarding(scenario);   // by EndpointIndex
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::scenario {

[[nodiscard]] inline std::vector<bool> forwarding(const Scenario& scenario) {
  std::vector<bool> result(scenario.endpoints.size(), false);
  for (const Service& service : scenario.services) {
    for (const Host& host : service.hosts) {
      if (host.forwards_to) {
        result[host.endpoint.value] = true;
      }
    }
  }
  return result;
}

// The names of forwarding endpoints, as shares use them.
class DeadEnds {
 public:
  explicit DeadEnds(const Scenario& scenario) {
    const std::vector<bool> forwards = forwarding(scenario);
    for (std::size_t endpoint = 0; endpoint < forwards.size(); ++endpoint) {
      if (forwards[endpoint]) {
        names_.insert(scenario.endpoints[endpoint].id);
      }
    }
  }

  [[nodiscard]] bool has(const std::string& endpoint) const { return names_.contains(endpoint); }

 private:
  std::set<std::string> names_;
};

}  // namespace spillway::scenario
