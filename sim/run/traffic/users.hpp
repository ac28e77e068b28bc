// Closed loops: users who send a request, wait for its answer, think, and send the next.
//
//   Users users(scenario, seed);
//   while (users.next_time() < end) { const Users::Sending sending = users.pop(); ... }
//   users.answered(entry, client, now, waited);   // one user of that client begins to think
//
// Every user of a client entry with `users` begins by thinking. Think times of an entry are drawn from one stream, in
// the order in which its answers come. Who got an answer in no time at all, as where no host is healthy, thinks for a
// millisecond at least: a run would never end otherwise. Users of equal times send in the order in which they began to
// think. O(1) for each request; 60 bytes a user.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/config/strong.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/service_draws.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

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
  // There must be one.
  [[nodiscard]] Sending pop() { return sendings_.pop(); }

  // A request of this client is over, after so long. Nothing happens where the entry has no users.
  void answered(config::ClientEntryIndex entry, std::uint32_t client, Nanoseconds now, Nanoseconds waited);

  // Visits every stream that is drawn from, in a fixed order.
  void for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const;

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> thinking_of_;  // by client entry; none: an open loop
  std::vector<engine::ServiceDraws> thinking_;
  engine::BasicCalendar<Sending> sendings_;
};

}  // namespace spillway::run
