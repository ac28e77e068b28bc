// The state of one proxy of a client at one time of a run: next picks of its balancers, requests in flight, breakers
// and sessions. Options::look requests it; Results::moment contains it.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/config/routing_priority.hpp"
#include "models/config/strong.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/pick.hpp"
#include "models/health/detection.hpp"

namespace spillway::run {

struct ProxyLook {
  config::ClientEntryIndex client{};
  std::uint32_t instance = 0;  // of the entry's clients
  std::chrono::nanoseconds at{0};
};

struct ProxyMoment {
  // The balancer of one service, or View of one, that the client uses.
  struct Balancer {
    config::ServiceIndex service{};
    std::shared_ptr<const envoy::ClusterState> state;  // the state that picks use, including ejections and checks
    // By host, of an aggregate child after child; empty if its policy does not read them.
    std::vector<std::uint32_t> active_requests = {};
    std::uint32_t workers = 1;  // each with a balancer of its own; the picks are those of the first
    // The hosts of its next requests if nothing else happens before; empty if picks depend on what a request brings.
    std::vector<envoy::Pick> next = {};
  };
  // A resource of a cluster that the proxy uses, or has exhausted.
  struct Breaker {
    config::ServiceIndex cluster{};
    config::RoutingPriority priority = config::RoutingPriority::default_priority;
    health::Resource resource = health::Resource::requests;
    std::uint64_t count = 0;
    std::uint64_t limit = 0;
  };
  std::vector<Balancer> balancers = {};  // by flow
  std::vector<Breaker> breakers = {};    // by cluster, priority and resource
  std::uint64_t sessions = 0;            // that lead to a host now
};

}  // namespace spillway::run
