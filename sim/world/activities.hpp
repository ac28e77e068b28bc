// Requests as SimGrid activities: communications over the world's links, executions on its cores. Where several share a
// link or cores, each takes its time.
//
//   World world(scenario, World::Use::activities);
//   Activities activities(scenario, world);
//   activities.conduct([&] {                          // inside SimGrid's run
//     activities.start({.way = {client, node}, .endpoint = endpoint, .reach = ..., .end = ...});
//     while (!activities.wait_until(10ms)) {}         // trips end meanwhile
//   });
//
// Everything that is not a trip happens on the conductor, an actor on a host outside all zones, which waits on a
// condition variable until a time that it is told, or until a trip ends. A trip is an actor there as well. What is due
// at one moment ends before the conductor goes on. Cores are first in, first out by a semaphore, or shared by SimGrid.
//
// A link shares its bandwidth evenly among the transfers that go its way; where there is no link, or one without a
// bandwidth, size costs nothing. Zone proxies in between pass a request on once they have all of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/world/world.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::world {

// How a trip ends.
enum class Ending : std::uint8_t {
  answered,     // the answer is back
  turned_away,  // likewise, from a full queue
  lost,         // a link failed under it
  broken_off,   // it did not reach the endpoint, or that one's node went off
};

struct Trip {
  std::vector<config::NodeIndex> way;  // from the client over zone proxies to the endpoint's node; at least two
  // By hop: how much longer or shorter than its link's latency it takes there, and back; empty: none does.
  std::vector<std::pair<Nanoseconds, Nanoseconds>> deviations = {};
  config::EndpointIndex endpoint;
  std::uint64_t request_bytes = 0;
  std::uint64_t response_bytes = 0;
  // Asked once, as soon as the request is there: how long it is to be served; nothing: it finds nobody.
  std::function<std::optional<Nanoseconds>()> reach;
  // Told once, at that moment. `hops`: how many links or zones of the way it has got over, there and back.
  std::function<void(Ending ending, std::size_t hops)> end;
};

// There is no memory for another trip.
class TooManyTrips : public std::bad_alloc {
 public:
  explicit TooManyTrips(std::size_t under_way) : under_way_(under_way) {}

  [[nodiscard]] std::size_t under_way() const noexcept { return under_way_; }

 private:
  std::size_t under_way_;
};

class Activities {
 public:
  // The world must outlive this and be made for activities.
  Activities(const scenario::Scenario& scenario, World& world);
  ~Activities();
  Activities(const Activities&) = delete;
  Activities& operator=(const Activities&) = delete;

  // `told` hears, whenever that changes, how many requests are at the cores that serve an endpoint, in line or served.
  void watch(std::function<void(config::EndpointIndex endpoint, std::size_t present)> reported);

  // Lets `body` be the conductor; returns or throws as it does. What is under way then never ends. Once in a world.
  void conduct(const std::function<void()>& body);

  // The rest is for the conductor.
  void start(Trip trip);  // throws TooManyTrips
  // Waits for this time; false if something ended before it. Nanoseconds::max() is never.
  bool wait_until(Nanoseconds time);
  // From now on the endpoint's own cores are so many times slower: for what gets one later, or if they are shared at
  // once. An endpoint on its node's cores is not concerned.
  void set_slowness(config::EndpointIndex endpoint, double slowness);

 private:
  struct Trips;
  std::unique_ptr<Trips> trips_;
};

}  // namespace spillway::world
