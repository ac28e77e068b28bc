// The inputs of a capacity plan: its objectives, and the failures that it must survive.
//
// Plain data, part of scenario.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// The bounds of a plan, inclusive. Fractions are 0 to 1.
struct Objective {
  std::optional<config::ServiceIndex> service = {};  // requested by clients; nullopt: each service by itself
  std::optional<double> utilisation = {};            // of the cores behind any one endpoint
  // Bounds of the latency of answered requests, for each client entry.
  std::optional<std::chrono::nanoseconds> p50 = {};
  std::optional<std::chrono::nanoseconds> p90 = {};
  std::optional<std::chrono::nanoseconds> p95 = {};
  std::optional<std::chrono::nanoseconds> p99 = {};
  std::optional<std::chrono::nanoseconds> p999 = {};
  std::optional<double> error_share = {};       // of requests that fail, including those without a host
  std::optional<double> cross_zone_share = {};  // of requests to which an endpoint of another zone responds
  std::optional<double> cross_zone_cost = {};   // per month of 730 hours
  std::optional<double> machine_cost = {};      // of the service's endpoints, per month
  Span where = {};
};

// The EDS report about lost endpoints: unhealthy, removed from the endpoint set, or no report, so that only a proxy's
// own checks and ejections detect the loss.
enum class LossReported : std::uint8_t { unhealthy, removed, nothing };

// Endpoints that fail together.
struct LostPart {
  std::optional<config::ZoneIndex> zone = {};
  std::optional<config::NodeIndex> node = {};
  std::vector<config::EndpointIndex> endpoints = {};
};

// An entry of `failures`, which means one failure or many.
struct PlannedFailure {
  enum class Kind : std::uint8_t {
    each_zone,      // the endpoints of every zone that has any, one zone at a time
    each_node,      // the endpoints of every node that has any, one node at a time
    any_endpoints,  // every choice of `count` lost endpoints
    any_nodes,      // every choice of `count` lost nodes
    together,       // `parts` at once
    degraded,       // `from` to `to` of the endpoints are degraded, in steps
  };
  Kind kind = Kind::each_zone;
  std::string name = {};
  std::uint32_t count = 1;
  std::vector<LostPart> parts = {};
  double from = 0.0;  // fractions
  double to = 1.0;
  double step = 0.1;
  // If set, only endpoints of this service, as the file names it; if set, only those of this zone.
  std::optional<config::ServiceIndex> service = {};
  std::optional<config::ZoneIndex> zone = {};
  bool clients_lost = false;  // the clients of lost zones and nodes stop sending
  LossReported reported = LossReported::unhealthy;
  // A gray failure: the endpoints go on answering, and nobody is told. Both neutral: they are lost.
  double slowness = 1.0;  // factor on their service times
  double fails = 0.0;     // fraction of their requests that fails
  Span where = {};
};

}  // namespace spillway::scenario
