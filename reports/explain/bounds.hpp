// Bounds: what holds for a client's requests to a service whatever is in flight, as long as no endpoint's health
// changes.
//
//   for (const std::string& bound : bounds(snapshot, question, group)) { ... }
//   // "the largest share that one endpoint can get is 20 % (cart-1 and 9 more), whatever is in flight"
//   // "each of 10,000 proxies has at most 1 request in flight: a limit of 3 retries cannot bind"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/run/traffic/flows.hpp"

namespace spillway::run {
class Snapshot;  // snapshot.hpp
}  // namespace spillway::run

namespace spillway::reports::explain {

struct Question;  // explain.hpp

struct LargestShare {
  double share = 0.0;                                 // of the client's requests for the service
  std::vector<config::EndpointIndex> endpoints = {};  // that can get it
  bool exact = true;                                  // false if more than the balancer's state decides
  bool at_rest = false;                               // least request picks, and nothing is in flight in the scenario
};

// Returns the largest part of first picks that one endpoint can get (envoy::largest_part); nullopt if it is not known,
// because sessions, original destinations or zone proxies decide. O(hosts of the flows).
[[nodiscard]] std::optional<LargestShare> largest_share(const run::Snapshot& snapshot,
                                                        const std::vector<run::FlowIndex>& group);

// Returns the bounds in words. `group`: the flows of the question.
[[nodiscard]] std::vector<std::string> bounds(const run::Snapshot& snapshot, const Question& question,
                                              const std::vector<run::FlowIndex>& group);

}  // namespace spillway::reports::explain
