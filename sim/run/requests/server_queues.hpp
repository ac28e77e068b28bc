// The cores of endpoints and the requests that queue for them.
//
//   ServerQueues server_queues(scenario, seed, world, calendar);
//   server_queues.send(endpoint, {.moment = moment, .latency = 1ms, .deadline = at}, now);  // pushes the response
//   server_queues.simulate(calendar.pop());                                                 // events of its own
//
// An endpoint without cores, on a node without any, serves every request at once. Endpoints that share their node's
// cores are one server. Service times are drawn when a request reaches the endpoint. A request whose sender has given
// up is served like any other. A full queue answers at once (CalendarEventKind::queue_full).
//
// Servers that nothing in the scenario disturbs (engine::FifoServer) compute a departure as soon as a request arrives.
// If requests arrive in the order in which they were sent, that is when they are sent. Other servers put their
// departures into the calendar (engine::DisturbedServer). Results are the same.
//
// Memory: that of the servers, and about 150 bytes per request on its way to, or at, a disturbed server.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/engine/calendar.hpp"
#include "sim/engine/delay_lines.hpp"
#include "sim/engine/disturbed_server.hpp"
#include "sim/engine/fifo_server.hpp"
#include "sim/engine/large_pages.hpp"
#include "sim/engine/service_draws.hpp"
#include "sim/run/nanoseconds.hpp"
#include "sim/run/requests/link_jitter.hpp"
#include "sim/scenario/forward.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

// A request on its way to an endpoint.
struct Journey {
  engine::CalendarEvent moment;  // of its response; the time is filled in
  RoundTrip way = {};            // over its links
  // When its sender gives up waiting for this try, and the event then.
  Nanoseconds deadline = engine::Calendar::never;
  engine::CalendarEventKind late = engine::CalendarEventKind::timeout;

  // Returns what the sender gets if `what` would arrive at `at`: that event, or giving up if the deadline is earlier.
  [[nodiscard]] engine::CalendarEvent met_at(const engine::CalendarEvent& what, Nanoseconds at) const noexcept {
    engine::CalendarEvent met = what;
    met.at = at;
    if (at > deadline) {
      met.at = deadline;
      met.kind = late;
    }
    return met;
  }
};

class ServerQueues {
  static constexpr std::uint32_t none = UINT32_MAX;

 public:
  // Lifetime: all arguments must outlive this object.
  ServerQueues(const scenario::Scenario& scenario, std::uint64_t seed, const world::World& world,
               engine::Calendar& calendar);

  // Sends the request at `now`. Pushes its outcome into the calendar, now or when it is known.
  void send(config::EndpointIndex endpoint, const Journey& journey, Nanoseconds now);

  // A request on its way to its server. Either a first try with no other state, whose response the caller handles, or
  // any other request (a job).
  struct Approaching {
    Nanoseconds at{0};  // when it arrives
    Nanoseconds sent_at{0};
    std::uint64_t sequence = 0;  // of the try
    std::uint32_t endpoint = 0;
    std::uint32_t proxy = 0;  // of a job: its place in jobs_
    std::uint32_t target = 0;
    std::uint32_t epoch = 0;
    std::uint32_t back = 0;         // nanoseconds over its links
    std::uint32_t demand : 24 = 0;  // as in CalendarEvent
    std::uint32_t worker : 7 = 0;   // as in CalendarEvent
    std::uint32_t is_job : 1 = 0;   // it is a job
  };
  // From this many endpoints on, their servers exceed the caches, so memory is prefetched before requests reach them.
  static constexpr std::size_t many_endpoints = 2048;
  // Sends a request if requests stand_apart() and its outcome is not known at once; draws `sequence`.
  void send(Approaching request, Nanoseconds now);
  // True if requests on their way are kept apart from the calendar: no server has calendar events of its own.
  [[nodiscard]] bool stand_apart() const noexcept { return in_lines_ || by_time_; }
  // Returns when the first such request reaches its server, before all calendar events of that time. reach_next() lets
  // it arrive there, and calls `reached` if it is a request with no other state.
  [[nodiscard]] Nanoseconds next_time() const noexcept { return std::min(lines_.next_time(), varied_.next_time()); }
  template <class Reached>
  void reach_next(Reached reached);

