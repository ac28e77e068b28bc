// The service times of one endpoint, drawn from a stream of its own.
//
//   ServiceDraws draws(stream, ServiceTime(10ms, {.distribution = ServiceDistribution::exponential}));
//   Nanoseconds demand = draws();
//
// The times are the same as if each was drawn on request. Exponential times are computed in batches, because logarithms
// computed together take a third of the time; a request then touches two cache lines.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/engine/random_stream.hpp"
#include "sim/engine/service_time.hpp"

namespace spillway::engine {

class alignas(64) ServiceDraws {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  ServiceDraws(const RandomStream& stream, const ServiceTime& distribution)
      : ServiceDraws(stream, std::make_shared<const ServiceTime>(distribution)) {}
  // `distribution` is shared by endpoints that are alike. Precondition: it is not null.
  ServiceDraws(const RandomStream& stream, std::shared_ptr<const ServiceTime> distribution)
      : drawn_(stream), ahead_(stream), distribution_(std::move(distribution)) {}

  [[nodiscard, gnu::always_inline]] Nanoseconds operator()() { return next_ < batch ? times_[next_++] : make(); }

  // Returns the stream as it is after the draws for the times returned so far.
  [[nodiscard]] RandomStream stream() const noexcept { return after(next_ == none_made ? 0 : next_); }

  // Prefetches the next times.
  [[gnu::always_inline]] void prefetch() const noexcept {
    __builtin_prefetch(this, 1);
    __builtin_prefetch(&times_[batch / 2]);
  }
  // Prefetches the data for making more times, if the next call will make them. Precondition: prefetch() has completed.
  [[gnu::always_inline]] void prefetch_making() const noexcept {
    if (next_ >= batch) {
      __builtin_prefetch(&drawn_, 1);
      __builtin_prefetch(&distribution_, 1);
    }
  }

 private:
  static constexpr std::uint64_t batch = 15;  // two cache lines, with their count; the next one has what making needs
  static constexpr std::uint64_t none_made = batch + 1;

  [[nodiscard]] Nanoseconds make();  // Precondition: none of the times made is left
  [[nodiscard]] RandomStream after(std::uint64_t draws) const noexcept;

  std::uint64_t next_ = none_made;
  std::array<Nanoseconds, batch> times_{};
  RandomStream drawn_;  // before the batch was drawn
  RandomStream ahead_;  // after the batch was drawn; only if exponential
  std::shared_ptr<const ServiceTime> distribution_;
};

}  // namespace spillway::engine
