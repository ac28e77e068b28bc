// A control plane that creates the configurations of its proxies, as described in a scenario (docs/control-plane.md).
//
// Plain data, checked. Guarantees: there is at least one setting, names of settings are unique, ramps do not end before
// they begin and lie within the duration, and required counts are at least 1.
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

// The duration of each piece of work on one core of speed 1.
struct ControlPlaneCost {
  std::chrono::nanoseconds mesh_context{0};       // per resource of the mesh, whenever its context is built
  std::chrono::nanoseconds generation{0};         // per configuration
  std::chrono::nanoseconds service{0};            // per service of the mesh, in each configuration
  std::chrono::nanoseconds assignment{0};         // per load assignment computed
  std::chrono::nanoseconds lookup{0};             // per load assignment looked up
  std::chrono::nanoseconds proxy_certificate{0};  // the key of a proxy's first configuration: the mean
  std::chrono::nanoseconds join{0};               // per proxy that joins, in addition to its configurations
};

// The modes of sharing load assignments between clients: docs/control-plane.md.
enum class AssignmentSharing : std::uint8_t { reusable, shared_object, none };

// Instances join, or leave, one by one at equal intervals.
struct Ramp {
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to{0};
};

struct MeshChange {
  // A policy for all proxies changes every configuration; a rewritten dataplane changes only the mesh, not the
  // configurations.
  enum class What : std::uint8_t { mesh_policy, dataplane };
  std::chrono::nanoseconds at{0};
  What what = What::mesh_policy;
};

// A MeshLoadBalancingStrategy's `default` that applies to the clients of a fraction of the services.
struct ProxyPolicy {
  double services = 0.0;  // fraction of all
  kuma::Conf conf = {};
};

struct LatencyQuantiles {
  std::optional<double> p50 = {};  // seconds
  std::optional<double> p90 = {};
  std::optional<double> p99 = {};
};

// The values that a document's curves show at one time.
struct LatencyReading {
  std::chrono::nanoseconds at{0};
  LatencyQuantiles latency = {};
  Span where = {};
};

// Latencies at one time of which it is known that our results differ: both figures if both exist, and the reason.
struct KnownDifference {
  std::size_t reading = 0;
  LatencyQuantiles documented = {};
  LatencyQuantiles ours = {};
  std::string reason = {};
  Span where = {};
};

// The ratio of this setting's quantiles to another setting's, each at its own time.
struct LatencyRatio {
  std::size_t other = 0;  // setting
  std::chrono::nanoseconds at{0};
  std::chrono::nanoseconds other_at{0};
  LatencyQuantiles times = {};  // documented
  LatencyQuantiles ours = {};   // only ratios where our results are known to differ
  std::string reason = {};      // of the difference
  Span where = {};
};

struct ControlPlaneSetting {
  std::string name;
  std::uint32_t cores = 1;
  std::uint32_t other_work = 0;            // cores that other work keeps permanently busy; less than `cores`
  std::chrono::nanoseconds time_slice{0};  // of Go's scheduler; 0 means work shares the cores evenly
  double speed = 1.0;
  AssignmentSharing sharing = AssignmentSharing::reusable;
  std::chrono::nanoseconds refresh_interval{0};  // xdsServer.dataplaneConfigurationRefreshInterval
  std::chrono::nanoseconds cache_expiration{0};  // store.cache.expirationTime, of contexts and assignments
  std::uint32_t services = 1;
  std::uint32_t instances = 1;  // of each service
  std::uint32_t zones = 1;      // zones of the instances; the control plane is in the first
  std::uint32_t reachable_services = 0;
  bool acyclic = true;  // a service reaches those that join after it, near before far; if false, any
  std::vector<ProxyPolicy> policies = {};
  Ramp join = {};
  std::optional<Ramp> leave = {};
  std::vector<MeshChange> changes = {};  // by time
  ControlPlaneCost cost = {};
  double precision = 0.0;  // of the readings [s]
  std::vector<LatencyReading> readings = {};
  std::vector<KnownDifference> differences = {};
  std::vector<LatencyRatio> ratios = {};
};

struct ControlPlane {
  std::vector<ControlPlaneSetting> settings;  // the file's own setting first, then its variations
  Span where = {};
};

}  // namespace spillway::scenario
