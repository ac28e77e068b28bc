#define XXH_INLINE_ALL
#include "sim/run/requests/request_simulator.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <xxhash.h>

#include "sim/engine/entity.hpp"
#include "sim/run/proxies/fleet.hpp"
#include "sim/run/requests/fast_lane.hpp"
#include "sim/run/requests/look_ahead.hpp"
#include "sim/run/requests/open_requests.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/run/requests/server_queues.hpp"
#include "sim/run/requests/slow_path.hpp"
#include "sim/run/requests/trips.hpp"
#include "sim/run/requests/truth.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/run/traffic/users.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/world/activities.hpp"
#include "sim/world/world.hpp"

namespace spillway::run {

using engine::CalendarEvent;

namespace {

// Returns a hash of a stream's state; 0 if nothing was drawn from it.
std::uint64_t fingerprint_of(const engine::RandomStream& stream) {
  unsigned char bytes[8];
  for (unsigned index = 0; index < 8; ++index) {
    bytes[index] = static_cast<unsigned char>(stream.fingerprint() >> (8 * index));
  }
  return stream.draws() == 0 ? 0 : XXH64(bytes, sizeof(bytes), stream.draws());
}

// Returns a hash of a count. `of` is the kind of the counted items.
std::uint64_t fingerprint_of(std::uint64_t count, std::uint64_t of) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  return count * (odd + 2 * of);
}

// True if any response has the header that fails active checks at once (x-envoy-immediate-health-check-fail).
bool requests_checks(const scenario::Scenario& scenario) {
  return std::any_of(scenario.changes.begin(), scenario.changes.end(), [](const scenario::Change& change) {
    const auto* const answers = std::get_if<scenario::AnswersChecks>(&change.effect);
    return answers != nullptr && answers->answer == scenario::CheckAnswer::immediate_health_check_fail;
  });
}

std::vector<ClientStreams> streams_of(const scenario::Scenario& scenario, std::uint64_t seed, const Traffic& traffic) {
  std::vector<ClientStreams> all;
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::ClientEntry& client = scenario.clients[index];
    const auto stream = [&](engine::Purpose purpose) {
      return engine::RandomStream({seed, purpose, engine::entity(client.name)});
    };
    const engine::RandomStream of_arrivals = stream(engine::Purpose::arrivals);
    const std::span<const Demand> demands = traffic.demands_of_client(config::ClientEntryIndex{index});
    all.push_back({client.workload.trace != nullptr
                       ? engine::Arrivals(client.workload.trace, of_arrivals)
                       : engine::Arrivals(client.workload.arrivals, client.workload.rate, client.count, of_arrivals,
                                          client.workload.slope),
                   stream(engine::Purpose::requests), stream(engine::Purpose::retries), stream(engine::Purpose::links),
                   stream(engine::Purpose::delays), demands.size() == 1 ? &demands.front() : nullptr});
  }
  return all;
}

}  // namespace

// The parts of the simulator, and its loop.
struct RequestSimulator::State {
  State(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows, const Traffic& traffic,
        Fleet& fleet, Truth& truth, const world::World& world, EpochBook& book, world::Activities* activities)
      : server_queues(scenario, seed, world, calendar),
        jitter(scenario),
        users(scenario, seed),
        entries(streams_of(scenario, seed, traffic)),
        parts{scenario,
              flows,
              traffic,
              fleet,
              truth,
              world,
              book,
              activities == nullptr ? nullptr : &trips.emplace(scenario, server_queues, world, *activities, calendar),
              calendar,
              server_queues,
              jitter,
              users,
              open,
              entries,
              plans},
        slow_path(parts, fast_lane),
        fast_lane(parts, slow_path),
        look_ahead(parts, fast_lane) {}

  void prepare();
  [[nodiscard]] Nanoseconds next_moment() const noexcept {
    return std::min(calendar.next_time(), server_queues.next_time());
  }
  [[nodiscard]] Nanoseconds next_arrival() {
    const Nanoseconds at = std::min(look_ahead.next_time(), users.next_time());
    return at < parts.scenario.duration ? at : engine::Calendar::never;
  }
  [[nodiscard, gnu::always_inline]] bool simulate_next(Nanoseconds limit);
  void simulate_moment();
  void simulate_arrival();
  [[gnu::always_inline]] void arrive(config::ClientEntryIndex index, std::uint32_t client, Nanoseconds now,
                                     const ComingRequest* known);

  engine::Calendar calendar;
  ServerQueues server_queues;
  LinkJitter jitter;
  Users users;
  OpenRequests open;
  std::vector<ClientStreams> entries;
  std::vector<DemandPlan> plans;  // empty before the first request
  std::optional<Trips> trips;
  RequestParts parts;
  SlowPath slow_path;
  FastLane fast_lane;
  LookAhead look_ahead;
  std::uint64_t simulated = 0;
};

// Plans all demands, before the first request and after all events of time 0.
void RequestSimulator::State::prepare() {
  const bool may_open_late = parts.trips == nullptr && !slow_path.traces() && !requests_checks(parts.scenario) &&
                             parts.traffic.demands() <= most_demands;
  for (std::uint32_t place = 0; place < parts.traffic.demands(); ++place) {
    plans.push_back(plan_of(parts.traffic.demand(place), parts, may_open_late));
  }
  fast_lane.open(plans);
  look_ahead.begin();
}

