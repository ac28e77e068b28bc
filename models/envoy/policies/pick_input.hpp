// The inputs of a policy: when a client's hosts change, at each pick, and for the closed form of its picks.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "models/envoy/active_requests.hpp"
#include "models/envoy/host_sources.hpp"
#include "models/health/slow_start.hpp"

namespace spillway::envoy::policies {

// The input when a client's pick state is created, and after its hosts have changed.
struct PickStateInput {
  const HostSources& sources;
  const std::vector<bool>& changed;  // by priority: true if its lists are new
  ActiveRequests active_requests;    // by HostIndex; empty if none is in flight
  std::span<const Host> hosts = {};  // by HostIndex; slow start uses their flags
  health::HostTimes times = {};
};

struct PickInput {
  const HostSources& sources;
  SourceIndex source;               // precondition: not empty
  std::uint64_t priority_draw = 0;  // the draw that chose the priority
  ActiveRequests active_requests;   // by HostIndex; empty if none is in flight
  std::chrono::nanoseconds now{0};  // used by slow start
};

// The draws that lead to a source: those with draw % 100 in [begin, end).
struct ResidueRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 100;
};

struct ShareInput {
  const HostSources& sources;
  SourceIndex source;  // precondition: not empty
  ResidueRange residues;
  ActiveRequests active_requests;
  // By HostIndex: the fraction of its weight that slow start leaves a host. Empty if all have their full weight.
  std::span<const double> slow_start_factors = {};
};

}  // namespace spillway::envoy::policies
