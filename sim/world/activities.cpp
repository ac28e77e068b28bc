#include "sim/world/activities.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>
#include <utility>

#include "sim/world/platform.hpp"

namespace spillway::world {

namespace s4u = simgrid::s4u;

namespace {

// The conductor runs the whole simulation; trips do next to nothing, but there are many.
constexpr const char* conductor_stack = "contexts/stack-size:8192";
constexpr const char* trip_stack = "contexts/stack-size:256";

}  // namespace

struct Activities::Trips {
  // Cores and who is there.
  struct Station {
    std::optional<scenario::Servers> servers;  // none: any number of cores
    s4u::SemaphorePtr cores;                   // if first in, first out
    double slowness = 1.0;
    std::size_t present = 0;

    [[nodiscard]] bool is_full() const {
      return servers && servers->queue && present >= std::size_t{servers->cores} + *servers->queue;
    }
  };

  World::Platform& platform;
  World& world;
  std::vector<Station> stations;  // by workshop
  s4u::MutexPtr mutex;
  s4u::ConditionVariablePtr ended;
  std::function<void(config::EndpointIndex, std::size_t)> watcher;
  bool news = false;        // a trip has ended
  std::uint64_t steps = 0;  // of trips

  Trips(const scenario::Scenario& scenario, World::Platform& of, World& in);

  void travel(const Trip& trip);
  [[nodiscard]] bool transfer(config::NodeIndex from, config::NodeIndex to, Nanoseconds deviation, std::uint64_t bytes);
  [[nodiscard]] Ending serve(const Trip& trip);
  [[nodiscard]] bool work(std::size_t workshop, Nanoseconds time);
  void end(const Trip& trip, Ending ending, std::size_t hops);
  void let_everything_due_end();
  void note(const Trip& trip, std::size_t present) const {
    if (watcher) {
      watcher(trip.endpoint, present);
    }
  }
};

Activities::Trips::Trips(const scenario::Scenario& scenario, World::Platform& of, World& in)
    : platform(of), world(in), stations(of.workshops.size()) {
  for (std::size_t node = 0; node < scenario.nodes.size(); ++node) {
    stations[node].servers = scenario.nodes[node].servers;
  }
  for (std::size_t index = 0; index < scenario.endpoints.size(); ++index) {
    if (scenario.endpoints[index].servers) {
      stations[of.workshop_of[index]].servers = scenario.endpoints[index].servers;
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

// False if the link fails under it. Within a zone, and between zones without a link, nothing takes any time.
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

// `answered` once it has been served.
Ending Activities::Trips::serve(const Trip& trip) {
  const std::optional<Nanoseconds> time = trip.reach();
  if (!time) {
    return Ending::broken_off;
  }
  const std::size_t workshop = platform.workshop_of[trip.endpoint.value];
  Station& station = stations[workshop];
  if (station.is_full()) {
    return Ending::turned_away;
  }
  note(trip, ++station.present);
  if (station.cores != nullptr) {
    station.cores->acquire();
    ++steps;
  }
  const bool done = work(workshop, *time);
  note(trip, --station.present);
  if (station.cores != nullptr) {
    station.cores->release();
    ++steps;
  }
  return done ? Ending::answered : Ending::broken_off;
}

// False if the node goes off, or went off while the request waited for its core: those before it then gave theirs back
// at once. Shared cores are slow by themselves.
bool Activities::Trips::work(std::size_t workshop, Nanoseconds time) {
  const Station& station = stations[workshop];
  const double slowness = station.cores != nullptr ? station.slowness : 1.0;
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
  ++steps;
  news = true;
  ended->notify_all();
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
  for (Trips::Station& station : trips_->stations) {
    if (station.servers && station.servers->discipline == scenario::Discipline::fifo) {
      station.cores = s4u::Semaphore::create(station.servers->cores);
    }
  }
  std::exception_ptr failure;
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
  s4u::Engine::set_config(trip_stack);
  trips_->platform.engine->run();
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void Activities::watch(std::function<void(config::EndpointIndex endpoint, std::size_t present)> told) {
  trips_->watcher = std::move(told);
}

void Activities::start(Trip trip) {
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
  trips_->stations[index].slowness = slowness;
  if (trips_->stations[index].cores == nullptr) {
    Workshop& workshop = trips_->platform.workshops[index];
    const auto found = std::find(workshop.slownesses.begin(), workshop.slownesses.end(), slowness);
    workshop.host->set_pstate(static_cast<unsigned long>(found - workshop.slownesses.begin()));
  }
}

}  // namespace spillway::world
