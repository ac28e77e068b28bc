// Which endpoints are zone proxies that forward: a request that ends at one has found nothing behind it.
//
//   const std::vector<bool> forwards = forwarding(scenario);   // by EndpointIndex
#pragma once

#include <vector>

#include "sim/scenario/scenario.hpp"

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

}  // namespace spillway::scenario
