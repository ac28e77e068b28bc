// What a topology shows, before it is written down.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/plot/topology.hpp"

namespace spillway::run {
struct Results;  // results.hpp
}  // namespace spillway::run

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::plot {

// Endpoints that are one box; by detail a single one, those of a service on a node, or in a zone.
struct EndpointBox {
  std::string service;
  std::vector<config::EndpointIndex> endpoints;
  config::NodeIndex node;  // of the first
  std::uint32_t healthy = 0;
  std::uint32_t degraded = 0;
  std::uint32_t unhealthy = 0;
  std::uint32_t removed = 0;  // from the endpoint set that proxies are told
  std::uint32_t down = 0;     // really, whatever anybody is told
};

struct ClientBox {
  config::ClientEntryIndex client;
  double no_host = 0.0;  // part of its requests to any service that finds none; the largest
};

struct ProxyBox {
  config::EndpointIndex proxy;
};

// The ends are boxes: clients first, then proxies, then endpoints, numbered through.
struct Arrow {
  std::size_t from = 0;
  std::size_t to = 0;
  config::Priority priority;
  std::string about;  // whose it is, where that does not show: "frontend-1", "ordered"; may be empty
  double share = 0.0;
  bool known = true;  // false: in mode exact, where picks depend on more than what proxies are told
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