inline void RequestSimulator::State::arrive(config::ClientEntryIndex index, std::uint32_t client, Nanoseconds now,
                                            const ComingRequest* known) {
  if (parts.world.any_outage() && !parts.world.is_on(scenario::node_of(parts.scenario.clients[index.value], client))) {
    users.answered(index, client, now, Nanoseconds{0});
    return;
  }
  ClientStreams& entry = entries[index.value];
  const Demand& demand = entry.only_demand != nullptr ? *entry.only_demand : parts.traffic.choose(index, entry.kinds);
  if (known != nullptr && known->demand != &demand) {
    known = nullptr;
    look_ahead.forget(index.value);
  }
  const DemandPlan& plan = plans[demand.place];
  if (fast_lane.takes(plan, client)) {
    fast_lane.arrive(plan, client, now, known);
  } else {
    slow_path.arrive(plan, client, now, known);
  }
}

void RequestSimulator::State::simulate_arrival() {
  if (plans.empty()) {
    prepare();
  }
  if (users.next_time() < look_ahead.next_time()) {
    const Users::Sending sending = users.pop();
    arrive(sending.entry, sending.client, sending.at, nullptr);
    return;
  }
  const LookAhead::Next next = look_ahead.pop();
  arrive(config::ClientEntryIndex{next.entry}, next.client, next.at, next.known);
  look_ahead.look_on();
}

void RequestSimulator::State::simulate_moment() {
  const CalendarEvent moment =
      calendar.pop([this](const CalendarEvent& soon, unsigned step) { look_ahead.look_at(soon, step); });
  if (!ServerQueues::owns(moment)) {
    slow_path.simulate(moment);
  } else if (trips) {
    trips->simulate(moment);
  } else {
    server_queues.simulate(moment);
  }
}

inline bool RequestSimulator::State::simulate_next(Nanoseconds limit) {
  const Nanoseconds arrival = next_arrival();
  const Nanoseconds reached = server_queues.next_time();
  const Nanoseconds met = calendar.next_time();
  if (std::min({arrival, reached, met}) >= limit) {
    return false;
  }
  if (reached <= met && reached <= arrival) {
    server_queues.reach_next([this](const ServerQueues::Approaching& request) { fast_lane.reach(request); });
  } else if (met <= arrival) {
    fast_lane.leave_until(met);
    simulate_moment();
  } else {
    fast_lane.leave_until(arrival);
    simulate_arrival();
  }
  return true;
}

RequestSimulator::RequestSimulator(const scenario::Scenario& scenario, std::uint64_t seed, const Flows& flows,
                                   const Traffic& traffic, Fleet& fleet, Truth& truth, const world::World& world,
                                   EpochBook& book, world::Activities* activities)
    : state_(std::make_unique<State>(scenario, seed, flows, traffic, fleet, truth, world, book, activities)) {}

RequestSimulator::~RequestSimulator() = default;

Nanoseconds RequestSimulator::next_time() {
  return std::min(state_->next_moment(), state_->next_arrival());
}

bool RequestSimulator::simulate(const Agenda<Event>& agenda, std::uint64_t most) {
  State& state = *state_;
  const Nanoseconds duration = state.parts.scenario.duration;
  for (std::uint64_t events = 0; events < most; ++events) {
    const Nanoseconds limit = agenda.next_time() < duration ? agenda.next_time() : engine::Calendar::never;
    if (!state.simulate_next(limit)) {
      state.fast_lane.leave_until(limit - Nanoseconds{1});
      return false;
    }
  }
  return true;
}

bool RequestSimulator::simulate_before(Nanoseconds limit) {
  ++state_->simulated;
  return state_->simulate_next(limit);
}

void RequestSimulator::end_run() {
  state_->slow_path.end_run();
}

void RequestSimulator::set_rate(const scenario::RateChange& change, Nanoseconds now) {
  state_->look_ahead.set_rate(change, now);
}

void RequestSimulator::set(const scenario::Slow& change, Nanoseconds now) {
  state_->server_queues.set(change, now);
  if (state_->trips) {
    state_->trips->set(change);
  }
}

void RequestSimulator::lose(config::NodeIndex node, Nanoseconds now) {
  state_->server_queues.lose(node, now);
}

void RequestSimulator::set_trace(RequestTrace trace) {
  state_->slow_path.set_trace(std::move(trace));
}

const RequestParts& RequestSimulator::parts() const noexcept {
  return state_->parts;
}

const Sessions& RequestSimulator::sessions() const noexcept {
  return state_->slow_path.sessions();
}

std::uint64_t RequestSimulator::simulated() const noexcept {
  return state_->simulated;
}

bool RequestSimulator::waits_for_trips() const noexcept {
  return state_->trips && state_->trips->any();
}

std::uint64_t RequestSimulator::fingerprint() const {
  std::uint64_t sum = 0;
  const auto add = [&sum](const engine::RandomStream& stream) { sum += fingerprint_of(stream); };
  for (const ClientStreams& entry : state_->entries) {
    add(entry.arrivals.stream());
    add(entry.kinds);
    add(entry.retries);
    add(entry.links);
    add(entry.delays);
  }
  state_->users.for_each_stream(add);
  state_->server_queues.for_each_stream(add);
  state_->parts.fleet.for_each_stream(add);
  state_->parts.truth.for_each_stream(add);
  sum += fingerprint_of(state_->parts.fleet.events().ejections, 1);
  sum += fingerprint_of(state_->parts.fleet.events().unejections, 2);
  sum += fingerprint_of(state_->slow_path.retries(), 3);
  return sum;
}

}  // namespace spillway::run
