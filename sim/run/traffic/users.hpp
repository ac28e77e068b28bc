// Closed loops: users who send a request, wait for its response, think, and send the next.
//
//   Users users(scenario, seed);
//   while (users.next_time() < end) { const Users::Sending sending = users.pop(); ... }
//   users.answered(entry, client, now, waited);   // one user of that client begins to think
//
// Every user of a client entry with `users` begins by thinking. Think times of an entry are drawn from one stream, in
// the order of its responses. A user who gets a response in zero time (as when no host is healthy) thinks for at least
// 1 ms; otherwise a run would never end. Users of equal times send in the order in which they began to think. O(1) per
// request; memory: 60 bytes per user.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/service_draws.hpp"
#include "sim/scenario/forward.hpp"

namespace spillway::run {

class Users {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr Nanoseconds never = Nanoseconds::max();

  struct Sending {
    Nanoseconds at{0};
    config::ClientEntryIndex entry;
    std::uint32_t client = 0;  // within the entry
  };

  Users(const scenario::Scenario& scenario, std::uint64_t seed);

  [[nodiscard]] Nanoseconds next_time() const noexcept { return sendings_.next_time(); }
  // Precondition: there is a next sending.
  [[nodiscard]] Sending pop() { return sendings_.pop(); }

  // Ends a request of this client after `waited`. Does nothing if the entry has no users.
  void answered(config::ClientEntryIndex entry, std::uint32_t client, Nanoseconds now, Nanoseconds waited);

  // Visits every stream that is drawn from, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> thinking_of_;  // by client entry; none for an open loop
  std::vector<engine::ServiceDraws> thinking_;
  engine::BasicCalendar<Sending> sendings_;
};

}  // namespace spillway::run
