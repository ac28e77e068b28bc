// A server whose departures may change while requests are there: it can become slower or faster, lose all its requests,
// or share its cores among them. The general server; fifo_server.hpp is the fast one for all other cases.
//
//   DisturbedServer station({.cores = 2, .discipline = Discipline::processor_sharing});
//   if (!station.arrive(now, request, service_time)) { queue_full(); }
//   while (station.next_departure() <= now) { answer(station.depart()); }
//   station.set_slowness(now, 3.0);          // everything takes three times as long
//   for (std::uint32_t lost : station.clear(now)) { fail(lost); }
//
// First in, first out: a request that has a core keeps the time that it was assigned when it got it; a new slowness
// applies to later ones. Processor sharing: a new slowness applies at once. Precondition: due departures are taken
// before any other call for a later time, and those at the time of an arrival before that arrival. Equal departures
// leave in the order of arrival. Times are whole nanoseconds, rounded when a departure is computed.
//
// O(log requests) per arrival and departure. Memory: 24 bytes per present request.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/engine/server_load.hpp"
#include "sim/scenario/serving.hpp"

namespace spillway::engine {

class DisturbedServer {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr Nanoseconds never = Nanoseconds::max();

  explicit DisturbedServer(const scenario::Servers& servers) : servers_(servers) {}

  // Adds a request; returns false if the queue is full. `request` is a number of the caller's.
  [[nodiscard]] bool arrive(Nanoseconds now, std::uint32_t request, Nanoseconds service_time);

  [[nodiscard]] Nanoseconds next_departure() const noexcept;

  // Removes the request of the next departure, at its time. Precondition: next_departure() is not `never`.
  struct Departure {
    std::uint32_t request = 0;
    Nanoseconds at{0};
  };
  Departure depart();

  // Makes service take `slowness` times as long from now on. Precondition: `slowness` is above 0.
  void set_slowness(Nanoseconds now, double slowness);

  // Removes all requests and returns them, in the order of arrival.
  [[nodiscard]] std::vector<std::uint32_t> clear(Nanoseconds now);

  // Measures the load in periods that end at `ends`, which must outlive this. Precondition: nothing has arrived yet.
  // Under processor sharing, requests beyond the number of cores count as the queue.
  void measure(std::span<const Nanoseconds> ends) { load_ = std::make_unique<ServerLoad>(ends); }
  // Ends the periods that are over by `now`. Precondition: due departures have been taken.
  void end_periods(Nanoseconds now) { note_load(now); }
  // Returns the load; null if it is not measured.
  [[nodiscard]] const ServerLoad* load() const noexcept { return load_.get(); }

  [[nodiscard]] std::size_t present() const noexcept { return served_.size() + waiting_.size() - first_waiting_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size() - first_waiting_; }

 private:
  struct Served {
    // First in, first out: the nanosecond at which it leaves. Sharing: the progress at which it leaves.
    double until = 0.0;
    Nanoseconds end{0};
    std::uint64_t order = 0;  // of arrival
    std::uint32_t request = 0;
  };
  struct Waiting {
    Nanoseconds service_time{0};
    std::uint64_t order = 0;
    std::uint32_t request = 0;
  };

  [[nodiscard]] bool shares() const noexcept { return servers_.discipline == scenario::Discipline::processor_sharing; }
  [[nodiscard]] bool leaves_later(const Served& left, const Served& right) const noexcept;
  [[nodiscard]] double stretch() const noexcept;
  void make_progress(Nanoseconds now) noexcept;
  void note_load(Nanoseconds now);
  [[nodiscard]] std::size_t in_line() const noexcept {
    return present() - std::min<std::size_t>(present(), servers_.cores);
  }
  void serve(Nanoseconds now, const Waiting& request);

  scenario::Servers servers_;
  double slowness_ = 1.0;
  std::uint64_t arrived_ = 0;
  std::vector<Served> served_;    // a heap, the next departure on top
  std::vector<Waiting> waiting_;  // from first_waiting_ on
  std::size_t first_waiting_ = 0;
  // Sharing: the nanoseconds of work that a request would have got if it had always been here.
  double progress_ = 0.0;
  Nanoseconds progress_at_{0};
  std::unique_ptr<ServerLoad> load_;
};

}  // namespace spillway::engine
