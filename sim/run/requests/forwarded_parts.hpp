// Computes the part of a zone proxy's requests that goes on to each endpoint behind it.
//
//   const auto parts = forwarded_parts({scenario, flows, traffic, upstreams}, targets);
//   ExactMean mean(targets, parts);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class Flows;      // flows.hpp
class Targets;    // targets.hpp
class Traffic;    // traffic.hpp
class Upstreams;  // upstreams.hpp

// Flows, their traffic, and what EDS has reported to the proxies.
struct Balancing {
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  const Upstreams& upstreams;
};

// Returns by target its part of its host's requests, as in exact shares. Empty if no host is a zone proxy.
[[nodiscard]] std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets);

// The targets to which a connection may have opened by now, by class of clients (Upstreams::class_index). Connections
// to endpoints that EDS reports unhealthy or removes stay open; connections to endpoints that are really gone do not.
class OpenedConnections {
 public:
  // Lifetime: the scenario must outlive this object.
  OpenedConnections(const scenario::Scenario& scenario, std::size_t classes) : scenario_(&scenario), opened_(classes) {}

  // Records that requests are forwarded in these parts from `since` on.
  void note(std::uint32_t class_of_clients, const Targets& targets, const std::vector<double>& parts,
            std::chrono::nanoseconds since);
  // Returns the connections that may exist at `since`, after the changes of that time; empty if nothing was forwarded.
  [[nodiscard]] std::vector<std::uint8_t> of(std::uint32_t class_of_clients, const Targets& targets,
                                             std::chrono::nanoseconds since) const;

 private:
  struct Opened {
    std::vector<std::uint8_t> targets = {};
    std::chrono::nanoseconds at{-1};  // changes up to this time have ended connections
  };
  void end_connections(std::vector<std::uint8_t>& opened, const Targets& targets, const scenario::Change& change) const;

  const scenario::Scenario* scenario_;
  std::vector<Opened> opened_;
};

// The parts of forwarded_parts.hpp for many lists of targets that are behind the same zone proxies.
//
//   ForwardedParts forwarded({scenario, flows, traffic, upstreams});
//   const auto parts = forwarded.of(targets);
class ForwardedParts {
 public:
  // Lifetime: what `balancing` refers to must outlive this object.
  explicit ForwardedParts(const Balancing& balancing) : balancing_(balancing) {}

  // Returns by target its part of its host's requests, as in exact shares. Empty if no host is a zone proxy. What a
  // zone proxy does is computed once for all that reach it, until EDS reports something.
  [[nodiscard]] std::vector<double> of(const Targets& targets);

 private:
  [[nodiscard]] const std::vector<double>& behind(config::EndpointIndex proxy, config::ServiceIndex service);

  Balancing balancing_;
  std::uint64_t pushes_ = 0;  // of Upstreams when these parts were computed
  std::map<std::pair<config::EndpointIndex, config::ServiceIndex>, std::vector<double>> behind_;
};

}  // namespace spillway::run
