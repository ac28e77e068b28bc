// The content of a topology, before it is written for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "reports/plot/topology.hpp"
#include "sim/run/forward.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::reports::plot {

// Endpoints that share a box. Depending on the detail it is a single one, those of a service on a node, or those of a
// service in a zone.
struct EndpointBox {
  std::string service;
  std::vector<config::EndpointIndex> endpoints;
  config::NodeIndex node;  // of the first endpoint
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  std::uint32_t unhealthy = 0;
  std::uint32_t removed = 0;  // from the endpoint set that EDS reports
  std::uint32_t down = 0;     // actual health, whatever EDS reports
};

struct ClientBox {
  config::ClientEntryIndex client;
  double no_host = 0.0;  // the largest fraction of its requests to any service without a host
};

struct ProxyBox {
  config::EndpointIndex proxy;
};

// An arrow between boxes. Boxes are numbered: clients first, then proxies, then endpoints.
struct Arrow {
  std::size_t from = 0;
  std::size_t to = 0;
  config::Priority priority;
  std::string about;  // the owner if it is not obvious: "frontend-1", "ordered"; may be empty
  double share = 0.0;
  bool known = true;  // false in mode exact if picks depend on more than EDS state
};

struct TopologyModel {
  run::Nanoseconds start{0};
  run::Nanoseconds end{0};
  bool exact = true;
  Detail detail = Detail::endpoint;
  std::vector<ClientBox> clients = {};
  std::vector<ProxyBox> proxies = {};
  std::vector<EndpointBox> endpoints = {};
  std::vector<Arrow> arrows = {};  // by (from, to, priority, about)
};

[[nodiscard]] std::vector<TopologyModel> topology_models(const scenario::Scenario& scenario,
                                                         const run::Results& results, const TopologyView& view);

}  // namespace spillway::reports::plot
