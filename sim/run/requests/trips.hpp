// Simulates requests in platform mode: SimGrid simulates their links and cores.
//
//   Trips trips(scenario, server_queues, world, activities, calendar);
//   trips.send(target, client, journey, now);   // its answer is pushed into the calendar when it is there
//   if (ServerQueues::owns(moment)) { trips.simulate(moment); }
//
// Replaces ServerQueues and takes only service times from it, drawn from the same streams in the same order. It reports
// to ServerQueues how many requests are where. If contention occurs only where requests mode has it too, results equal
// those of requests mode. A sender that gives up gets its outcome at once; its request goes on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/calendar.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

struct Target;  // targets.hpp

class Trips {
 public:
  // Lifetime: all arguments must outlive this object.
  Trips(const scenario::Scenario& scenario, ServerQueues& server_queues, const world::World& world,
        world::Activities& activities, engine::Calendar& calendar);
  Trips(const Trips&) = delete;
  Trips& operator=(const Trips&) = delete;

  // Sends the request from node `from` at `now`. `deviations`: of each hop from its link's latency; empty if no link
  // has any.
  void send(const Target& target, const scenario::ClientEntry& client, config::NodeIndex from, const Journey& journey,
            std::span<const RoundTrip> deviations, Nanoseconds now);

  // Simulates a timeout of a sender.
  void simulate(const engine::CalendarEvent& moment);

  void set(const scenario::Slow& change);

  // True if any sender waits for a response.
  [[nodiscard]] bool any() const noexcept { return waiting_ > 0; }

 private:
  struct Sent {
    Journey journey;
    std::uint64_t sequence = 0;  // of the attempt
    Nanoseconds at{0};
    bool waits = false;  // true if the sender still waits
    bool used = false;
  };
  struct Deadline {
    Nanoseconds at{0};
    std::uint64_t sequence = 0;
    std::uint32_t sent = 0;
  };

  [[nodiscard]] std::uint32_t add(const Sent& sent);
  [[nodiscard]] bool is_over(const Deadline& deadline) const noexcept;
  void arm();
  void finish(std::uint32_t place, world::Ending ending, std::size_t hops, std::size_t hops_there);
  void settle(Sent& sent, engine::CalendarEventKind kind, Nanoseconds at);

  const scenario::Scenario* scenario_;
  ServerQueues* server_queues_;
  const world::World* world_;
  world::Activities* activities_;
  engine::Calendar* calendar_;
  std::vector<Sent> sent_;
  std::vector<std::uint32_t> free_;
  std::vector<Deadline> deadlines_;  // a heap by time
  Nanoseconds next_deadline_ = engine::Calendar::never;
  std::size_t waiting_ = 0;
};

}  // namespace spillway::run
