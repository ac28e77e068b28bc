// What a capacity plan is about: what must hold, and what must be survived.
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

// Bounds that are still good. Fractions are 0 to 1.
struct Objective {
  std::optional<config::ServiceIndex> service = {};  // as clients ask for it; none: every service, each by itself
  std::optional<double> utilisation = {};            // of the cores behind any one endpoint
  // Latencies of answered requests, of any one client entry.
  std::optional<std::chrono::nanoseconds> p50 = {};
  std::optional<std::chrono::nanoseconds> p90 = {};
  std::optional<std::chrono::nanoseconds> p99 = {};
  std::optional<double> error_share = {};       // of requests that do not end well, those without a host among them
  std::optional<double> cross_zone_share = {};  // of requests that an endpoint of another zone answers
  std::optional<double> cross_zone_cost = {};   // a month of 730 hours
  Span where = {};
};

// What proxies are told of endpoints that are lost: that they are unhealthy, or that they left the endpoint set, or
// nothing, so that only a proxy's own checks and ejections find out.
enum class LossReported : std::uint8_t { unhealthy, removed, nothing };

// Endpoints that fail together.
struct LostPart {
  std::optional<config::ZoneIndex> zone = {};
  std::optional<config::NodeIndex> node = {};
  std::vector<config::EndpointIndex> endpoints = {};
};

// One entry of `failures`, which stands for one failure or for many.
struct PlannedFailure {
  enum class Kind : std::uint8_t {
    each_zone,      // the endpoints of every zone that has any, one zone at a time
    each_node,      // likewise
    any_endpoints,  // every way to lose `count` endpoints
    any_nodes,      // likewise
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
  // Only endpoints of this service, as the file names it; only those of this zone.
  std::optional<config::ServiceIndex> service = {};
  std::optional<config::ZoneIndex> zone = {};
  bool clients_lost = false;  // the clients of lost zones and nodes send no more
  LossReported reported = LossReported::unhealthy;
  Span where = {};
};

}  // namespace spillway::scenario
