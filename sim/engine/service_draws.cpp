#include "sim/engine/service_draws.hpp"

namespace spillway::engine {

std::chrono::nanoseconds ServiceDraws::make() {
  if (!distribution_->is_exponential()) {
    return (*distribution_)(drawn_);
  }
  drawn_ = ahead_;
  distribution_->draw_exponentials(ahead_, times_);
  next_ = 1;
  return times_.front();
}

RandomStream ServiceDraws::after(std::uint64_t draws) const noexcept {
  RandomStream stream = drawn_;
  for (std::uint64_t drawn = 0; drawn < draws; ++drawn) {
    (void)stream();
  }
  return stream;
}

}  // namespace spillway::engine
