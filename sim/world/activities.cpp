#include "sim/world/activities.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <sys/mman.h>
#include <utility>

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/serving.hpp"
#include "sim/world/platform.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace spillway::world {

namespace s4u = simgrid::s4u;

namespace {

// The conductor runs the whole simulation; trips do little, but there are many.
constexpr const char* conductor_stack = "contexts/stack-size:8192";
constexpr std::size_t trip_stack_kib = 160;
// A guard page splits the mapping of its stack in two, and a process has at most 65,530 mappings.
constexpr const char* no_guards = "contexts/guard-size:0";

// SimGrid ends the process if it gets no memory. So memory for trips is tested before they start, many at a time.
constexpr std::size_t trips_at_a_time = 1024;
constexpr std::size_t bytes_per_trip = (trip_stack_kib + 16) * 1024;  // with SimGrid's and the calendar's state
constexpr std::size_t spare_bytes = std::size_t{64} << 20U;           // for everything else

// SimGrid clears the whole of a stack from the heap: with a mapping of its own, a trip uses only two pages.
void map_every_stack() {
#if defined(__GLIBC__)
  (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  (void)mallopt(M_MMAP_MAX, std::numeric_limits<int>::max());
#endif
}

bool has_memory(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED && munmap(memory, bytes) == 0;
}

}  // namespace

struct Activities::Trips {
  // Cores and the requests there.
  struct ServerQueue {
    std::optional<scenario::Servers> servers;  // nullopt if the number of cores is unlimited
    s4u::SemaphorePtr cores;                   // if first in, first out
    double slowness = 1.0;
    std::size_t present = 0;

    [[nodiscard]] bool is_full() const {
      return servers && servers->queue && present >= std::size_t{servers->cores} + *servers->queue;
    }
  };

  World::Platform& platform;
  World& world;
  std::vector<ServerQueue> server_queues;  // by workshop
  s4u::MutexPtr mutex;
  s4u::ConditionVariablePtr ended;
  std::function<void(config::EndpointIndex, std::size_t)> watcher;
  bool news = false;          // a trip has ended
  std::uint64_t steps = 0;    // of trips
  std::size_t under_way = 0;  // trips
  std::size_t room_for = 0;   // trips at a time for which memory was tested

  Trips(const scenario::Scenario& scenario, World::Platform& of, World& in);

  void travel(const Trip& trip);
  [[nodiscard]] bool transfer(config::NodeIndex from, config::NodeIndex to, Nanoseconds deviation, std::uint64_t bytes);
  [[nodiscard]] Ending serve(const Trip& trip);
  [[nodiscard]] bool work(std::size_t workshop, Nanoseconds time);
  void end(const Trip& trip, Ending ending, std::size_t hops);
  void make_room();
  void let_everything_due_end();
  void note(const Trip& trip, std::size_t present) const {
    if (watcher) {
      watcher(trip.endpoint, present);
    }
  }
};

Activities::Trips::Trips(const scenario::Scenario& scenario, World::Platform& of, World& in)
    : platform(of), world(in), server_queues(of.workshops.size()) {
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
    server_queues[node].servers = scenario.nodes[node].servers;
  }
  for (std::size_t index = 0; index < scenario.endpoints.size(); ++index) {
    if (scenario.endpoints[index].servers) {
      server_queues[of.workshop_of[index]].servers = scenario.endpoints[index].servers;
    }
  }
}

void Activities::Trips::travel(const Trip& trip) {
  std::size_t hops = 0;
  for (; hops + 1 < trip.way.size(); ++hops) {
    const Nanoseconds deviation = trip.deviations.empty() ? Nanoseconds{0} : trip.deviations[hops].first;
    if (!transfer(trip.way[hops], trip.way[hops + 1], deviation, trip.request_bytes)) {
      end(trip, Ending::lost, hops);
      return;
    }
  }
  const Ending served = serve(trip);
  if (served == Ending::broken_off) {
    end(trip, served, hops);
    return;
  }
  const std::uint64_t bytes = served == Ending::answered ? trip.response_bytes : 0;
  for (std::size_t place = hops; place > 0; --place, ++hops) {
    const Nanoseconds deviation = trip.deviations.empty() ? Nanoseconds{0} : trip.deviations[place - 1].second;
    if (!transfer(trip.way[place], trip.way[place - 1], deviation, bytes)) {
      end(trip, Ending::lost, hops);
      return;
    }
  }
  end(trip, served, hops);
}

// Transfers bytes; returns false if the link fails meanwhile. Takes no time within a zone, and between zones without a
// link.
bool Activities::Trips::transfer(config::NodeIndex from, config::NodeIndex to, Nanoseconds deviation,
                                 std::uint64_t bytes) {
  const std::uint32_t from_zone = world.node_zone_[from.value];
  const std::uint32_t to_zone = world.node_zone_[to.value];
  const TwoWays* const link = platform.by_zones[from_zone][to_zone];
  if (link == nullptr) {
    return true;
  }
  if (const Nanoseconds latency = world.latency(from, to) + deviation; latency > Nanoseconds{0}) {
    s4u::this_actor::sleep_for(seconds(latency));
    ++steps;
  }
  try {
    s4u::Comm::sendto(platform.ports[from_zone], platform.ports[to_zone], link->limited ? bytes : 0);
  } catch (const simgrid::NetworkFailureException&) {
    ++steps;
    return false;
  }
  ++steps;
  return true;
}

