// What zone proxies make of the requests that they get: which part goes on to each endpoint behind them.
//
//   const auto parts = forwarded_parts({scenario, flows, traffic, upstreams}, targets);
//   ExactMean mean(targets, parts);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spillway::scenario {
struct Change;    // change.hpp
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::run {

class Flows;      // flows.hpp
class Targets;    // targets.hpp
class Traffic;    // traffic.hpp
class Upstreams;  // upstreams.hpp

// Who asks whom for what, and what the proxies have been told.
struct Balancing {
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  const Upstreams& upstreams;
};

// By target: its part of what its host gets, as exact shares have it. Empty where no host is a zone proxy.
[[nodiscard]] std::vector<double> forwarded_parts(const Balancing& balancing, const Targets& targets);

// By class of clients (Upstreams::class_index) and target: whether a connection to it may have opened by now. Those to
// endpoints that are told unhealthy or removed stay; those to endpoints that are gone themselves do not.
class OpenedConnections {
 public:
  // The scenario must outlive this.
  OpenedConnections(const scenario::Scenario& scenario, std::size_t classes) : scenario_(&scenario), opened_(classes) {}

  // From `since` on requests are forwarded in these parts.
  void note(std::uint32_t class_of_clients, const Targets& targets, const std::vector<double>& parts,
            std::chrono::nanoseconds since);
  // Those that may be there at `since`, after what changes then; empty if nothing was forwarded.
  [[nodiscard]] std::vector<std::uint8_t> of(std::uint32_t class_of_clients, const Targets& targets,
                                             std::chrono::nanoseconds since) const;

 private:
  struct Opened {
    std::vector<std::uint8_t> targets = {};
    std::chrono::nanoseconds at{-1};  // changes up to then have ended connections
  };
  void end_connections(std::vector<std::uint8_t>& opened, const Targets& targets, const scenario::Change& change) const;

  const scenario::Scenario* scenario_;
  std::vector<Opened> opened_;
};

}  // namespace spillway::run
