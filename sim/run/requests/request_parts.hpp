// The state that the parts of RequestSimulator share: FastLane, SlowPath and LookAhead; PlainSimulator takes it over.
#pragma once

#include <vector>

#include "sim/engine/arrivals.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/requests/demand_plan.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class EpochBook;     // epoch_book.hpp
class Fleet;         // fleet.hpp
class Flows;         // flows.hpp
class LinkJitter;    // link_jitter.hpp
class OpenRequests;  // open_requests.hpp
class ServerQueues;  // server_queues.hpp
class Traffic;       // traffic.hpp
class Trips;         // trips.hpp
class Truth;         // truth.hpp
class Users;         // users.hpp

// The random streams of one client entry.
struct ClientStreams {
  engine::Arrivals arrivals;
  engine::RandomStream kinds;           // of requests, and of weighted clusters
  engine::RandomStream retries;         // back-off
  engine::RandomStream links;           // their jitter
  engine::RandomStream delays;          // whether a fault delays a request
  const Demand* only_demand = nullptr;  // of all requests; null if there are several
};

struct RequestParts {  // all must outlive it
  const scenario::Scenario& scenario;
  const Flows& flows;
  const Traffic& traffic;
  Fleet& fleet;
  Truth& truth;
  const world::World& world;
  EpochBook& book;
  Trips* trips;  // in platform mode, instead of server_queues; else null
  engine::Calendar& calendar;
  ServerQueues& server_queues;
  const LinkJitter& jitter;
  Users& users;
  OpenRequests& open;
  std::vector<ClientStreams>& entries;   // by client entry
  const std::vector<DemandPlan>& plans;  // by Demand::place; complete before the first request
};

// Returns the arrivals of all client entries. Lifetime: the entries must outlive them.
[[nodiscard]] inline std::vector<engine::Arrivals*> arrivals_of(std::vector<ClientStreams>& entries) {
  std::vector<engine::Arrivals*> all;
  for (ClientStreams& entry : entries) {
    all.push_back(&entry.arrivals);
  }
  return all;
}

}  // namespace spillway::run