  // all_foreseen(): true if the response to any request is known when it reaches its endpoint, after a time that is
  // known when it is sent. any(): true if there are servers. draws_nothing(): true if no service time is drawn.
  // is_constant(): true if the endpoint takes the same time for every request. in_order(): true if requests reach the
  // endpoint in the order in which they are sent, so that responses are known then.
  [[nodiscard]] bool all_foreseen() const noexcept;
  [[nodiscard]] bool any() const noexcept { return !fifo_.empty() || !disturbed_.empty(); }
  [[nodiscard]] bool draws_nothing() const noexcept { return distributions_.empty(); }
  [[nodiscard]] bool is_constant(config::EndpointIndex endpoint) const noexcept {
    return endpoints_[endpoint.value].distribution == none && endpoints_[endpoint.value].server == none;
  }
  [[nodiscard]] bool in_order(config::EndpointIndex endpoint) const noexcept {
    return endpoints_[endpoint.value].server == none || endpoints_[endpoint.value].in_order;
  }
  [[nodiscard]] config::NodeIndex node_of(config::EndpointIndex endpoint) const noexcept {
    return endpoints_[endpoint.value].node;
  }
  // True if the outcome of a request that takes this long to reach the endpoint is known when it is sent.
  [[nodiscard]] bool knows_at_once(config::EndpointIndex endpoint, Nanoseconds way) const noexcept {
    const Endpoint& of = endpoints_[endpoint.value];
    return of.server == none || (!of.disturbed && (of.in_order || way == Nanoseconds{0}));
  }
  // The state from which responses of an endpoint are foreseen, looked up once. Valid until a change.
  class Foreseen {
   public:
    // Prefetches the service-time distribution and the server.
    [[gnu::always_inline]] void prefetch() const noexcept {
      if (distribution_ != nullptr) {
        distribution_->prefetch();
      }
      __builtin_prefetch(server_, 1);
    }
    // Prefetches the data from which the distribution draws. Precondition: prefetch() has completed.
    [[gnu::always_inline]] void prefetch_making() const noexcept {
      if (distribution_ != nullptr) {
        distribution_->prefetch_making();
      }
    }
    // Returns the service time of the next request.
    [[nodiscard, gnu::always_inline]] Nanoseconds time() {
      return distribution_ != nullptr ? (*distribution_)() : service_time_;
    }
    // Returns when the response to a request sent at `now` arrives; never() if the queue is full.
    [[nodiscard, gnu::always_inline]] Nanoseconds answer(Nanoseconds latency, Nanoseconds now) {
      const Nanoseconds needed = time();
      if (server_ == nullptr) {
        return now + 2 * latency + needed;
      }
      return answer_reached(latency, now + latency, needed);
    }
    // Returns when the endpoint has served a request that reaches it at `now`; never() if the queue is full.
    [[nodiscard, gnu::always_inline]] Nanoseconds served(Nanoseconds now) {
      const Nanoseconds needed = time();
      return server_ == nullptr ? now + needed : server_->serve(now, needed);
    }
    // Returns when the response to a request that reaches its server at `now` arrives.
    [[nodiscard, gnu::always_inline]] Nanoseconds answer_reached(Nanoseconds latency, Nanoseconds now) {
      return answer_reached(latency, now, time());
    }
    static constexpr Nanoseconds never() noexcept { return engine::FifoServer::full; }

   private:
    friend class ServerQueues;
    [[nodiscard, gnu::always_inline]] Nanoseconds answer_reached(Nanoseconds latency, Nanoseconds now,
                                                                 Nanoseconds needed) {
      const Nanoseconds end = server_->serve(now, needed);
      return end == never() ? end : end + latency;
    }
    engine::ServiceDraws* distribution_ = nullptr;
    engine::FifoServer* server_ = nullptr;
    Nanoseconds service_time_{0};
  };
  [[nodiscard]] Foreseen foreseen(config::EndpointIndex endpoint) noexcept;

