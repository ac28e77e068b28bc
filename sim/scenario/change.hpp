// Events of a scenario's timeline: changes of endpoints, nodes, links and clients, and EDS pushes.
//
//   Change{30s, EdsHealth{backend, {{HostIndex{0}, HealthStatus::unhealthy}}}, where};
//   Change{40s, Existence{backend, {HostIndex{1}}, false}, where};
//
// What each of them does to the state of the world says sim/scenario/state_at.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/cluster_load_assignment.hpp"
#include "models/config/common_lb_config.hpp"
#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/nanoseconds.hpp"

namespace spillway::scenario {

// The proxies are told the health of these hosts (an EDS push). Says nothing about what the endpoints really do.
struct EdsHealth {
  config::ServiceIndex service;
  std::vector<std::pair<config::HostIndex, config::HealthStatus>> hosts;
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
};

// The proxies are told that these hosts belong to the endpoint set, or no longer do (an EDS push).
struct EdsMembership {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool member = true;
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
};

// The proxies are told other weights of these hosts and localities (an EDS push).
struct EdsWeights {
  config::ServiceIndex service;
  std::vector<std::pair<config::HostIndex, std::uint32_t>> hosts;
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
  // By position in the load assignment's `endpoints`: the weight of the locality in its priority.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> localities = {};
};

// The proxies are told that these hosts stand at another priority from now on (an EDS push): each is the same host as
// before. A host that is no member at that time will be one there.
struct EdsPriority {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;          // none of the service's other_places
  config::Priority priority;                     // where each of them stands at first, or has one of its other_places
  std::vector<config::ZoneIndex> audience = {};  // clients of these zones; empty: all clients
};

// The endpoints themselves come or go: what does not exist refuses connections. Nobody is told.
struct Existence {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool exists = true;
};

// A phase of a workload begins.
struct RateChange {
  config::ClientEntryIndex client;
  double rate = 0.0;   // requests a second of one client; 0: none
  double slope = 0.0;  // by which it grows each second
};

// The node itself goes away or comes back: what runs there neither sends nor answers. Nobody is told.
struct NodeOutage {
  config::NodeIndex node;
  bool on = false;
};

struct LinkChange {
  config::LinkIndex link;
  std::optional<Nanoseconds> latency;
  std::optional<bool> on;
};

// The behaviour of a failing endpoint: it responds with a status, resets the connection after it has read the request,
// refuses the connection, or never responds.
enum class Failure : std::uint8_t { status, reset, connect_failure, no_answer };

// From now on the hosts fail this fraction of their requests, 0 to 1. Nobody is told.
struct Fails {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  double fraction = 0.0;
  Failure failure = Failure::status;
  std::uint32_t status = 503;
  std::uint32_t every = 0;  // above 0: each host fails every so manieth of its requests, instead of by chance
  bool checks = true;       // active checks fail alike
};

// The response of hosts to active checks from now on, while they respond at all: one that passes or fails the check, a
// status of its own, or no response. Proxies learn of it only by checks.
enum class CheckAnswer : std::uint8_t {
  healthy,
  degraded,
  unhealthy,
  immediate_health_check_fail,
  reset,
  connect_failure,
  no_answer,
  status
};
struct AnswersChecks {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  CheckAnswer answer = CheckAnswer::healthy;
  std::uint32_t status = 200;  // where the answer is one
};

// From now on the hosts take so many times as long for a request as they would by their service time. Nobody is told.
struct Slow {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  double slowness = 1.0;  // above 0; 1: as ever
};

using Effect = std::variant<EdsHealth, EdsMembership, EdsWeights, Existence, NodeOutage, LinkChange, Fails,
                            AnswersChecks, RateChange, Slow, config::RuntimeChange, EdsPriority>;

struct Change {
  Nanoseconds at{0};
  Effect effect;
  Span where;  // the line of the file that says so
};

}  // namespace spillway::scenario
