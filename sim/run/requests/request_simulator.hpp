// Simulates all requests in one event calendar: arrival, pick, queueing, response, retry.
//
//   RequestSimulator simulator(scenario, seed, flows, traffic, fleet, truth, world, book);
//   while (simulator.simulate(agenda, 65'536)) { report(simulator.next_time()); }
//   simulator.end_run();
//
// A request queues for a core of its endpoint, if it has a limited number of cores, and occupies it for its service
// time. Its latency is the link's in both directions, the wait and the service time, including those of its retries and
// their back-off.
// A node that is off, or an endpoint that does not exist, refuses (connect_failure) after a round trip; a link that is
// off refuses at once. A node that goes off while it serves breaks the connection. A request ends after its route's
// timeouts, without a route after Envoy's 15 s.
// Requests under way at the end of the run are simulated to their end, retries included. A request without a timeout
// that nothing can end any more is unfinished.
// At equal nanoseconds, responses come before arrivals. Arrivals come in the order of the client entries; those of
// users who wait for responses come last.
//
// The World is queried at every request for the state of nodes and the latency of links.
//
// Requests that find nothing take the fast lane (fast_lane.hpp), all others the slow path (slow_path.hpp). The order of
// events and the results do not depend on it, nor on looking ahead (look_ahead.hpp). O(1) per event, plus its pick. A
// request allocates memory only while more are under way than ever before, or if it may be retried with predicates.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/run/agenda.hpp"
#include "sim/run/event.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class EpochBook;      // epoch_book.hpp
class Fleet;          // fleet.hpp
class Flows;          // flows.hpp
struct RequestParts;  // request_parts.hpp
class Sessions;       // sessions.hpp
class Traffic;        // traffic.hpp
class Truth;          // truth.hpp

class RequestSimulator {
 public:
  // Lifetime: all arguments must outlive this. With `activities`, SimGrid simulates requests from pick to response.
  RequestSimulator(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Traffic& traffic,
                   Fleet& fleet, Truth& truth, const world::World& world, EpochBook& book,
                   world::Activities* activities = nullptr);
  ~RequestSimulator();
  RequestSimulator(const RequestSimulator&) = delete;
  RequestSimulator& operator=(const RequestSimulator&) = delete;

  // Returns the time of the next arrival or response; Calendar::never once no arrival is left before the scenario ends
  // and every response has arrived.
  [[nodiscard]] Nanoseconds next_time();

  // Simulates events strictly before the agenda's next time. If that is not before the end of the scenario, simulates
  // up to the last response. Stops after at most `most` events and then returns true; else false. May put entries on
  // the agenda, not earlier than the event that caused them.
  bool simulate(const Agenda<Event>& agenda, std::uint64_t most);
  // Simulates only the next arrival or response, if it comes strictly before `limit`; else returns false.
  bool simulate_before(Nanoseconds limit);

  // Marks requests without an outcome as unfinished. Precondition: next_time() is never.
  void end_run();

  // Begins a phase of a workload.
  void set_rate(const scenario::RateChange& change, Nanoseconds now);
  // Makes endpoints slower or faster.
  void set(const scenario::Slow& change, Nanoseconds now);
  // Breaks off everything on a node that has gone off.
  void lose(config::NodeIndex node, Nanoseconds now);

  // Sets a function that is called with every request; may be empty. Precondition: nothing has been simulated.
  void set_trace(RequestTrace trace);

  // Returns the parts, which PlainSimulator takes over.
  [[nodiscard]] const RequestParts& parts() const noexcept;
  [[nodiscard]] const Sessions& sessions() const noexcept;
  // Returns the number of calls of simulate_before().
  [[nodiscard]] std::uint64_t simulated() const noexcept;

  // True if a request waits for a response that is still in SimGrid and not in the calendar.
  [[nodiscard]] bool waits_for_trips() const noexcept;

  // Returns a sum over all used random streams of entity, purpose and next draws. It differs if two runs drew
  // differently anywhere. The fingerprint of independent groups of clients is the sum of theirs.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace spillway::run
