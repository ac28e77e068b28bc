#include "sim/engine/service_draws.hpp"

namespace spillway::engine {

std::chrono::nanoseconds ServiceDraws::make() {
  if (!law_.is_exponential()) {
    return law_(stream_);
  }
  before_ = stream_;
  law_.draw_exponentials(stream_, times_);
  next_ = 1;
  return times_.front();
}

RandomStream ServiceDraws::stream() const noexcept {
  if (next_ == batch) {
    return stream_;
  }
  RandomStream stream = before_;
  for (std::uint64_t drawn = 0; drawn < next_; ++drawn) {
    (void)stream();
  }
  return stream;
}

}  // namespace spillway::engine
