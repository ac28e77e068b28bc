// Requests as SimGrid activities: communications over the world's links, executions on its cores. If several share a
// link or cores, each takes longer.
//
//   World world(scenario, World::Use::activities);
//   Activities activities(scenario, world);
//   activities.conduct([&] {                          // inside SimGrid's run
//     activities.start({.way = {client, node}, .endpoint = endpoint, .reach = ..., .end = ...});
//     while (!activities.wait_until(10ms)) {}         // trips end meanwhile
//   });
//
// Everything except trips runs on the conductor, an actor on a host outside all zones. It waits on a condition variable
// until a given time, or until a trip ends. A trip is an actor there as well. Trips due at one time end before the
// conductor goes on. Cores are first in, first out by a semaphore, or shared by SimGrid.
//
// A link divides its bandwidth evenly among its transfers. Size costs nothing without a link or without a bandwidth.
// Zone proxies in between pass a request on once they have all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/world.hpp"

namespace spillway::world {

// The outcome of a trip.
enum class Ending : std::uint8_t {
  answered,     // the response has arrived
  turned_away,  // a response from a full queue has arrived
  lost,         // a link failed during it
  broken_off,   // it did not reach the endpoint, or the endpoint's node went off
};

struct Trip {
  std::vector<config::NodeIndex> way;  // from the client over zone proxies to the endpoint's node; at least two
  // By hop: deviation from its link's latency, there and back; empty if there is none.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> deviations = {};
  config::EndpointIndex endpoint;
  std::uint64_t request_bytes = 0;
  std::uint64_t response_bytes = 0;
  // Called once, as soon as the request arrives. Returns its service time; nullopt if there is no endpoint.
  std::function<std::optional<Nanoseconds>()> reach;
  // Called once, at the end. `hops`: links or zones of the path that it has passed, there and back.
  std::function<void(Ending ending, std::size_t hops)> end;
};

// Thrown if there is no memory for another trip.
class TooManyTrips : public std::bad_alloc {
 public:
  explicit TooManyTrips(std::size_t under_way) : under_way_(under_way) {}

  [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }

 private:
  std::size_t under_way_;
};

class Activities {
 public:
  // Lifetime: the world must outlive this object. Precondition: it was made for activities.
  Activities(const scenario::Scenario& scenario, World& world);
  ~Activities();
  Activities(const Activities&) = delete;
  Activities& operator=(const Activities&) = delete;

  // Sets a function that is called with the number of requests at the cores that serve an endpoint, waiting or served,
  // whenever it changes.
  void watch(std::function<void(config::EndpointIndex endpoint, std::size_t present)> reported);

  // Runs `body` as the conductor; returns or throws as it does. Trips under way then never end. Call it once per world.
  void conduct(const std::function<void()>& body);

  // The remaining functions are for the conductor.
  void start(Trip trip);  // throws TooManyTrips
  // Waits for this time; returns false if a trip ended before it. Nanoseconds::max() is never.
  bool wait_until(Nanoseconds time);
  // Makes the endpoint's own cores `slowness` times slower from now on: for later requests, or at once if the cores are
  // shared. Does nothing for an endpoint on its node's cores.
  void set_slowness(config::EndpointIndex endpoint, double slowness);

 private:
  struct Trips;
  std::unique_ptr<Trips> trips_;
};

}  // namespace spillway::world
