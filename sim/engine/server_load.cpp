#include "sim/engine/server_load.hpp"

namespace spillway::engine {

void ServerLoad::close(double busy_left, double waited_left, std::size_t in_line) {
  const Period ended{period_, queue_max_, busy_ - busy_left, waited_ - waited_left};
  if (ended.busy > 0.0 || ended.waited > 0.0 || ended.queue_max > 0) {
    periods_.push_back(ended);
  }
  ++period_;
  busy_ = busy_left;
  waited_ = waited_left;
  queue_max_ = static_cast<std::uint32_t>(in_line);
}

void ServerLoad::hold(Nanoseconds now, std::size_t busy, std::size_t in_line) {
  const auto add_until = [&](Nanoseconds until) {
    const auto passed = static_cast<double>((until - held_until_).count());
    busy_ += passed * static_cast<double>(busy);
    waited_ += passed * static_cast<double>(in_line);
    held_until_ = until;
    if (passed > 0.0) {
      see_line(in_line);
    }
  };
  while (is_over(now)) {
    add_until(end());
    close(0.0, 0.0, 0);
  }
  add_until(now);
}

}  // namespace spillway::engine