// Serves the request; returns `answered` once it has been served.
Ending Activities::Trips::serve(const Trip& trip) {
  const std::optional<Nanoseconds> time = trip.reach();
  if (!time) {
    return Ending::broken_off;
  }
  const std::size_t workshop = platform.workshop_of[trip.endpoint.value];
  ServerQueue& server = server_queues[workshop];
  if (server.is_full()) {
    return Ending::turned_away;
  }
  note(trip, ++server.present);
  if (server.cores != nullptr) {
    server.cores->acquire();
    ++steps;
  }
  const bool done = work(workshop, *time);
  note(trip, --server.present);
  if (server.cores != nullptr) {
    server.cores->release();
    ++steps;
  }
  return done ? Ending::answered : Ending::broken_off;
}

// Does the work; returns false if the node goes off. It may also have gone off while the request waited for its core:
// requests before it then released theirs at once. Shared cores apply slowness themselves.
bool Activities::Trips::work(std::size_t workshop, Nanoseconds time) {
  const ServerQueue& server = server_queues[workshop];
  const double slowness = server.cores != nullptr ? server.slowness : 1.0;
  const double flops = static_cast<double>(time.count()) * slowness;
  if (flops <= 0.0 || !world.is_on(platform.workshops[workshop].node)) {
    return world.is_on(platform.workshops[workshop].node);
  }
  try {
    s4u::this_actor::exec_init(flops)->set_host(platform.workshops[workshop].host)->wait();
  } catch (const simgrid::HostFailureException&) {
    ++steps;
    return false;
  }
  ++steps;
  return true;
}

void Activities::Trips::end(const Trip& trip, Ending ending, std::size_t hops) {
  trip.end(ending, hops);
  --under_way;
  ++steps;
  news = true;
  ended->notify_all();
}

void Activities::Trips::make_room() {
  if (++under_way <= room_for) {
    return;
  }
  if (!has_memory(trips_at_a_time * bytes_per_trip + spare_bytes)) {
    throw TooManyTrips(under_way - 1);
  }
  room_for += trips_at_a_time;
}

void Activities::Trips::let_everything_due_end() {
  std::uint64_t seen = 0;
  do {
    seen = steps;
    s4u::this_actor::yield();
  } while (seen != steps);
}

Activities::Activities(const scenario::Scenario& scenario, World& world)
    : trips_(std::make_unique<Trips>(scenario, *world.platform_, world)) {}

Activities::~Activities() = default;

void Activities::conduct(const std::function<void()>& body) {
  trips_->mutex = s4u::Mutex::create();
  trips_->ended = s4u::ConditionVariable::create();
  for (Trips::ServerQueue& server : trips_->server_queues) {
    if (server.servers && server.servers->discipline == scenario::Discipline::fifo) {
      server.cores = s4u::Semaphore::create(server.servers->cores);
    }
  }
  std::exception_ptr failure;
  map_every_stack();
  s4u::Engine::set_config(no_guards);
  s4u::Engine::set_config(conductor_stack);
  s4u::Actor::create("conductor", trips_->platform.outside, [&] {
    try {
      body();
    } catch (const simgrid::ForcefulKillException&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    s4u::Actor::kill_all();
  });
  s4u::Engine::set_config("contexts/stack-size:" + std::to_string(trip_stack_kib));
  trips_->platform.engine->run();
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void Activities::watch(std::function<void(config::EndpointIndex endpoint, std::size_t present)> reported) {
  trips_->watcher = std::move(reported);
}

void Activities::start(Trip trip) {
  trips_->make_room();
  s4u::Actor::create("trip", trips_->platform.outside,
                     [trips = trips_.get(), own = std::move(trip)] { trips->travel(own); });
}

bool Activities::wait_until(Nanoseconds time) {
  Trips& trips = *trips_;
  trips.let_everything_due_end();
  if (!trips.news && trips.world.now() < time) {
    const std::unique_lock lock(*trips.mutex);
    if (time == Nanoseconds::max()) {
      trips.ended->wait(lock);
    } else {
      trips.ended->wait_until(lock, trips.platform.clock_at_start + seconds(time));
    }
  }
  trips.let_everything_due_end();
  trips.news = false;
  return trips.world.now() >= time;
}

void Activities::set_slowness(config::EndpointIndex endpoint, double slowness) {
  const std::size_t index = trips_->platform.workshop_of[endpoint.value];
  if (index < trips_->platform.hosts.size()) {
    return;
  }
  trips_->server_queues[index].slowness = slowness;
  if (trips_->server_queues[index].cores == nullptr) {
    Workshop& workshop = trips_->platform.workshops[index];
    const auto found = std::find(workshop.slownesses.begin(), workshop.slownesses.end(), slowness);
    workshop.host->set_pstate(static_cast<unsigned long>(found - workshop.slownesses.begin()));
  }
}

}  // namespace spillway::world
