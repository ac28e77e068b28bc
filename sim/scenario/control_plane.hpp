// A control plane that makes the configurations of its proxies, as a scenario describes it (docs/control-plane.md).
//
// Plain data, checked. Whoever holds a ControlPlane may rely on: there is at least one setting, names of settings are
// unique, ramps do not end before they begin and lie within the duration, counts that must be are at least 1.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/source.hpp"
#include "models/kuma/mesh_load_balancing_strategy.hpp"

namespace spillway::scenario {

// What a piece of work takes on one core of speed 1.
struct ControlPlaneCost {
  std::chrono::nanoseconds mesh_context{0};       // each resource of the mesh, whenever its context is made
  std::chrono::nanoseconds generation{0};         // each configuration
  std::chrono::nanoseconds service{0};            // each service of the mesh, in each configuration
  std::chrono::nanoseconds assignment{0};         // each load assignment that is made
  std::chrono::nanoseconds lookup{0};             // each load assignment that is asked for
  std::chrono::nanoseconds proxy_certificate{0};  // the key of a proxy's first configuration: the mean
  std::chrono::nanoseconds join{0};               // each proxy that joins, beside its configurations
};

// Who shares what was made: docs/control-plane.md.
enum class AssignmentSharing : std::uint8_t { reusable, shared_object, none };

// Instances join, or leave, one after the other at even distances.
struct Ramp {
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to{0};
};

struct MeshChange {
  // A policy for all changes every configuration; a dataplane that is written anew changes none, but the mesh.
  enum class What : std::uint8_t { mesh_policy, dataplane };
  std::chrono::nanoseconds at{0};
  What what = What::mesh_policy;
};

// MeshLoadBalancingStrategy's `default` for the clients of a part of the services.
struct ProxyPolicy {
  double services = 0.0;  // fraction of all
  kuma::Conf conf = {};
};

struct LatencyQuantiles {
  std::optional<double> p50 = {};  // seconds
  std::optional<double> p90 = {};
  std::optional<double> p99 = {};
};

// What a document's curves show at a moment.
struct LatencyReading {
  std::chrono::nanoseconds at{0};
  LatencyQuantiles latency = {};
  Span where = {};
};

// Readings of one moment that ours are known to miss: both figures, where there is one, and why.
struct KnownDifference {
  std::size_t reading = 0;
  LatencyQuantiles documented = {};
  LatencyQuantiles ours = {};
  std::string reason = {};
  Span where = {};
};

// How many times those of another setting the quantiles are, each at its own moment.
struct LatencyRatio {
  std::size_t other = 0;  // setting
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds other_at{0};
  LatencyQuantiles times = {};  // in the document
  LatencyQuantiles ours = {};   // of those that ours are known to miss
  std::string reason = {};      // why
  Span where = {};
};

struct ControlPlaneSetting {
  std::string name;
  std::uint32_t cores = 1;
  std::uint32_t other_work = 0;            // cores that other work keeps busy all the time; less than `cores`
  std::chrono::nanoseconds time_slice{0};  // of Go's scheduler; 0: work shares the cores evenly
  double speed = 1.0;
  AssignmentSharing sharing = AssignmentSharing::reusable;
  std::chrono::nanoseconds refresh_interval{0};  // xdsServer.dataplaneConfigurationRefreshInterval
  std::chrono::nanoseconds cache_expiration{0};  // store.cache.expirationTime, of contexts and assignments
  std::uint32_t services = 1;
  std::uint32_t instances = 1;  // of each service
  std::uint32_t zones = 1;      // over which they are spread; the control plane is that of the first
  std::uint32_t reachable_services = 0;
  bool acyclic = true;  // a service reaches those that join after it, near ones rather than far ones; else any
  std::vector<ProxyPolicy> policies = {};
  Ramp join = {};
  std::optional<Ramp> leave = {};
  std::vector<MeshChange> changes = {};  // by time
  ControlPlaneCost cost = {};
  double precision = 0.0;  // of the readings, seconds
  std::vector<LatencyReading> readings = {};
  std::vector<KnownDifference> differences = {};
  std::vector<LatencyRatio> ratios = {};
};

struct ControlPlane {
  std::vector<ControlPlaneSetting> settings;  // that of the file first, then its variations
};

}  // namespace spillway::scenario
