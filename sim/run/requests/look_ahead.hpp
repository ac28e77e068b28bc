// Looks ahead: the next arrivals of open loops, what they will pick if nothing changes before, and the memory that they
// and the next events will need.
//
//   look_ahead.begin();                                            // before the first request
//   while (look_ahead.next_time() < limit) {
//     const LookAhead::Next next = look_ahead.pop();
//     arrive(next.entry, next.client, next.at, next.known);
//     look_ahead.look_on();
//   }
//   calendar.pop([&](const CalendarEvent& soon, unsigned step) { look_ahead.look_at(soon, step); });
//
// Memory is prefetched some requests in advance, in several steps, since each reads what the previous one prefetched.
// With thousands of proxies and hosts, hardly any of it is in the caches otherwise. Draws for a future request are made
// on copies, and used if nothing has changed when the request comes (ComingRequest::holds). Results do not depend on
// this. O(1) per request.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/engine/upcoming_arrivals.hpp"
#include "sim/run/requests/coming_request.hpp"
#include "sim/run/requests/request_parts.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class FastLane;  // fast_lane.hpp

class LookAhead {
 public:
  // Lifetime: both arguments must outlive this object.
  LookAhead(const RequestParts& parts, const FastLane& fast_lane);

  // Decides which data to prefetch. Precondition: the lanes are open, and no arrival was popped.
  void begin();

  // Returns the time of the next arrival. If none is left before rates change, the time of that change.
  [[nodiscard]] Nanoseconds next_time() {
    if (next_time_ >= known_until_) {
      find_next_time();
    }
    return next_time_;
  }

  struct Next {
    std::uint32_t entry = 0;
    std::uint32_t client = 0;
    Nanoseconds at{0};
    const ComingRequest* known = nullptr;  // null if nothing is known of it
  };
  // Removes and returns the next arrival. Precondition: next_time() is the time of one.
  [[nodiscard]] Next pop();
  // Looks at coming requests, after each arrival.
  void look_on() {
    if (looks_ahead_ && arrived_ % together == 0) {
      look_at_group();
    }
  }
  // Notes that an entry's arrival was of another demand than expected.
  void forget(std::uint32_t entry) noexcept { kinds_[entry].stretch = 0; }
  // Prefetches what a calendar event that comes nearer will need. It is in the calendar of requests.
  void look_at(const engine::CalendarEvent& moment, unsigned step) const;

  // Begins a phase of a workload. Precondition: no arrival is left before `now`.
  void set_rate(const scenario::RateChange& change, Nanoseconds now);

 private:
  static constexpr std::uint64_t together = 8;  // this many requests are looked at together

  // The state of an entry's ClientStreams::kinds after the requests looked at, if it was computed in this stretch.
  struct KindsToCome {
    engine::RandomStream draws;
    std::uint64_t stretch = 0;
  };

  void find_next_time();
  void look_at_group();
  template <class Step>
  [[gnu::always_inline]] inline void for_group(std::uint64_t first, Step step);
  [[nodiscard, gnu::always_inline]] inline const Demand& demand_to_come(std::uint32_t entry, std::uint64_t number);
  [[nodiscard]] const Demand& choose_demand_to_come(std::uint32_t entry, std::uint64_t number);
  inline void begin_to_know(std::uint64_t number);
  inline void fetch_worker(ComingRequest& of);
  inline void draw(ComingRequest& of);
  void guess_host(ComingRequest& of) const;
  void fetch_host(const ComingRequest& of) const;

  RequestParts parts_;
  const FastLane* fast_lane_;
  engine::UpcomingArrivals upcoming_;
  std::array<ComingRequest, engine::UpcomingArrivals::known> coming_{};  // a ring, by number
  std::vector<KindsToCome> kinds_;                                       // by client entry
  std::uint64_t arrived_ = 0;
  std::uint64_t stretch_ = 1;              // up to the next arrival not looked at
  bool looks_ahead_ = false;               // the state of proxies exceeds the caches
  bool guesses_hosts_ = false;             // the state of hosts does too
  std::vector<Nanoseconds> rates_change_;  // times of rate changes, latest first, with the scenario's end
  Nanoseconds known_until_{0};             // upcoming_ extends to here
  Nanoseconds next_time_{0};               // known_until_ if none is before
  Nanoseconds rates_set_at_{0};
};

// ---------------------------------------------------------------------------------------------------------------------

inline LookAhead::Next LookAhead::pop() {
  const auto [entry, arrival] = upcoming_.next();
  upcoming_.pop();
  next_time_ = upcoming_.empty() ? known_until_ : upcoming_.next().arrival.at;
  const ComingRequest& of = coming_[arrived_ % engine::UpcomingArrivals::known];
  const bool known = of.demand != nullptr && of.number == arrived_;
  ++arrived_;
  return {entry, arrival.client, arrival.at, known ? &of : nullptr};
}

}  // namespace spillway::run