  // Draws the service time of the next request, for Trips to simulate. Includes the endpoint's slowness, unless it has
  // cores of its own.
  [[nodiscard]] Nanoseconds draw_service_time(config::EndpointIndex endpoint) {
    return draw_service_time(endpoints_[endpoint.value]);
  }

  // Prefetches what a server event, or an endpoint, will need: step 0 what step 1 needs.
  void prefetch(const engine::CalendarEvent& moment, unsigned step) const noexcept;
  void prefetch(config::EndpointIndex endpoint) const noexcept;

  // owns() is true if the event belongs to the servers. simulate() simulates it.
  [[nodiscard]] static bool owns(const engine::CalendarEvent& moment) noexcept {
    return moment.kind >= engine::CalendarEventKind::reaches_server;
  }
  void simulate(const engine::CalendarEvent& moment);

  void set(const scenario::Slow& change, Nanoseconds now);
  // Breaks off everything on the node.
  void lose(config::NodeIndex node, Nanoseconds now);

  // Measures server load in periods that end at `ends`, ascending. Precondition: no request has been sent yet. `ends`
  // must outlive this. Call end_periods() at the end of the last period.
  void measure(std::span<const Nanoseconds> ends);
  void end_periods(Nanoseconds now);
  // The server of an endpoint. Endpoints that share their node's cores share it. Without cores any number is served at
  // once.
  struct Measured {
    std::uint32_t cores = 0;
    const engine::ServerLoad* load = nullptr;
  };
  [[nodiscard]] Measured measured(config::EndpointIndex endpoint) const;

  // Lets Trips serve the requests; note_present() then reports how many are at an endpoint's server now.
  void serve_elsewhere() noexcept { elsewhere_ = true; }
  void note_present(config::EndpointIndex endpoint, std::size_t present, Nanoseconds now);

