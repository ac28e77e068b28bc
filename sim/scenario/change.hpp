// Events of a scenario's timeline: changes of endpoints, nodes, links and clients, and EDS pushes.
//
//   Change{30s, EdsHealth{backend, {{HostIndex{0}, HealthStatus::unhealthy}}}, where};
//   Change{40s, Existence{backend, {HostIndex{1}}, false}, where};
//
// sim/scenario/state_at.hpp defines what each of them changes.
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

// An EDS push with new health of these hosts. The actual state of the endpoints does not change.
struct EdsHealth {
  config::ServiceIndex service;
  std::vector<std::pair<config::HostIndex, config::HealthStatus>> hosts;
  std::vector<config::ZoneIndex> audience = {};  // zones whose clients receive the push; empty means all
};

// An EDS push that adds these hosts to the endpoint set or removes them.
struct EdsMembership {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool member = true;
  std::vector<config::ZoneIndex> audience = {};  // zones whose clients receive the push; empty means all
};

// An EDS push with new weights of these hosts and localities.
struct EdsWeights {
  config::ServiceIndex service;
  std::vector<std::pair<config::HostIndex, std::uint32_t>> hosts;
  std::vector<config::ZoneIndex> audience = {};  // zones whose clients receive the push; empty means all
  // By position in the load assignment's `endpoints`: the weight of the locality in its priority.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> localities = {};
};

// An EDS push that moves these hosts to another priority; each remains the same host. A host that is not a member at
// that time will have this priority when it joins.
struct EdsPriority {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;  // not among the service's other_places
  config::Priority priority;             // the initial priority of each host, or that of one of its other_places
  std::vector<config::ZoneIndex> audience = {};  // zones whose clients receive the push; empty means all
};

// Endpoints start or stop. A stopped endpoint refuses connections. Proxies are not notified.
struct Existence {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  bool exists = true;
};

// A phase of a workload begins.
struct RateChange {
  config::ClientEntryIndex client;
  double rate = 0.0;   // requests per second of one client; 0: none
  double slope = 0.0;  // growth of the rate per second
};

// A node fails or recovers: its clients stop sending, its endpoints stop responding. Proxies are not notified.
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

// From this time on, the hosts fail this fraction of their requests (0 to 1). Proxies are not notified.
struct Fails {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  double fraction = 0.0;
  Failure failure = Failure::status;
  std::uint32_t status = 503;
  std::uint32_t every = 0;  // if above 0, each host fails every n-th of its requests instead of random ones
  bool checks = true;       // true if active checks fail in the same way
};

// The response of hosts to active checks from this time on, if they respond at all: one that passes or fails the check,
// a status, or none. Proxies learn of it only by checks.
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
  std::uint32_t status = 200;  // for CheckAnswer::status
};

// From this time on, the hosts' service times are multiplied by this factor. Proxies are not notified.
struct Slow {
  config::ServiceIndex service;
  std::vector<config::HostIndex> hosts;
  double slowness = 1.0;  // above 0; 1 is normal
};

using Effect = std::variant<EdsHealth, EdsMembership, EdsWeights, Existence, NodeOutage, LinkChange, Fails,
                            AnswersChecks, RateChange, Slow, config::RuntimeChange, EdsPriority>;

struct Change {
  Nanoseconds at{0};
  Effect effect;
  Span where;  // the line of the file that defines the change
};

}  // namespace spillway::scenario
