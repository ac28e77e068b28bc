// The state of PlainSimulator (plain_simulator.hpp): clients, the hosts that their requests reach, and requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/envoy/active_requests.hpp"
#include "models/envoy/availability.hpp"
#include "models/envoy/forward.hpp"
#include "models/envoy/source_index.hpp"
#include "models/numeric/remainder.hpp"
#include "sim/engine/large_pages.hpp"
#include "sim/engine/random_stream.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/scenario/outcome.hpp"

namespace spillway::engine {
struct EpochRecord;  // epoch_record.hpp
}  // namespace spillway::engine

namespace spillway::run {
struct Demand;  // traffic.hpp
struct Proxy;   // proxy.hpp
struct Worker;  // worker.hpp
}  // namespace spillway::run

namespace spillway::run::plain {

inline constexpr std::uint32_t straight = UINT32_MAX;  // in place of a line: requests do not overtake each other

// The method of picks. `any` uses a worker's balancer with its own draws; the others use the client's copy of the
// draws of its only worker. `cursors` are round robin's, moved here; `best_of_two` is least request without weights.
enum class Picks : std::uint8_t { any, random, cursors, round_robin, least_request, best_of_two };

enum class End : std::uint8_t { constant, refused, foreseen };

// A balancer with what every request reads: the first cache line.
struct alignas(64) Client {
  engine::RandomStream draws;
  std::uint64_t sent = 0;
  std::uint32_t* active_requests = nullptr;  // null if not read by any policy, or if sparse
  std::uint32_t in_flight = 0;
  bool counts = false;       // true if requests in flight are read
  bool turned_away = false;  // the last request, by a circuit breaker

  envoy::SparseCounts* sparse = nullptr;  // replaces active_requests if counts are sparse
  Proxy* proxy = nullptr;
  Worker* worker = nullptr;          // the first worker of `proxy`
  void* policy = nullptr;            // its PickState
  std::uint64_t* cursors = nullptr;  // of round robin, by source
  std::uint64_t counted = 0;         // part of `sent` already in the book
  // Values of `sent` at the beginning of this window and of the previous one.
  std::uint64_t before_window = 0;
  std::uint64_t before_last_window = 0;

  [[nodiscard]] std::uint32_t active(std::uint32_t host) const noexcept {
    return active_requests != nullptr ? active_requests[host] : (*sparse)[host];
  }
  [[gnu::always_inline]] void prefetch(std::uint32_t host) const noexcept {
    if (active_requests != nullptr) {
      __builtin_prefetch(active_requests + host, 1);
    } else {
      sparse->prefetch(host);
    }
  }
};

// A host of a flow.
struct alignas(64) Place {
  ServerQueues::Foreseen foreseen = {};
  Nanoseconds latency{0};  // one way
  Nanoseconds answer{0};   // until the response, if constant or refused
  End end = End::constant;
  std::uint32_t line = straight;  // of paths there, if requests overtake each other
};

struct Choice {
  std::span<const config::HostIndex> hosts = {};
  numeric::Remainder by_hosts = {};
  envoy::SourceIndex source;
  envoy::Availability availability = envoy::Availability::healthy;
  bool nobody = false;
};

struct Picked {
  std::uint32_t host = 0;
  envoy::Availability availability = envoy::Availability::healthy;
  bool nobody = false;
};

// A request to be sent whose draws are known, but not yet the better of its two hosts.
struct Ahead {
  Nanoseconds at{0};
  std::uint32_t entry = 0;
  std::uint32_t client = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t likely = 0;  // one of the two
  envoy::Availability availability = envoy::Availability::healthy;
  bool nobody = false;
};

// The traffic of the clients of one entry until the next change.
struct Entry {
  FlowIndex flow;
  FlowIndex leader;
  config::ClientEntryIndex client = {};
  std::uint32_t number = 0;
  const Demand* demand = nullptr;  // of all requests; null if there are several
  Nanoseconds timeout{0};          // of the whole request; max() if none
  scenario::Outcome without_host = scenario::Outcome::no_healthy_upstream;  // as in Demand
  std::size_t routing_priority = 0;
  bool failures_matter = false;  // to retries or to outlier detection
  bool timeouts_matter = false;  // their log name or their consequence is decided elsewhere
  Picks picks = Picks::any;
  bool foreseen = false;  // true if any place is
  const envoy::ClusterState* state = nullptr;
  engine::EpochRecord* record = nullptr;
  std::uint64_t most_requests = 0;
  std::uint64_t not_ok = 0;      // of those sent: requests with another outcome
  std::uint64_t on_the_way = 0;  // of those sent: requests in a line, counted on arrival
  std::uint32_t first_client = 0;
  std::uint32_t clients = 0;
  std::vector<Choice> choices = {};                                           // by draw % 100
  const Choice* only_choice = nullptr;                                        // for every draw; null if they differ
  std::span<Place> places = {};                                               // by target
  std::vector<std::uint64_t, engine::LargePages<std::uint64_t>> counts = {};  // by row: requests
  // Bounded only: a window is at least as long as any response that is not late.
  Nanoseconds window{0};  // when it began
  std::uint64_t in_window = 0;
  std::vector<Nanoseconds> late = {};  // ends of responses that take longer
};

// Places of a service as seen by clients on one node.
struct Places {
  std::vector<Place, engine::LargePages<Place>> of_targets = {};
  bool foreseen = false;
  bool up_to_date = false;
};

struct InFlight {
  std::uint32_t client = 0;
  std::uint32_t host = 0;
};

// A request in flight with the address of its counter; null if not counted or counted sparsely.
struct Leaving {
  std::uint32_t* counter = nullptr;
  std::uint32_t client = 0;
  std::uint32_t host = 0;
};

// A request on its way to a server.
struct Approaching {
  Nanoseconds sent_at{0};
  std::uint32_t entry = 0;
  std::uint32_t epoch = 0;
  InFlight of = {};
  std::uint64_t sequence = 0;  // of its response, if users wait for responses
};

// A response on its way to its client.
struct Answer {
  Nanoseconds at{0};
  Nanoseconds sent_at{0};
  std::uint32_t entry = 0;
  InFlight of = {};
};

}  // namespace spillway::run::plain