  // Visits every stream that may be drawn from, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  struct Endpoint {
    Nanoseconds service_time{0};
    double slowness = 1.0;
    config::NodeIndex node = {};
    std::uint32_t distribution = none;  // `none` if all take the same time
    std::uint32_t server = none;        // `none` if every request is served at once
    bool disturbed = false;             // `server` indexes disturbed_, not fifo_
    bool own_server = false;
    bool in_order = false;  // requests reach it in the order in which they are sent
  };
  // A request on its way to a server, or at a disturbed server.
  struct Job {
    Journey journey;
    std::uint64_t sequence = 0;  // of the try
    std::uint32_t endpoint = 0;
    bool waits = false;  // its sender does
    bool used = false;
  };
  struct Deadline {
    Nanoseconds at{0};
    std::uint64_t sequence = 0;
    std::uint32_t job = 0;
  };
  struct Disturbed {
    explicit Disturbed(const scenario::Servers& servers) : server(servers) {}
    engine::DisturbedServer server;
    Nanoseconds next_departure = engine::DisturbedServer::never;  // of those in the calendar
    Nanoseconds next_deadline = engine::DisturbedServer::never;
    std::vector<Deadline> deadlines = {};  // a heap; deadlines of ended jobs stay until they are too many
  };

  // Measured load of a server whose requests are served by Trips.
  struct Elsewhere {
    engine::ServerLoad load;
    std::size_t cores = 0;
    std::size_t present = 0;
    void hold(Nanoseconds now) { load.hold(now, std::min(present, cores), present - std::min(present, cores)); }
  };
  [[nodiscard]] std::size_t place_elsewhere(const Endpoint& endpoint) const noexcept {
    return endpoint.disturbed ? fifo_.size() + endpoint.server : endpoint.server;
  }

  void add_servers();
  std::uint32_t add_server(const scenario::Servers& servers, bool disturbed);
  [[nodiscard]] std::vector<bool> disturbed_endpoints() const;
  void note_order();
  [[nodiscard]] bool ways_are_few() const;
  void stand_in_line(const Approaching& request, Nanoseconds now);
  [[nodiscard]] Approaching pop_approaching();
  [[nodiscard]] Nanoseconds draw_service_time(Endpoint& endpoint) {
    const Nanoseconds time =
        endpoint.distribution == none ? endpoint.service_time : distributions_[endpoint.distribution]();
    // A disturbed server of its own applies its slowness itself.
    return endpoint.slowness == 1.0 || (endpoint.disturbed && endpoint.own_server) ? time
                                                                                   : slowed(time, endpoint.slowness);
  }
  [[nodiscard]] static Nanoseconds slowed(Nanoseconds time, double slowness) noexcept;
  void settle(const Journey& journey, engine::CalendarEventKind kind, Nanoseconds answer, std::uint64_t sequence);
  [[nodiscard]] std::uint32_t add_job(const Job& job);
  void remove_job(std::uint32_t job);
  void reach(std::uint32_t job, Nanoseconds now);
  void reach_fifo_or_break(std::uint32_t endpoint, const Journey& journey, bool waits, std::uint64_t sequence,
                           Nanoseconds now);
  void reach_fifo(config::EndpointIndex endpoint, const Journey& journey, Nanoseconds at, std::uint64_t sequence);
  void reach_disturbed(std::uint32_t job, Nanoseconds now);
  void depart_until(std::uint32_t server, Nanoseconds now);
  void arm(std::uint32_t server);
  void pass_deadlines(std::uint32_t server, Nanoseconds now);
  [[nodiscard]] bool is_over(const Deadline& deadline) const noexcept;
  void add_deadline(std::uint32_t server, const Deadline& deadline);

  const scenario::Scenario* scenario_;
  const world::World* world_;
  engine::Calendar* calendar_;
  std::vector<Endpoint> endpoints_;  // by EndpointIndex
  std::vector<engine::ServiceDraws, engine::LargePages<engine::ServiceDraws>> distributions_;
  std::vector<engine::FifoServer, engine::LargePages<engine::FifoServer>> fifo_;
  std::vector<Disturbed> disturbed_;
  std::vector<config::NodeIndex> node_of_disturbed_;
  bool constant_ways_ = true;                  // links take the same time throughout the run
  bool in_lines_ = false;                      // requests on their way are in lines_...
  bool by_time_ = false;                       // ...or in varied_
  bool far_ = false;                           // there are many_endpoints or more
  engine::DelayLines<Approaching> lines_;      // for paths that take one of a few times
  engine::BasicCalendar<Approaching> varied_;  // for other paths
  bool elsewhere_ = false;
  std::vector<Elsewhere> elsewhere_loads_;  // of fifo_, then of disturbed_; if measured
  std::vector<Job> jobs_;                   // at disturbed servers or on their way to one; Approaching refers to it
  std::vector<std::uint32_t> free_jobs_;
};

// ---------------------------------------------------------------------------------------------------------------------

inline void ServerQueues::stand_in_line(const Approaching& request, Nanoseconds now) {
  if (in_lines_) {
    lines_.push(lines_.line_of(request.at - now), now, request);
  } else {
    varied_.push(request, request.sequence);
  }
}

inline ServerQueues::Approaching ServerQueues::pop_approaching() {
  if (in_lines_) {
    const Approaching request = lines_.pop().what;
    lines_.look_ahead([this](const Approaching& soon) { prefetch(config::EndpointIndex{soon.endpoint}); });
    return request;
  }
  if (!far_) {
    return varied_.pop();
  }
  return varied_.pop([this](const Approaching& soon, unsigned step) {
    if (step == 0) {
      __builtin_prefetch(&endpoints_[soon.endpoint]);
    } else if (step == 1) {
      prefetch(config::EndpointIndex{soon.endpoint});
    }
  });
}

inline void ServerQueues::send(Approaching request, Nanoseconds now) {
  request.sequence = calendar_->draw_sequence();
  stand_in_line(request, now);
}

template <class Reached>
void ServerQueues::reach_next(Reached reached) {
  const Approaching request = pop_approaching();
  if (request.is_job) {
    reach(request.proxy, request.at);
  } else {
    reached(request);
  }
}

}  // namespace spillway::run
